# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""Custodial capture: what a stone takes that has just come to a square."""

from engine_core.tables cimport NONE


cdef int captures_around(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t target, uint8_t *taken
) noexcept nogil:
    """The enemies that a stone which has just come to `target` captures: runs on each ray that a friendly stone closes,
    and by the rules of some games two enemies around it and an enemy in a corner beside it.

    Puts the pieces into `taken`, which holds 255, and returns how many. All are judged on the same board.
    """
    cdef const uint8_t *ray = rules.stream + rules.lines_at[target]
    cdef int rays = ray[0], length, step, run, index
    cdef int count = 0
    cdef uint8_t other
    ray += 1
    while rays:
        rays -= 1
        length = ray[0]
        ray += 1
        run = 0
        for step in range(length):
            other = position.seat_at[ray[step]]
            if other == 0:
                break
            if other == seat:
                if run == 1 or not rules.single_runs:
                    for index in range(run):
                        count = _take(position, ray[index], taken, count)
                break
            if rules.team[other] == rules.team[seat]:
                break
            run += 1
        ray += length
    if rules.intervention:
        count = _intervene(rules, position, seat, target, taken, count)
    if rules.corner_capture:
        count = _corner(rules, position, seat, target, taken, count)
    return count


cdef inline int _take(const Position *position, uint8_t square, uint8_t *taken, int count) noexcept nogil:
    """Add the piece on a square, unless it has been captured in another way already."""
    cdef int index
    for index in range(count):
        if taken[index] == position.piece_at[square]:
            return count
    taken[count] = position.piece_at[square]
    return count + 1


cdef int _intervene(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t target, uint8_t *taken, int count
) noexcept nogil:
    """Two enemies that stand on opposite sides of the stone, right beside it."""
    cdef const uint8_t *ray = rules.stream + rules.lines_at[target] + 1
    cdef uint8_t beside[4]
    cdef int way
    cdef uint8_t first, second
    for way in range(4):
        beside[way] = ray[1] if ray[0] else NONE
        ray += ray[0] + 1
    for way in range(2):
        if beside[way] == NONE or beside[way + 2] == NONE:
            continue
        first, second = position.seat_at[beside[way]], position.seat_at[beside[way + 2]]
        if first and second and rules.team[first] != rules.team[seat] and rules.team[second] != rules.team[seat]:
            count = _take(position, beside[way], taken, count)
            count = _take(position, beside[way + 2], taken, count)
    return count


cdef int _corner(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t target, uint8_t *taken, int count
) noexcept nogil:
    """An enemy in a corner beside the stone, when the corner's other neighbour is friendly too."""
    cdef const uint8_t *neighbours = rules.stream + rules.neighbours_at[target]
    cdef const uint8_t *around
    cdef int step
    cdef uint8_t corner, other
    for step in range(1, neighbours[0] + 1):
        corner = neighbours[step]
        other = position.seat_at[corner]
        if not rules.corner[corner] or other == 0 or rules.team[other] == rules.team[seat]:
            continue
        around = rules.stream + rules.neighbours_at[corner]
        if position.seat_at[around[1]] == seat and position.seat_at[around[2]] == seat:
            count = _take(position, corner, taken, count)
    return count
