"""Counting the moves of a seat, and which of them another move can change."""

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from engine_core.state cimport History, Position
from engine_core.tables cimport BOARD_WORDS, Rules

cdef enum:
    MOST_SLIDERS = 64

cdef struct Replies:
    # The moves of one seat, in rules where nothing but the board counts; see `follow`.
    int total
    int sliders  # its other mobile pieces on the board
    uint8_t slider[MOST_SLIDERS]
    uint8_t moves[MOST_SLIDERS]
    # The sliders whose moves depend on who stands on a square, bit 1 << its place in the list: along rays on whether
    # anybody does, by steps on whether one of their own side does.
    uint64_t through[256]
    uint64_t steps[256]

cdef struct Revision:
    # What a quiet move of the seat itself makes of its `Replies`.
    int total
    uint64_t changed  # sliders whose moves are not what they were
    uint8_t moves[MOST_SLIDERS]  # of those
    uint64_t through[BOARD_WORDS]  # the squares that those depend on

cdef int count_legal_moves(
    const Rules *rules, const Position *position, const History *history, uint16_t *moves
) noexcept nogil
cdef bint follow(const Rules *rules, const Position *position, uint8_t seat, Replies *replies) noexcept nogil
cdef void shift(Position *position, uint8_t source, uint8_t target) noexcept nogil
cdef void unmoved(const Replies *replies, Revision *revision) noexcept nogil
cdef void shift_own(
    const Rules *rules, Position *position, uint8_t seat, const Replies *replies, uint8_t source, uint8_t target,
    Revision *revision,
) noexcept nogil
cdef int replies_after(
    const Rules *rules, Position *position, uint8_t seat, const Replies *replies, const Revision *revision,
    uint8_t source, uint8_t target,
) noexcept nogil
cdef int replies_after_battle(
    const Rules *rules, const Position *position, const Position *after, uint8_t seat, const Replies *replies,
    const Revision *revision, uint8_t source, uint8_t target,
) noexcept nogil
