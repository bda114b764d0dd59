"""Whether a match that was read from bytes is one that play can have brought about."""

from libc.stdint cimport uint8_t, uint32_t

from engine_core.state cimport Evidence, Header, History, Position
from engine_core.tables cimport (
    MAX_SEATS, REASON_ABANDONMENT, REASON_ADJUDICATED, REASON_AGREED_DRAW, REASON_RESIGNED, REASON_RULING, REASON_TIME,
    Rules,
)

cdef const char *fault_of(
    const Rules *rules,
    const Header *header,
    Position *position,
    Evidence *evidence,
    const History *history,
    bint kinds_known,
) noexcept nogil

cdef const char *phase_fault(const Rules *rules, const Header *header, const Position *position) noexcept nogil


cdef inline int pieces_of(const Position *position) noexcept nogil:
    return position.first[MAX_SEATS + 1]


cdef inline uint8_t owner_of(const Position *position, int piece) noexcept nogil:
    cdef uint8_t owner = 1
    cdef int seat
    for seat in range(2, MAX_SEATS + 1):
        owner += piece >= position.first[seat]
    return owner


cdef inline int members(uint8_t mask) noexcept nogil:
    """How many seats are in a mask."""
    cdef int count = 0
    while mask:
        count += mask & 1
        mask >>= 1
    return count


cdef inline bint ends_by(const Rules *rules, uint8_t ending) noexcept nogil:
    """Whether a game has this ending."""
    cdef int place
    for place in range(rules.endings):
        if rules.ending[place] == ending:
            return True
    return False


cdef inline bint ended_by_decision(uint8_t reason) noexcept nogil:
    """Whether a match ended by an action that is no move."""
    return reason in (
        REASON_RESIGNED, REASON_AGREED_DRAW, REASON_TIME, REASON_ABANDONMENT, REASON_RULING, REASON_ADJUDICATED
    )


cdef inline bint taking_turns(const Rules *rules) noexcept nogil:
    """Whether the seats move strictly in turn, so that the number of plies tells whose move it is."""
    return not rules.last_side_wins and not rules.stuck_passes


cdef inline uint8_t mover_of(const Rules *rules, const Position *position, uint32_t ply) noexcept nogil:
    """Who made a ply (from 1), where seats move strictly in turn."""
    return <uint8_t>((position.first_seat - 1 + ply - 1) % rules.seats + 1)


cdef inline uint32_t moves_made(const Rules *rules, const Position *position, uint8_t seat) noexcept nogil:
    """How many moves a seat can have made: exactly so many where seats move strictly in turn."""
    cdef uint32_t turn = (seat + rules.seats - position.first_seat) % rules.seats
    if not taking_turns(rules):
        return position.ply
    return position.ply // rules.seats + (position.ply % rules.seats > turn)


cdef inline void take_back(Position *board, uint8_t source, uint8_t target) noexcept nogil:
    """Put the piece on `target` back on the empty `source`. Only what moves look at is kept up."""
    cdef uint8_t piece = board.piece_at[target]
    board.seat_at[source] = board.seat_at[target]
    board.piece_at[source] = piece
    board.square[piece] = source
    board.seat_at[target] = 0
