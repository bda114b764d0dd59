"""Legal moves. A move is packed: source << 8 | target."""

from libc.stdint cimport uint8_t, uint16_t

from engine_core.state cimport History, Position
from engine_core.tables cimport MAX_SEATS, Rules

cdef struct Rovers:
    # The mobile pieces of each seat that are no walkers, alive or not: those whose moves have to be counted one by one.
    uint8_t count[MAX_SEATS + 1]
    uint8_t piece[MAX_SEATS + 1][256]

cdef int legal_moves(
    const Rules *rules, const Position *position, const History *history, uint16_t *moves
) noexcept nogil
cdef int count_legal_moves(
    const Rules *rules, const Position *position, const History *history, const Rovers *rovers
) noexcept nogil
cdef int count_and_trace(
    const Rules *rules, const Position *position, const Rovers *rovers, uint8_t seat, uint8_t *traced
) noexcept nogil
cdef void list_rovers(const Rules *rules, const Position *position, Rovers *rovers) noexcept nogil
cdef bint has_legal_move(const Rules *rules, const Position *position, const History *history) noexcept nogil
cdef int openings(const Rules *rules, const Position *position, uint8_t seat, uint8_t square) noexcept nogil
cdef int moves_of_piece(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t piece, uint16_t *moves
) noexcept nogil
cdef int count_rover_moves(
    const Rules *rules, const Position *position, const Rovers *rovers, uint8_t seat, uint8_t *counts
) noexcept nogil
cdef void count_freedom(const Rules *rules, Position *position) noexcept nogil
cdef bint can_move(const Rules *rules, const Position *position, uint8_t seat) noexcept nogil
cdef bint is_legal(
    const Rules *rules, const Position *position, const History *history, uint8_t source, uint8_t target
) noexcept nogil
cdef bint reaches(
    const Rules *rules, const Position *position, uint8_t pattern, uint8_t seat, uint8_t source, uint8_t target
) noexcept nogil
cdef bint touches_enemy(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t square
) noexcept nogil
cdef bint adjacent(const Rules *rules, uint8_t square, uint8_t other) noexcept nogil
