"""Drawing a legal move, each with the same chance."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from engine_core.referee cimport Outcome
from engine_core.state cimport History, Position
from engine_core.tables cimport MAX_KINDS, MAX_SEATS, Rules

cdef enum:
    MAX_GROUPS = 8

cdef struct Movers:
    # The mobile pieces of each seat on the board, in groups that move alike, within a group in any order.
    uint8_t groups[MAX_SEATS + 1]
    uint32_t ways[MAX_SEATS + 1][MAX_GROUPS]  # that a piece of the group may have
    uint8_t count[MAX_SEATS + 1][MAX_GROUPS]
    uint8_t piece[MAX_SEATS + 1][MAX_GROUPS][256]
    uint8_t group[MAX_SEATS + 1][MAX_KINDS + 1]  # NONE for kinds that never move
    uint8_t place[256]  # of a piece in its group

cdef void list_movers(const Rules *rules, const Position *position, Movers *movers) noexcept nogil
cdef void drop_captured(
    const Rules *rules, const Position *position, const Outcome *outcome, Movers *movers
) noexcept nogil
cdef uint16_t random_move(
    const Rules *rules, const Position *position, const History *history, const Movers *movers, uint64_t *seed
) noexcept nogil
