"""Legal moves. A move is packed: source << 8 | target."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

from engine_core.state cimport History, Position
from engine_core.tables cimport Rules

cdef int legal_moves(
    const Rules *rules, const Position *position, const History *history, uint16_t *moves
) noexcept nogil
cdef bint has_legal_move(const Rules *rules, Position *position, const History *history) noexcept nogil
cdef bint can_move(const Rules *rules, Position *position, uint8_t seat) noexcept nogil
cdef bint is_legal(
    const Rules *rules, const Position *position, const History *history, uint8_t source, uint8_t target
) noexcept nogil
cdef bint reaches(
    const Rules *rules, const Position *position, uint8_t pattern, uint8_t seat, uint8_t source, uint8_t target
) noexcept nogil
cdef uint32_t kinds_that_reach(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t source, uint8_t target, uint32_t kinds
) noexcept nogil
