# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""Which moves are legal: reach along rays, what a square admits, and the restrictions on repeated moves.

Legality depends on public occupancy, public history and the mover's own kinds alone, so a refusal tells nothing.
"""

from libc.stdint cimport int16_t
from libc.string cimport memcpy, memset

from engine_core.tables cimport NONE


cdef inline bint admits(const Rules *rules, const Position *position, uint8_t seat, uint8_t square) noexcept nogil:
    """Whether a piece of `seat` may end its move on `square`."""
    return rules.admits[seat][rules.camp[square]][position.seat_at[square]]


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


cdef inline const uint8_t *reach_of(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t piece
) noexcept nogil:
    return rules.stream + rules.reach_at[rules.pattern[seat][position.kind[piece]]][position.square[piece]]


cdef inline int moves_of(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t piece, uint16_t *moves
) noexcept nogil:
    """Moves of one piece on the board, before restrictions; returns how many."""
    cdef uint8_t targets[256]
    cdef const uint8_t *reach = reach_of(rules, position, seat, piece)
    cdef int left = reach[0], length, step, count = 0
    cdef uint16_t base = <uint16_t>(position.square[piece] << 8)
    for step in range(1, left + 1):
        # Written always and counted if legal: there is nothing to mispredict.
        moves[count] = base | reach[step]
        count += admits(rules, position, seat, reach[step])
    reach += left + 1
    left = reach[0]
    reach += 1
    while left:
        left -= 1
        length = reach[0]
        for step in range(1, length + 1):
            moves[count] = base | reach[step]
            if position.seat_at[reach[step]] != 0:
                count += admits(rules, position, seat, reach[step])
                break
            count += 1
        reach += length + 1
    if rules.beyond_rays:
        left = beyond_rays(rules, position, seat, piece, reach, targets)
        for step in range(left):
            moves[count + step] = base | targets[step]
        count += left
    return count


cdef inline int count_of(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t piece
) noexcept nogil:
    """How many moves `moves_of` would give."""
    cdef uint8_t targets[256]
    cdef const uint8_t *reach = reach_of(rules, position, seat, piece)
    cdef int left = reach[0], length, step, count = 0
    for step in range(1, left + 1):
        count += admits(rules, position, seat, reach[step])
    reach += left + 1
    left = reach[0]
    reach += 1
    while left:
        left -= 1
        length = reach[0]
        for step in range(1, length + 1):
            if position.seat_at[reach[step]] != 0:
                count += admits(rules, position, seat, reach[step])
                break
            count += 1
        reach += length + 1
    if rules.beyond_rays:
        count += beyond_rays(rules, position, seat, piece, reach, targets)
    return count


cdef inline bint piece_can_move(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t piece
) noexcept nogil:
    cdef uint8_t targets[256]
    cdef const uint8_t *reach = reach_of(rules, position, seat, piece)
    cdef int left = reach[0], step, count = 0
    for step in range(1, left + 1):
        count += admits(rules, position, seat, reach[step])
    if count:
        return True
    reach += left + 1
    left = reach[0]
    reach += 1
    while left:
        left -= 1
        if admits(rules, position, seat, reach[1]):
            return True
        reach += reach[0] + 1
    return rules.beyond_rays and beyond_rays(rules, position, seat, piece, reach, targets) > 0


cdef int openings(const Rules *rules, const Position *position, uint8_t seat, uint8_t square) noexcept nogil:
    """How many orthogonal neighbours of `square` a piece of `seat` may go to."""
    cdef const uint8_t *neighbours = rules.stream + rules.neighbours_at[square]
    cdef int step, count = 0
    for step in range(1, neighbours[0] + 1):
        count += admits(rules, position, seat, neighbours[step])
    return count


cdef void count_freedom(const Rules *rules, Position *position) noexcept nogil:
    """Set position.freedom afresh; from then on the referee keeps it."""
    cdef uint8_t seat
    cdef int piece
    for seat in range(1, rules.seats + 1):
        position.freedom[seat] = 0
        for piece in range(position.first[seat], position.first[seat + 1]):
            if position.square[piece] != NONE and rules.walker[seat][position.kind[piece]]:
                position.freedom[seat] += <int16_t>openings(rules, position, seat, position.square[piece])


cdef void list_rovers(const Rules *rules, const Position *position, Rovers *rovers) noexcept nogil:
    """List the rovers of all seats; they stay the same for a whole match."""
    cdef uint8_t seat, kind
    cdef int piece
    for seat in range(1, rules.seats + 1):
        rovers.count[seat] = 0
        for piece in range(position.first[seat], position.first[seat + 1]):
            kind = position.kind[piece]
            if rules.pattern[seat][kind] and not rules.walker[seat][kind]:
                rovers.piece[seat][rovers.count[seat]] = <uint8_t>piece
                rovers.count[seat] += 1


cdef bint can_move(const Rules *rules, const Position *position, uint8_t seat) noexcept nogil:
    """Whether a seat has a move, restrictions aside, whoever is to move."""
    cdef int piece
    if position.freedom[seat]:
        return True
    for piece in range(position.first[seat], position.first[seat + 1]):
        if position.square[piece] != NONE and piece_can_move(rules, position, seat, <uint8_t>piece):
            return True
    return False


cdef int count_legal_moves(
    const Rules *rules, const Position *position, const History *history, const Rovers *rovers
) noexcept nogil:
    """How many legal moves the seat to move has. `rovers` are those of the match."""
    cdef uint8_t seat = position.to_move
    cdef uint8_t rover
    cdef uint16_t moves[256]
    cdef int piece, index, count = 0
    if rules.two_squares or rules.more_squares:
        for piece in range(position.first[seat], position.first[seat + 1]):
            if position.square[piece] != NONE:
                count += _drop_barred(
                    rules, position, history, moves, moves_of(rules, position, seat, <uint8_t>piece, moves)
                )
        return count
    count = position.freedom[seat]
    for index in range(rovers.count[seat]):
        rover = rovers.piece[seat][index]
        if position.square[rover] != NONE:
            count += count_of(rules, position, seat, rover)
    return count


cdef int moves_of_piece(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t piece, uint16_t *moves
) noexcept nogil:
    """Moves of one piece on the board, restrictions aside; returns how many, at most 254."""
    return moves_of(rules, position, seat, piece, moves)


cdef int count_rover_moves(
    const Rules *rules, const Position *position, const Rovers *rovers, uint8_t seat, uint8_t *counts
) noexcept nogil:
    """The moves of each rover of a seat, restrictions aside, in the order of `rovers`; returns their sum."""
    cdef int index, total = 0
    cdef uint8_t rover
    for index in range(rovers.count[seat]):
        rover = rovers.piece[seat][index]
        counts[index] = 0 if position.square[rover] == NONE else <uint8_t>count_of(rules, position, seat, rover)
        total += counts[index]
    return total


cdef int count_and_trace(
    const Rules *rules, const Position *position, const Rovers *rovers, uint8_t seat, uint8_t *traced
) noexcept nogil:
    """How many moves a seat would have, restrictions aside; traced[square] says where its lines run, or are blocked.

    While an enemy leaves and enters only squares that are not traced, without a battle, this number stays the same.
    """
    cdef const uint8_t *reach
    cdef int index, left, length, step, count = position.freedom[seat]
    cdef uint8_t rover
    memset(traced, 0, 256)
    for index in range(rovers.count[seat]):
        rover = rovers.piece[seat][index]
        if position.square[rover] == NONE:
            continue
        reach = reach_of(rules, position, seat, rover)
        left = reach[0]
        for step in range(1, left + 1):
            count += admits(rules, position, seat, reach[step])
        reach += left + 1
        left = reach[0]
        reach += 1
        while left:
            left -= 1
            length = reach[0]
            for step in range(1, length + 1):
                traced[reach[step]] = 1
                if position.seat_at[reach[step]] != 0:
                    count += admits(rules, position, seat, reach[step])
                    break
                count += 1
            reach += length + 1
    return count


cdef int legal_moves(
    const Rules *rules, const Position *position, const History *history, uint16_t *moves
) noexcept nogil:
    """All moves of the seat to move, in the order of its pieces; returns how many. `moves` holds rules.max_moves."""
    cdef uint8_t seat = position.to_move
    cdef int piece, count = 0
    for piece in range(position.first[seat], position.first[seat + 1]):
        if position.square[piece] != NONE:
            count += moves_of(rules, position, seat, <uint8_t>piece, moves + count)
    if rules.two_squares or rules.more_squares:
        count = _drop_barred(rules, position, history, moves, count)
    return count


cdef bint has_legal_move(const Rules *rules, const Position *position, const History *history) noexcept nogil:
    """Whether the seat to move has a legal move."""
    cdef uint8_t seat = position.to_move
    cdef uint16_t moves[256]
    cdef int piece, count
    if not (rules.two_squares or rules.more_squares):
        return can_move(rules, position, seat)
    for piece in range(position.first[seat], position.first[seat + 1]):
        if position.square[piece] != NONE:
            count = moves_of(rules, position, seat, <uint8_t>piece, moves)
            if _drop_barred(rules, position, history, moves, count) > 0:
                return True
    return False


cdef bint is_legal(
    const Rules *rules, const Position *position, const History *history, uint8_t source, uint8_t target
) noexcept nogil:
    """Whether the seat to move may move from `source` to `target`; both are squares of the board."""
    cdef uint8_t seat = position.to_move
    cdef uint16_t move = <uint16_t>(source << 8 | target)
    if position.seat_at[source] != seat:
        return False
    if not reaches(
        rules, position, rules.pattern[seat][position.kind[position.piece_at[source]]], seat, source, target
    ):
        return False
    if rules.two_squares or rules.more_squares:
        return _drop_barred(rules, position, history, &move, 1) == 1
    return True


cdef bint reaches(
    const Rules *rules, const Position *position, uint8_t pattern, uint8_t seat, uint8_t source, uint8_t target
) noexcept nogil:
    """Whether a piece of `pattern` and `seat` could go from `source` to `target`, restrictions aside."""
    cdef const uint8_t *reach = rules.stream + rules.reach_at[pattern][source]
    cdef int left = reach[0], length, step
    for step in range(1, left + 1):
        if reach[step] == target:
            return admits(rules, position, seat, target)
    reach += left + 1
    left = reach[0]
    reach += 1
    while left:
        left -= 1
        length = reach[0]
        for step in range(1, length + 1):
            if reach[step] == target:
                return admits(rules, position, seat, target)
            if position.seat_at[reach[step]] != 0:
                break
        reach += length + 1
    if rules.beyond_rays:
        return _reaches_beyond_rays(rules, position, pattern, seat, source, target, reach)
    return False


cdef bint _reaches_beyond_rays(
    const Rules *rules,
    const Position *position,
    uint8_t pattern,
    uint8_t seat,
    uint8_t source,
    uint8_t target,
    const uint8_t *reach,
) noexcept nogil:
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


cdef bint adjacent(const Rules *rules, uint8_t square, uint8_t other) noexcept nogil:
    """Whether two squares are orthogonal neighbours."""
    cdef const uint8_t *neighbours = rules.stream + rules.neighbours_at[square]
    cdef int step
    for step in range(1, neighbours[0] + 1):
        if neighbours[step] == other:
            return True
    return False


cdef bint touches_enemy(const Rules *rules, const Position *position, uint8_t seat, uint8_t square) noexcept nogil:
    """Whether a piece of another side stands orthogonally next to `square`."""
    cdef const uint8_t *neighbours = rules.stream + rules.neighbours_at[square]
    cdef int step
    cdef uint8_t other
    for step in range(1, neighbours[0] + 1):
        other = position.seat_at[neighbours[step]]
        if other != 0 and rules.team[other] != rules.team[seat]:
            return True
    return False


cdef int _drop_barred(
    const Rules *rules, const Position *position, const History *history, uint16_t *moves, int count
) noexcept nogil:
    """Remove the moves that the restrictions bar; the rest keep their order. Returns how many are left."""
    cdef int index, kept = 0
    cdef uint8_t source, target
    cdef bint chasing = rules.more_squares and position.chase[position.to_move] >= 0
    for index in range(count):
        source, target = moves[index] >> 8, moves[index] & 255
        if rules.two_squares and _crosses_again(rules, position, source, target):
            continue
        if chasing and _repeats_chase(rules, position, history, source, target):
            continue
        moves[kept] = moves[index]
        kept += 1
    return kept


cdef bint _crosses_again(
    const Rules *rules, const Position *position, uint8_t source, uint8_t target
) noexcept nogil:
    """Two squares: would the move cross a border that the piece crossed with each of the seat's last moves?

    A border is named by the lower of its two places along the line of the move.
    """
    cdef uint8_t seat = position.to_move
    cdef const uint8_t *across = &rules.rank_of[0]
    cdef const uint8_t *along = &rules.file_of[0]
    cdef uint8_t start, end, here = source
    cdef int low, high, index
    if position.recent_count[seat] < rules.two_squares:
        return False
    if rules.file_of[source] == rules.file_of[target]:
        across = &rules.file_of[0]
        along = &rules.rank_of[0]
    low, high = min(along[source], along[target]), max(along[source], along[target])
    for index in range(rules.two_squares - 1, -1, -1):
        start, end = position.recent[seat][index] >> 8, position.recent[seat][index] & 255
        # The piece is followed back through the seat's own moves: each must end where the next begins.
        if end != here or across[start] != across[source]:
            return False
        low = max(low, min(along[start], along[end]))
        high = min(high, max(along[start], along[end]))
        here = start
    return low < high


cdef bint _repeats_chase(
    const Rules *rules, const Position *position, const History *history, uint8_t source, uint8_t target
) noexcept nogil:
    """More squares: would the move threaten again and bring back a board of its seat's chase?"""
    cdef uint8_t seat = position.to_move
    cdef uint8_t board[256]
    cdef uint8_t mover, start, end
    cdef int differing, length = history.length
    if position.seat_at[target] != 0:
        return False
    # Straight back to where the piece that moved last came from is always allowed.
    if length >= 2 and history.moves[length - 2] == <uint16_t>(target << 8 | source):
        return False
    if not touches_enemy(rules, position, seat, target):
        return False
    # Walk back through the boards of the chase, counting the squares where each differs from the board to come.
    memcpy(board, position.seat_at, 256)
    differing = 2  # the board of now has the piece on `source` still, and not on `target`
    while True:
        if differing == 0:
            return True
        if length == position.chase[seat]:
            return False
        length -= 1
        start, end = history.moves[length] >> 8, history.moves[length] & 255
        mover = board[end]
        differing += _change(board, position, seat, source, target, end, 0)
        differing += _change(board, position, seat, source, target, start, mover)


cdef inline int _change(
    uint8_t *board,
    const Position *position,
    uint8_t seat,
    uint8_t source,
    uint8_t target,
    uint8_t square,
    uint8_t occupant,
) noexcept nogil:
    """Put `occupant` on a square of an earlier board; by how much does its difference from the wanted board change?"""
    cdef uint8_t wanted = 0 if square == source else seat if square == target else position.seat_at[square]
    cdef int before = board[square] != wanted
    board[square] = occupant
    return <int>(occupant != wanted) - before
