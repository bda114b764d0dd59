# cython: language_level=3, auto_pickle=False
"""What states and knowledge have around them in bytes, checked and opened.

Little-endian: version (1 byte; 128 more for knowledge) · length of the whole (2) · names: how many texts follow, each
with its length before it: the game's id and every option that is not at its default as "name=value" · digest of the
rules (16) · match id with its length before it · body · CRC-32 of all that comes before it (4).
"""

from libc.stdint cimport uint8_t
from libc.string cimport memcmp
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE

from engine_core.catalogue import game_named
from engine_core.errors import StateError

from engine_core.checksum cimport crc32
from engine_core.state cimport CODEC_VERSION, MAX_MATCH_ID, OLDEST_VERSION

KNOWLEDGE = 128
"""What the version byte of knowledge has more than that of a state."""

cdef enum:
    SHORTEST = 3 + 1 + 16 + 1 + 25 + 4
    DIGEST = 16
    CHECKED = 0x2144DF1C  # the CRC-32 of any bytes that end with their own
    PLACES = 64

# The games that were named last, each in the place that its digest gives it, and the heads that named them.
cdef list _heads = [b""] * PLACES
cdef list _games = [None] * PLACES


def forget_games():
    """Look every game up anew: others are there now."""
    _heads[:] = [b""] * PLACES
    _games[:] = [None] * PLACES


cdef object opened(const uint8_t *data, Py_ssize_t size, str what, Envelope *envelope):
    """Open the bytes of a "state" or of "knowledge": returns the game, and says where its parts are.

    StateError or RulesetUnavailable when they are none.
    """
    if size < SHORTEST:
        raise StateError("STATE_LENGTH", f"A {what} has at least {SHORTEST} bytes, not {size}.", size=size)
    cdef int version = data[0] & 127
    if not OLDEST_VERSION <= version <= CODEC_VERSION:
        raise StateError(
            "STATE_VERSION",
            f"The {what} has version {version} of the format; this referee reads {OLDEST_VERSION} to {CODEC_VERSION}.",
            version=version,
        )
    cdef Py_ssize_t stated = data[1] | data[2] << 8
    if stated != size:
        raise StateError(
            "STATE_LENGTH",
            f"The {what} says that it has {stated} bytes, but has {size}.",
            size=size,
            stated=stated,
        )
    if crc32(data, size) != CHECKED:
        raise StateError("STATE_CHECKSUM", f"The checksum of the {what} is wrong: its bytes have been changed.")
    cdef Py_ssize_t end = _end_of_names(data, size, what)
    game = _game(data + 3, end - 3)
    envelope.version = version
    envelope.match_id = end + 1
    envelope.match_id_size = data[end]
    envelope.body = end + 1 + data[end]
    envelope.end = size - 4
    if data[end] > MAX_MATCH_ID or envelope.body > envelope.end:
        raise StateError("STATE_HEADER", f"The match id is cut short or has more than {MAX_MATCH_ID} bytes.")
    return game


cdef object _game(const uint8_t *head, Py_ssize_t size):
    """The game of a head, which ends with a digest."""
    cdef int place = head[size - DIGEST] % PLACES
    cdef bytes known = <bytes>_heads[place]
    if PyBytes_GET_SIZE(known) == size and memcmp(head, PyBytes_AS_STRING(known), size) == 0:
        return _games[place]
    known = head[:size]
    game = game_named(known)
    _heads[place], _games[place] = known, game
    return game


cdef Py_ssize_t _end_of_names(const uint8_t *data, Py_ssize_t size, str what) except -1:
    """Where the names and the digest end; the match id begins there."""
    cdef Py_ssize_t place = 4
    for _ in range(data[3]):
        if place >= size - 4:
            break
        place += 1 + data[place]
    place += DIGEST
    if data[3] == 0 or place >= size - 4:
        raise StateError("STATE_HEADER", f"The names in the {what} are cut short.")
    return place
