"""Whether a match that was read from bytes is one that play can have brought about."""

from libc.stdint cimport uint8_t, uint32_t

from engine_core.state cimport Evidence, Header, History, Position
from engine_core.tables cimport MAX_SEATS, Rules

cdef const char *fault_of(
    const Rules *rules, const Header *header, Position *position, Evidence *evidence, const History *history
) noexcept nogil


cdef inline int pieces_of(const Position *position) noexcept nogil:
    return position.first[MAX_SEATS + 1]


cdef inline uint8_t owner_of(const Position *position, int piece) noexcept nogil:
    cdef uint8_t seat = 1
    while piece >= position.first[seat + 1]:
        seat += 1
    return seat


cdef inline bint taking_turns(const Rules *rules) noexcept nogil:
    """Whether the seats move strictly in turn, so that the number of plies tells whose move it is."""
    return not rules.last_side_wins and not rules.stuck_passes


cdef inline uint8_t mover_of(const Rules *rules, const Position *position, uint32_t ply) noexcept nogil:
    """Who made a ply (from 1), where seats move strictly in turn."""
    return <uint8_t>((position.first_seat - 1 + ply - 1) % rules.seats + 1)
