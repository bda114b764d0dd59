# cython: language_level=3, auto_pickle=False
"""Reading states: any bytes are safe input, and only what `State.to_bytes` writes is accepted.

Layout, version 1, little-endian: version (1 byte) · length of the whole (2) · names: how many texts follow, each with
its length before it: the game's id and every option that is not at its default as "name=value" · digest of the rules
(16) · match id with its length before it · body (see `engine_core.state`) · CRC-32 of all that comes before it (4).
"""

import zlib

from libc.stdint cimport uint8_t

from engine_core.catalogue import game_named
from engine_core.errors import StateError

from engine_core.integrity cimport fault_of
from engine_core.match cimport State, new_state
from engine_core.moves cimport count_freedom
from engine_core.state cimport CODEC_VERSION, MAX_MATCH_ID, History, read_body

_SHORTEST = 3 + 1 + 16 + 1 + 25 + 4
_DIGEST = 16

cdef History scratch


def decode(data):
    """The state that these bytes are. StateError (see its reasons) or RulesetUnavailable when they are none."""
    cdef bytes state = bytes(memoryview(data))
    if len(state) < _SHORTEST:
        raise StateError("STATE_LENGTH", f"A state has at least {_SHORTEST} bytes, not {len(state)}.", size=len(state))
    if state[0] != CODEC_VERSION:
        raise StateError(
            "STATE_VERSION",
            f"The state has version {state[0]} of the format; this referee reads version {CODEC_VERSION}.",
            version=state[0],
        )
    stated = int.from_bytes(state[1:3], "little")
    if stated != len(state):
        raise StateError(
            "STATE_LENGTH",
            f"The state says that it has {stated} bytes, but has {len(state)}.",
            size=len(state),
            stated=stated,
        )
    if zlib.crc32(state[:-4]).to_bytes(4, "little") != state[-4:]:
        raise StateError("STATE_CHECKSUM", "The checksum of the state is wrong: its bytes have been changed.")
    end_of_names = _end_of_names(state)
    game = game_named(state[3:end_of_names])
    cdef Py_ssize_t start = end_of_names + 1 + state[end_of_names]
    if state[end_of_names] > MAX_MATCH_ID or start > len(state) - 4:
        raise StateError("STATE_HEADER", f"The match id is cut short or has more than {MAX_MATCH_ID} bytes.")
    cdef State result = new_state(game, state[end_of_names + 1:start])
    cdef const uint8_t *body = state
    cdef const char *fault = read_body(
        body + start,
        len(state) - 4 - start,
        &result.tables.rules,
        &result.header,
        &result.position,
        &result.evidence,
        &scratch,
    )
    if fault == NULL:
        count_freedom(&result.tables.rules, &result.position)
        fault = fault_of(&result.tables.rules, &result.header, &result.position, &result.evidence, &scratch)
    if fault != NULL:
        reason, text = (<bytes>fault).decode().split(": ")
        raise StateError(reason, f"The state contradicts itself or its rules: {text}.", fault=text)
    result.keep_history(&scratch)
    if result.to_bytes() != state:
        raise StateError("STATE_HEADER", "The state is not written as this referee writes it.")
    return result


def _end_of_names(bytes state):
    """Where the names and the digest end; the match id begins there."""
    place = 4
    for _ in range(state[3]):
        if place >= len(state) - 4:
            break
        place += 1 + state[place]
    place += _DIGEST
    if state[3] == 0 or place >= len(state) - 4:
        raise StateError("STATE_HEADER", "The names in the state are cut short.")
    return place
