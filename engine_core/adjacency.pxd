"""Squares side by side, and what they admit."""

from libc.stdint cimport uint8_t

from engine_core.state cimport Position
from engine_core.tables cimport Rules


cdef inline bint admits(const Rules *rules, const Position *position, uint8_t seat, uint8_t square) noexcept nogil:
    """Whether a piece of `seat` may end its move on `square`."""
    return rules.admits[seat][rules.camp[square]][position.seat_at[square]]


cdef inline int openings(const Rules *rules, const Position *position, uint8_t seat, uint8_t square) noexcept nogil:
    """How many moves a walker of `seat` on `square` has; its own square, in place of a missing one, admits it not."""
    cdef const uint8_t *beside = rules.beside[square]
    return (
        admits(rules, position, seat, beside[0])
        + admits(rules, position, seat, beside[1])
        + admits(rules, position, seat, beside[2])
        + admits(rules, position, seat, beside[3])
    )


cdef inline bint adjacent(const Rules *rules, uint8_t square, uint8_t other) noexcept nogil:
    """Whether two squares are orthogonal neighbours."""
    cdef const uint8_t *neighbours = rules.stream + rules.neighbours_at[square]
    cdef int step
    for step in range(1, neighbours[0] + 1):
        if neighbours[step] == other:
            return True
    return False


cdef inline bint touches_enemy(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t square
) noexcept nogil:
    """Whether a piece of another side stands orthogonally next to `square`."""
    cdef const uint8_t *neighbours = rules.stream + rules.neighbours_at[square]
    cdef int step
    cdef uint8_t other
    for step in range(1, neighbours[0] + 1):
        other = position.seat_at[neighbours[step]]
        if other != 0 and rules.team[other] != rules.team[seat]:
            return True
    return False
