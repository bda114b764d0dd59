"""Encoded states that the engine could not have written, with a right checksum."""

import zlib

import engine_core

SQUARE_COUNT = 49
PIECES = 7
"""Of each seat of hidden-hasami on its small board, which these offsets are for."""

FLAGS, PHASE, WINNERS = 0, 1, 11
_PIECES_AT = 25
KINDS = _PIECES_AT + (SQUARE_COUNT + 7) // 8
SQUARES = KINDS + PIECES


def body_at(state: engine_core.State) -> int:
    """Where the body begins in the encoding of a state."""
    return 3 + len(state.game.codec_head) + 1 + len(state.match_id)


def reseal(data: bytes | bytearray) -> bytes:
    """The same bytes with the checksum that belongs to them."""
    return bytes(data[:-4]) + zlib.crc32(bytes(data[:-4])).to_bytes(4, "little")


def with_byte(state: engine_core.State, offset: int, value: int) -> bytes:
    """A state with one byte of its body changed; offsets below 0 count from the checksum backwards."""
    data = bytearray(state.to_bytes())
    place = body_at(state) + offset if offset >= 0 else len(data) - 4 + offset
    assert data[place] != value, "the change must be one"
    data[place] = value
    return reseal(data)


def with_other_rules(state: engine_core.State) -> bytes:
    """A state that names rules of another digest."""
    data = bytearray(state.to_bytes())
    data[2 + len(state.game.codec_head)] ^= 1
    return reseal(data)
