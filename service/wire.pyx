# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False
"""The messages of an update as protocol buffer bytes, written straight from the engine's structs.

Building them as messages costs more than refereeing the move. The bytes are those that protobuf itself writes; a test
compares them. Field numbers are those of `proto/shinpan/v1`.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize

from engine_core.match cimport State
from engine_core.state cimport ENDED
from engine_core.tables cimport FLAG_FALLS, NONE, OUTCOME_MASK, REVEAL_NONE
from engine_core.turn cimport Turn
from engine_core.view cimport View

cdef enum:
    VARINT = 0
    BYTES = 2
    FLAG_OUTCOMES = 3  # BattleOutcome: the outcomes with a fallen flag follow those without in the same order


cdef inline uint8_t *_varint(uint8_t *out, uint32_t value) noexcept nogil:
    while value > 127:
        out[0] = <uint8_t>(value & 127 | 128)
        value >>= 7
        out += 1
    out[0] = <uint8_t>value
    return out + 1


cdef inline uint8_t *_number(uint8_t *out, int field, uint32_t value) noexcept nogil:
    """A number that is left out when it is 0."""
    if value == 0:
        return out
    out[0] = <uint8_t>(field << 3 | VARINT)
    return _varint(out + 1, value)


cdef inline uint8_t *_bytes(uint8_t *out, int field, const void *data, uint32_t size) noexcept nogil:
    """Bytes, or a packed list, that are left out when they are empty."""
    if size == 0:
        return out
    out[0] = <uint8_t>(field << 3 | BYTES)
    out = _varint(out + 1, size)
    memcpy(out, data, size)
    return out + size


cdef inline uint8_t *_seats(uint8_t *out, int field, uint8_t mask) noexcept nogil:
    """The seats of a mask as a packed list."""
    cdef uint8_t seats[8]
    cdef uint32_t count = 0
    cdef uint8_t seat
    for seat in range(1, 8):
        if mask >> seat & 1:
            seats[count] = seat
            count += 1
    return _bytes(out, field, seats, count)


def field(int number, bytes body not None):
    """A field that holds bytes or a message, the empty one too."""
    cdef uint8_t head[8]
    cdef uint8_t *end
    head[0] = <uint8_t>(number << 3 | BYTES)
    end = _varint(head + 1, <uint32_t>len(body))
    return head[:end - head] + body


def status(State state not None):
    """A Status."""
    cdef uint8_t out[160]
    cdef uint8_t result[32]
    cdef uint8_t *end = out
    cdef uint8_t *end_of_result
    end = _number(end, 1, state.position.phase + 1)
    end = _seats(end, 2, state.position.arranged)
    end = _number(end, 3, state.position.to_move)
    end = _number(end, 4, state.position.ply)
    end = _number(end, 5, state.header.revision)
    end = _seats(end, 6, state.position.agreed)
    end = _seats(end, 7, state.position.out)
    if state.position.last_source != NONE:
        end[0] = 8 << 3 | VARINT
        end = _varint(end + 1, state.position.last_source << 8 | state.position.last_target)
    if state.position.phase == ENDED:
        end_of_result = _seats(result, 1, state.position.winners)
        end_of_result = _number(end_of_result, 2, state.position.reason)
        end = _bytes(end, 9, result, <uint32_t>(end_of_result - result))
    end = _number(end, 10, state.header.hypothetical)
    return out[:end - out]


def view(View seen not None):
    """A View without its diagram."""
    cdef uint8_t out[1100]
    cdef uint8_t *end = out
    end = _bytes(end, 1, PyBytes_AS_STRING(seen.seats), <uint32_t>len(seen.seats))
    end = _bytes(end, 2, PyBytes_AS_STRING(seen.kinds), <uint32_t>len(seen.kinds))
    end = _bytes(end, 3, PyBytes_AS_STRING(seen.origins), <uint32_t>len(seen.origins))
    end = _bytes(end, 4, PyBytes_AS_STRING(seen.flags), <uint32_t>len(seen.flags))
    end = _number(end, 5, seen.claim_pending)
    return out[:end - out]


def captured(View seen not None):
    """The CapturedPieces of a view."""
    cdef uint8_t out[800]
    cdef uint8_t *end = out
    end = _bytes(end, 1, PyBytes_AS_STRING(seen.captured_seats), <uint32_t>len(seen.captured_seats))
    end = _bytes(end, 2, PyBytes_AS_STRING(seen.captured_origins), <uint32_t>len(seen.captured_origins))
    end = _bytes(end, 3, PyBytes_AS_STRING(seen.captured_kinds), <uint32_t>len(seen.captured_kinds))
    return out[:end - out]


def moves(State state not None):
    """The legal moves of the seat to move as the contents of a packed list."""
    cdef uint16_t few[1024]
    cdef uint8_t packed[3 * 1024]
    cdef uint16_t *listed = few
    cdef uint8_t *out = packed
    cdef uint8_t *end
    cdef int index, count, most = state.tables.rules.max_moves
    if most > 1024:
        listed = <uint16_t *>malloc(most * (sizeof(uint16_t) + 3))
        if listed == NULL:
            raise MemoryError
        out = <uint8_t *>(listed + most)
    count = state.list_moves(listed)
    end = out
    for index in range(count):
        end = _varint(end, listed[index])
    contents = PyBytes_FromStringAndSize(<char *>out, end - out)
    if most > 1024:
        free(listed)
    return contents


def moved(Turn turn not None):
    """The Moved event of a turn that is a move. It is the same for every viewer."""
    cdef uint8_t out[900]
    cdef uint8_t squares[255 * 2]
    cdef uint8_t *end = out
    cdef uint8_t *end_of_squares = squares
    cdef State before = turn.before, after = turn.state
    cdef int battle = turn.outcome.battle & OUTCOME_MASK
    if turn.outcome.battle & FLAG_FALLS:
        battle += FLAG_OUTCOMES
    for square in turn.captured_squares():
        end_of_squares = _varint(end_of_squares, square)
    end = _number(end, 1, after.position.ply)
    end = _number(end, 2, before.position.to_move)
    end = _number(end, 3, after.position.last_source << 8 | after.position.last_target)
    end = _number(end, 4, battle)
    end = _bytes(end, 5, squares, <uint32_t>(end_of_squares - squares))
    if battle and after.tables.rules.reveal != REVEAL_NONE:
        end = _number(end, 6, before.position.kind[turn.outcome.attacker])
        end = _number(end, 7, before.position.kind[turn.outcome.defender])
    return out[:end - out]


def is_plain_move(Turn turn not None):
    """Whether a turn is a move whose Moved event is all that happened."""
    cdef State after = turn.state
    return (
        turn.opening is None
        and not (turn.outcome.lapsed or turn.outcome.claimed or turn.outcome.passes or turn.outcome.eliminations)
        and after.position.phase != ENDED
        and (turn.outcome.battle == 0 or not turn.shows_pieces())
    )
