# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""What ends a match by itself: lines, captured totals, repeated positions."""

from libc.string cimport memcpy

cdef int _lost(const Position *position, uint8_t seat) noexcept nogil:
    return position.first[seat + 1] - position.first[seat] - position.alive[seat]


cdef bint target_reached(const Rules *rules, const Position *position, uint8_t seat) noexcept nogil:
    """Whether the enemies of a seat have lost as many pieces as the target, or all."""
    cdef uint8_t other
    cdef int lost = 0, left = 0
    for other in range(1, rules.seats + 1):
        if rules.team[other] != rules.team[seat]:
            lost += _lost(position, other)
            left += position.alive[other]
    return lost >= rules.capture_target or left == 0


cdef bint lead_reached(const Rules *rules, const Position *position, uint8_t seat) noexcept nogil:
    """Whether a seat has captured so many more pieces than the other of two."""
    return _lost(position, 3 - seat) - _lost(position, seat) >= rules.capture_lead


cdef bint completes_line(const Rules *rules, const Position *position, uint8_t seat, uint8_t target) noexcept nogil:
    """Whether the piece on `target` is part of a line of its seat's pieces that is long enough."""
    cdef const uint8_t *straight[4]
    cdef const uint8_t *slanting[4]
    cdef int way
    if rules.line_barred[target] >> seat & 1:
        return False
    _split_rays(rules.stream + rules.lines_at[target], straight)
    _split_rays(rules.stream + rules.diagonals_at[target], slanting)
    for way in range(2):
        # North and south are one line, east and west another; so with the diagonals.
        if rules.line_along & (2 >> way) and _line_length(rules, position, seat, straight[way], straight[way + 2]):
            return True
        if rules.line_along & 4 and _line_length(rules, position, seat, slanting[way], slanting[way + 2]):
            return True
    return False


cdef void _split_rays(const uint8_t *rays, const uint8_t **split) noexcept nogil:
    cdef int way
    rays += 1
    for way in range(4):
        split[way] = rays
        rays += rays[0] + 1


cdef bint _line_length(
    const Rules *rules, const Position *position, uint8_t seat, const uint8_t *ahead, const uint8_t *behind
) noexcept nogil:
    """Whether the pieces of a seat on two opposite rays, and the one between, are enough for a line."""
    cdef int step, length = 1
    for step in range(1, ahead[0] + 1):
        if position.seat_at[ahead[step]] != seat or rules.line_barred[ahead[step]] >> seat & 1:
            break
        length += 1
    for step in range(1, behind[0] + 1):
        if position.seat_at[behind[step]] != seat or rules.line_barred[behind[step]] >> seat & 1:
            break
        length += 1
    return length >= rules.line_length


cdef int occurrences(const Position *position, const uint16_t *moves, int count) noexcept nogil:
    """How often this board, seats and side to move alike, has stood before and after the last moves; at least 1."""
    cdef uint8_t board[256]
    cdef uint8_t source, target, mover
    cdef int index, differing = 0, found = 1
    memcpy(board, position.seat_at, 256)
    for index in range(count - 1, -1, -1):
        source, target = moves[index] >> 8, moves[index] & 255
        mover = board[target]
        differing += (position.seat_at[target] != 0) - (board[target] != position.seat_at[target])
        board[target] = 0
        differing += (position.seat_at[source] != mover) - (board[source] != position.seat_at[source])
        board[source] = mover
        if differing == 0 and mover == position.to_move:
            found += 1
    return found
