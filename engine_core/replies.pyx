# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""How many moves a seat has, and what a move of either seat makes of that number, without a look at the whole board:
perft counts its last three plies so.
"""

from libc.string cimport memset

from engine_core.adjacency cimport admits, openings
from engine_core.bitboard cimport Survey, add, contains, lowest, movers, survey
from engine_core.moves cimport legal_moves
from engine_core.roads cimport beyond_rays
from engine_core.state cimport OFF


cdef inline const uint8_t *_reach(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t piece
) noexcept nogil:
    return rules.stream + rules.reach_at[rules.pattern[seat][position.kind[piece]]][position.square[piece]]


cdef inline int _count(const Rules *rules, const Position *position, uint8_t seat, uint8_t piece) noexcept nogil:
    """The moves of a piece, restrictions aside."""
    cdef uint8_t targets[256]
    cdef const uint8_t *reach = _reach(rules, position, seat, piece)
    cdef int left = reach[0], step, count = 0
    for step in range(1, left + 1):
        count += admits(rules, position, seat, reach[step])
    reach += left + 1
    left = reach[0]
    reach += 1
    while left:
        left -= 1
        step = 1
        while step < reach[0] and position.seat_at[reach[step]] == 0:
            step += 1
        count += step - 1 + admits(rules, position, seat, reach[step])
        reach += reach[0] + 1
    if rules.beyond_rays:
        count += beyond_rays(rules, position, seat, piece, reach, targets)
    return count


cdef int count_legal_moves(
    const Rules *rules, const Position *position, const History *history, uint16_t *moves
) noexcept nogil:
    """How many legal moves the seat to move has; `moves` holds rules.max_moves."""
    cdef uint8_t seat = position.to_move
    cdef Survey board
    cdef uint8_t sources[256]
    cdef int index, count = 0
    if rules.two_squares or rules.more_squares:
        return legal_moves(rules, position, history, moves)
    survey(rules, position, seat, &board)
    for index in range(movers(rules, position, &board, seat, False, sources)):
        if rules.walker[seat][position.kind[position.piece_at[sources[index]]]]:
            count += openings(rules, position, seat, sources[index])
        else:
            count += _count(rules, position, seat, position.piece_at[sources[index]])
    return count


cdef bint follow(const Rules *rules, const Position *position, uint8_t seat, Replies *replies) noexcept nogil:
    """Count the moves of a seat, and note which squares the moves of its sliders depend on.

    False where it has too many of them; pieces that go otherwise than along rays are none.
    """
    cdef Survey board
    cdef uint8_t sources[256]
    cdef int index
    cdef uint8_t square, kind
    replies.total = replies.sliders = 0
    memset(replies.through, 0, rules.squares * sizeof(uint64_t))
    memset(replies.steps, 0, rules.squares * sizeof(uint64_t))
    survey(rules, position, seat, &board)
    for index in range(movers(rules, position, &board, seat, False, sources)):
        square = sources[index]
        kind = position.kind[position.piece_at[square]]
        if rules.walker[seat][kind]:
            replies.total += openings(rules, position, seat, square)
        elif rules.pattern[seat][kind]:
            if replies.sliders == MOST_SLIDERS:
                return False
            _follow_slider(rules, position, seat, position.piece_at[square], replies)
    return True


cdef inline void _follow_slider(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t piece, Replies *replies
) noexcept nogil:
    cdef uint64_t bit = <uint64_t>1 << replies.sliders
    cdef const uint8_t *reach = _reach(rules, position, seat, piece)
    cdef int left = reach[0], step, count = 0
    for step in range(1, left + 1):
        replies.steps[reach[step]] |= bit
        count += admits(rules, position, seat, reach[step])
    reach += left + 1
    left = reach[0]
    reach += 1
    while left:
        left -= 1
        step = 1
        while step < reach[0] and position.seat_at[reach[step]] == 0:
            replies.through[reach[step]] |= bit
            step += 1
        replies.through[reach[step]] |= bit
        count += step - 1 + admits(rules, position, seat, reach[step])
        reach += reach[0] + 1
    replies.through[position.square[piece]] |= bit
    replies.slider[replies.sliders] = piece
    replies.moves[replies.sliders] = <uint8_t>count
    replies.sliders += 1
    replies.total += count


cdef inline int _recount(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t piece, uint64_t *through
) noexcept nogil:
    """The moves of a slider; adds the squares that they depend on to a set."""
    cdef const uint8_t *reach = _reach(rules, position, seat, piece)
    cdef int left = reach[0], step, count = 0
    for step in range(1, left + 1):
        count += admits(rules, position, seat, reach[step])
    reach += left + 1
    left = reach[0]
    reach += 1
    while left:
        left -= 1
        step = 1
        while step < reach[0] and position.seat_at[reach[step]] == 0:
            add(through, reach[step])
            step += 1
        add(through, reach[step])
        count += step - 1 + admits(rules, position, seat, reach[step])
        reach += reach[0] + 1
    return count


cdef inline int _walkers_beside(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t square
) noexcept nogil:
    """How many walkers of a seat stand next to a square that holds none of its pieces."""
    cdef const uint8_t *walker = rules.walker[seat]
    cdef int side, count = 0
    cdef uint8_t beside
    for side in range(4):
        beside = rules.beside[square][side]
        count += (position.seat_at[beside] == seat) & (walker[position.kind[position.piece_at[beside]]] != 0)
    return count


cdef void shift(Position *position, uint8_t source, uint8_t target) noexcept nogil:
    """Put the piece on `source` on the empty `target`."""
    cdef uint8_t piece = position.piece_at[source]
    position.seat_at[target] = position.seat_at[source]
    position.seat_at[source] = 0
    position.piece_at[target] = piece
    position.square[piece] = target


cdef void unmoved(const Replies *replies, Revision *revision) noexcept nogil:
    """The moves of a seat as they were followed."""
    revision.total = replies.total
    revision.changed = 0
    memset(revision.through, 0, sizeof(revision.through))


cdef void shift_own(
    const Rules *rules, Position *position, uint8_t seat, const Replies *replies, uint8_t source, uint8_t target,
    Revision *revision,
) noexcept nogil:
    """Move a piece of the seat itself from `source` to the empty `target`, and revise its moves. No camps."""
    cdef uint8_t piece = position.piece_at[source]
    cdef bint walks = rules.walker[seat][position.kind[piece]]
    cdef uint64_t left
    cdef int place, total = replies.total - _walkers_beside(rules, position, seat, target)
    if walks:
        total -= openings(rules, position, seat, source)
    shift(position, source, target)
    # A walker that stays beside both squares of the move counts in both sums.
    total += _walkers_beside(rules, position, seat, source)
    if walks:
        total += openings(rules, position, seat, target)
    unmoved(replies, revision)
    left = replies.through[source] | replies.through[target] | replies.steps[source] | replies.steps[target]
    revision.changed = left
    while left:
        place = lowest(left)
        left &= left - 1
        revision.moves[place] = <uint8_t>_recount(rules, position, seat, replies.slider[place], revision.through)
        total += revision.moves[place] - replies.moves[place]
    revision.total = total


cdef int replies_after(
    const Rules *rules, Position *position, uint8_t seat, const Replies *replies, const Revision *revision,
    uint8_t source, uint8_t target,
) noexcept nogil:
    """How many moves the seat would have after a move of its enemy from `source` to the empty `target`.

    For squares that admit an enemy's piece as they admit nobody: no camps. The position is as before afterwards.
    """
    cdef uint64_t touched = (replies.through[source] | replies.through[target]) & ~revision.changed
    cdef int place, total = revision.total
    if contains(revision.through, source) or contains(revision.through, target):
        touched |= revision.changed
    if touched == 0:
        return total
    position.seat_at[target] = position.seat_at[source]
    position.seat_at[source] = 0
    while touched:
        place = lowest(touched)
        touched &= touched - 1
        total += _count(rules, position, seat, replies.slider[place])
        total -= revision.moves[place] if revision.changed >> place & 1 else replies.moves[place]
    position.seat_at[source] = position.seat_at[target]
    position.seat_at[target] = 0
    return total


cdef int replies_after_battle(
    const Rules *rules, const Position *position, const Position *after, uint8_t seat, const Replies *replies,
    const Revision *revision, uint8_t source, uint8_t target,
) noexcept nogil:
    """How many moves the seat has in `after`, where its enemy has moved from `source` against its piece on `target`.

    For moves that change nothing on any third square. No camps.
    """
    cdef uint8_t piece = position.piece_at[target]
    cdef uint64_t touched = replies.through[source] | replies.through[target] | replies.steps[target]
    cdef int place, total = revision.total
    if after.square[piece] == OFF:
        if rules.walker[seat][position.kind[piece]]:
            total -= openings(rules, position, seat, target)
        total += _walkers_beside(rules, after, seat, target)
    touched |= revision.changed
    while touched:
        place = lowest(touched)
        touched &= touched - 1
        total -= revision.moves[place] if revision.changed >> place & 1 else replies.moves[place]
        if after.square[replies.slider[place]] != OFF:
            total += _count(rules, after, seat, replies.slider[place])
    return total
