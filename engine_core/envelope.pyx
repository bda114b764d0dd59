# cython: language_level=3, auto_pickle=False
"""What states and knowledge have around them in bytes, checked and opened.

Little-endian: version (1 byte; 128 more for knowledge) · length of the whole (2) · names: how many texts follow, each
with its length before it: the game's id and every option that is not at its default as "name=value" · digest of the
rules (16) · match id with its length before it · body · CRC-32 of all that comes before it (4).
"""

cimport cython

from libc.stdint cimport uint8_t

from zlib import crc32

from engine_core.catalogue import game_named
from engine_core.errors import StateError

from engine_core.state cimport CODEC_VERSION, MAX_MATCH_ID, OLDEST_VERSION

KNOWLEDGE = 128
"""What the version byte of knowledge has more than that of a state."""

_SHORTEST = 3 + 1 + 16 + 1 + 25 + 4
_DIGEST = 16
_CHECKED = 0x2144DF1C
"""The CRC-32 of any bytes that end with their own."""


@cython.final
cdef class Envelope:
    """The game, the match id and the version of the format; `body` is where the rest begins."""


cdef Envelope opened(bytes data, str what):
    """Open the bytes of a "state" or of "knowledge". StateError or RulesetUnavailable when they are none."""
    if len(data) < _SHORTEST:
        raise StateError("STATE_LENGTH", f"A {what} has at least {_SHORTEST} bytes, not {len(data)}.", size=len(data))
    cdef const uint8_t *content = data
    cdef int version = content[0] & 127
    if not OLDEST_VERSION <= version <= CODEC_VERSION:
        raise StateError(
            "STATE_VERSION",
            f"The {what} has version {version} of the format; this referee reads {OLDEST_VERSION} to {CODEC_VERSION}.",
            version=version,
        )
    cdef Py_ssize_t stated = content[1] | content[2] << 8
    if stated != len(data):
        raise StateError(
            "STATE_LENGTH",
            f"The {what} says that it has {stated} bytes, but has {len(data)}.",
            size=len(data),
            stated=stated,
        )
    if crc32(data) != _CHECKED:
        raise StateError("STATE_CHECKSUM", f"The checksum of the {what} is wrong: its bytes have been changed.")
    cdef Py_ssize_t end = _end_of_names(content, len(data), what)
    cdef Envelope envelope = Envelope.__new__(Envelope)
    envelope.game = game_named(data[3:end])
    envelope.version = version
    envelope.body = end + 1 + content[end]
    if content[end] > MAX_MATCH_ID or envelope.body > len(data) - 4:
        raise StateError("STATE_HEADER", f"The match id is cut short or has more than {MAX_MATCH_ID} bytes.")
    envelope.match_id = data[end + 1:envelope.body]
    return envelope


cdef Py_ssize_t _end_of_names(const uint8_t *data, Py_ssize_t size, str what) except -1:
    """Where the names and the digest end; the match id begins there."""
    cdef Py_ssize_t place = 4
    for _ in range(data[3]):
        if place >= size - 4:
            break
        place += 1 + data[place]
    place += _DIGEST
    if data[3] == 0 or place >= size - 4:
        raise StateError("STATE_HEADER", f"The names in the {what} are cut short.")
    return place
