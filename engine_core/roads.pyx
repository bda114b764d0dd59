# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""What pieces reach otherwise than along rays: hops, roads that branch, and rails with turns."""

from libc.string cimport memset

from engine_core.adjacency cimport admits


cdef int along_rails(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t source, uint8_t *targets
) noexcept nogil:
    """The squares that a piece reaches along any chain of rails over empty squares; returns how many."""
    cdef uint8_t seen[256]
    cdef uint8_t queue[256]
    cdef const uint8_t *rails
    cdef int head = 0, tail = 1, step, count = 0
    cdef uint8_t target
    memset(seen, 0, 256)
    seen[source] = 1
    queue[0] = source
    while head < tail:
        rails = rules.stream + rules.rails_at[queue[head]]
        head += 1
        for step in range(1, rails[0] + 1):
            target = rails[step]
            if seen[target]:
                continue
            seen[target] = 1
            if position.seat_at[target] == 0:
                queue[tail] = target
                tail += 1
            if admits(rules, position, seat, target):
                targets[count] = target
                count += 1
    return count


cdef int beyond_rays(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t piece, const uint8_t *reach, uint8_t *targets
) noexcept nogil:
    """What a piece reaches by the hops and branches of its `reach`, and along all rails; returns how many squares."""
    cdef const uint8_t *branch = reach + 1 + 2 * reach[0]
    cdef int step, left = branch[0], count = 0
    for step in range(reach[0]):
        if position.seat_at[reach[1 + 2 * step]] != 0 and position.seat_at[reach[2 + 2 * step]] == 0:
            targets[count] = reach[2 + 2 * step]
            count += 1
    branch += 1
    while left:
        left -= 1
        for step in range(branch[0]):
            # The squares that it shares with an earlier ray have been listed with that one.
            if step >= branch[1] and admits(rules, position, seat, branch[2 + step]):
                targets[count] = branch[2 + step]
                count += 1
            if position.seat_at[branch[2 + step]] != 0:
                break
        branch += branch[0] + 2
    if rules.turning[rules.pattern[seat][position.kind[piece]]]:
        count += along_rails(rules, position, seat, position.square[piece], targets + count)
    return count


cdef bint reaches_beyond_rays(
    const Rules *rules,
    const Position *position,
    uint8_t pattern,
    uint8_t seat,
    uint8_t source,
    uint8_t target,
    const uint8_t *reach,
) noexcept nogil:
    """Whether `target` is among what `beyond_rays` would give; `reach` begins at the hops."""
    cdef const uint8_t *branch = reach + 1 + 2 * reach[0]
    cdef uint8_t targets[256]
    cdef int step, left = branch[0]
    for step in range(reach[0]):
        if reach[2 + 2 * step] == target:
            return position.seat_at[reach[1 + 2 * step]] != 0 and position.seat_at[target] == 0
    branch += 1
    while left:
        left -= 1
        for step in range(branch[0]):
            if branch[2 + step] == target:
                return admits(rules, position, seat, target)
            if position.seat_at[branch[2 + step]] != 0:
                break
        branch += branch[0] + 2
    if rules.turning[pattern]:
        left = along_rails(rules, position, seat, source, targets)
        for step in range(left):
            if targets[step] == target:
                return True
    return False
