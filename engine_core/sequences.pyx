# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""Counting move sequences: the tree of perft.

Where nothing but the board decides, a quiet move leaves most of the other seat's moves as they are. So each seat is
looked at once for many positions, quiet moves are not made with all that could follow from them, and those of the
last ply are never listed.
"""

from libc.string cimport memcpy

from engine_core.moves cimport legal_moves
from engine_core.referee cimport Outcome, apply_move
from engine_core.replies cimport (
    Replies, Revision, count_legal_moves, follow, replies_after, replies_after_battle, shift, shift_own, unmoved,
)
from engine_core.state cimport PLAY


cdef bint _replies_alike(const Rules *rules, const Position *position) noexcept nogil:
    """Whether moves that touch nothing leave the other seat as many replies as it would have now: no mechanism of
    these rules but what stands on the board decides about the end or about legality.
    """
    return (
        rules.displacement
        and rules.seats == 2
        and not rules.beyond_rays
        and not (rules.keeps_history or rules.two_squares or rules.stuck_passes or position.claims)
        and not (rules.ply_limit or rules.quiet_limit or rules.line_length or rules.capture_lead)
    )


cdef inline bint _is_still(
    const Rules *rules, const Position *position, uint8_t source, uint8_t target
) noexcept nogil:
    """Whether a move captures nothing and enters nothing."""
    return not (
        position.seat_at[target]
        or rules.camp[source]
        or rules.camp[target]
        or rules.headquarters[target]
        or rules.goal[target]
    )


cdef uint64_t count_sequences(
    const Rules *rules, Position *position, const History *history, int depth, uint16_t *moves, int64_t *budget
) noexcept nogil:
    """Move sequences of `depth` plies, at least one. Takes every node off the budget, and stops once that is negative.

    The position is as before afterwards. `moves` holds rules.max_moves twice for each ply.
    """
    cdef Replies replies
    cdef Revision revision
    cdef uint64_t nodes = 0
    cdef int count, index
    cdef uint8_t mover = position.to_move
    if depth == 1:
        nodes = count_legal_moves(rules, position, history, moves)
        budget[0] -= <int64_t>nodes
        return nodes
    count = legal_moves(rules, position, history, moves)
    if _replies_alike(rules, position) and follow(rules, position, 3 - mover if depth == 2 else mover, &replies):
        if depth > 2:
            return _count_followed(rules, position, history, depth, &replies, moves, count, moves + count, budget)
        unmoved(&replies, &revision)
        return _last_two(rules, position, history, &replies, &revision, moves, count, moves + count, budget)
    for index in range(count):
        if budget[0] < 0:
            break
        budget[0] -= 1
        nodes += _count_after(
            rules, position, history, moves[index] >> 8, moves[index] & 255, depth, moves + count, budget
        )
    return nodes


cdef uint64_t _count_followed(
    const Rules *rules,
    Position *position,
    const History *history,
    int depth,
    const Replies *mine,
    const uint16_t *moves,
    int count,
    uint16_t *room,
    int64_t *budget,
) noexcept nogil:
    """The sequences of three plies or more that begin with one of `moves`; `mine` are those of the seat to move.

    The other seat is looked at once, for most of the first ply leaves its moves as they are.
    """
    cdef Replies theirs, fresh
    cdef Revision revision
    cdef uint64_t nodes = 0
    cdef uint8_t mover = position.to_move, other = 3 - mover, source, target
    cdef int index, number, changed
    cdef bint same, followed = follow(rules, position, other, &theirs)
    cdef uint16_t *answers = room
    cdef uint16_t *listed
    position.to_move = other
    number = legal_moves(rules, position, history, answers)
    position.to_move = mover
    room += number
    for index in range(count):
        if budget[0] < 0:
            break
        source, target = moves[index] >> 8, moves[index] & 255
        budget[0] -= 1
        if not (followed and _is_still(rules, position, source, target)):
            nodes += _count_after(rules, position, history, source, target, depth, room, budget)
            continue
        same = (theirs.through[source] | theirs.through[target]) == 0
        if depth == 3:
            shift_own(rules, position, mover, mine, source, target, &revision)
        else:
            shift(position, source, target)
        position.to_move = other
        listed, changed = answers, number
        if not same:
            listed, changed = room, legal_moves(rules, position, history, room)
        if depth == 3:
            nodes += _last_two(rules, position, history, mine, &revision, listed, changed, room + changed, budget)
        else:
            if not same:
                follow(rules, position, other, &fresh)
            nodes += _count_followed(
                rules, position, history, depth - 1, &theirs if same else &fresh, listed, changed, room + changed,
                budget,
            )
        shift(position, target, source)
        position.to_move = mover
    return nodes


cdef uint64_t _last_two(
    const Rules *rules,
    Position *position,
    const History *history,
    const Replies *replies,
    const Revision *revision,
    const uint16_t *moves,
    int count,
    uint16_t *room,
    int64_t *budget,
) noexcept nogil:
    """The sequences of two plies that begin with one of `moves`; `replies`, as revised, are the other seat's."""
    cdef uint64_t nodes = 0
    cdef uint8_t other = 3 - position.to_move, source, target
    cdef int index, left
    cdef Position after
    cdef History kept
    cdef Outcome outcome
    for index in range(count):
        if budget[0] < 0:
            break
        source, target = moves[index] >> 8, moves[index] & 255
        if _is_still(rules, position, source, target):
            left = replies_after(rules, position, other, replies, revision, source, target)
            nodes += left
            budget[0] -= left
        elif position.seat_at[target] == 0 or rules.camp[source] or rules.camp[target]:
            budget[0] -= 1
            nodes += _count_after(rules, position, history, source, target, 2, room, budget)
        else:
            budget[0] -= 1
            _make(rules, position, history, source, target, &after, &kept, &outcome)
            if after.phase == PLAY:
                left = replies_after_battle(rules, position, &after, other, replies, revision, source, target)
                nodes += left
                budget[0] -= left
    return nodes


cdef inline void _make(
    const Rules *rules,
    const Position *position,
    const History *history,
    uint8_t source,
    uint8_t target,
    Position *after,
    History *kept,
    Outcome *outcome,
) noexcept nogil:
    """Make a move on a copy."""
    memcpy(after, position, sizeof(Position))
    kept.length = history.length
    memcpy(kept.moves, history.moves, history.length * sizeof(uint16_t))
    apply_move(rules, after, kept, source, target, outcome)


cdef uint64_t _count_after(
    const Rules *rules,
    const Position *position,
    const History *history,
    uint8_t source,
    uint8_t target,
    int depth,
    uint16_t *moves,
    int64_t *budget,
) noexcept nogil:
    """The sequences of `depth` plies that begin with a move, by making it."""
    cdef Position after
    cdef History kept
    cdef Outcome outcome
    _make(rules, position, history, source, target, &after, &kept, &outcome)
    if after.phase != PLAY:
        return 0
    return count_sequences(rules, &after, &kept, depth - 1, moves, budget)
