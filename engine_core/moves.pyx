# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""Which moves are legal: reach along rays, what a square admits, and the restrictions on repeated moves.

Legality depends on public occupancy, public history and the mover's own kinds alone, so a refusal tells nothing.
"""

from libc.stdint cimport uint64_t

from engine_core.adjacency cimport admits
from engine_core.bitboard cimport Survey, contains, lowest, movers, reached, survey
from engine_core.restrictions cimport drop_barred
from engine_core.roads cimport beyond_rays, reaches_beyond_rays
from engine_core.state cimport OFF


cdef inline const uint8_t *reach_of(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t piece
) noexcept nogil:
    return rules.stream + rules.reach_at[rules.pattern[seat][position.kind[piece]]][position.square[piece]]


cdef inline int _listed(const uint64_t *targets, uint8_t source, uint16_t *moves) noexcept nogil:
    """Moves from a square to each of a set, sorted; returns how many."""
    cdef uint64_t left
    cdef int word, count = 0
    for word in range(2):
        left = targets[word]
        while left:
            moves[count] = <uint16_t>(source << 8 | (word << 6 | lowest(left)))
            count += 1
            left &= left - 1
    return count


cdef int _walked(
    const Rules *rules, const Position *position, const Survey *board, uint8_t seat, uint8_t source, uint16_t *moves
) noexcept nogil:
    """Sorted moves of a piece on a square, found square by square, before restrictions; returns how many.

    `moves` has room for one more.
    """
    cdef uint8_t piece = position.piece_at[source]
    cdef const uint8_t *reach = reach_of(rules, position, seat, piece)
    cdef uint16_t base = <uint16_t>(source << 8)
    cdef int left = reach[0], length, step, count = 0
    for step in range(1, left + 1):
        # Written always and counted if legal: there is nothing to mispredict.
        moves[count] = base | reach[step]
        count += contains(board.open_to, reach[step])
    reach += left + 1
    left = reach[0]
    reach += 1
    while left:
        left -= 1
        length = reach[0]
        step = 1
        while step < length and position.seat_at[reach[step]] == 0:
            step += 1
        step -= not contains(board.open_to, reach[step])
        put_moves(moves + count, base, reach + 1, step)
        count += step
        reach += length + 1
    if rules.beyond_rays:
        count += _moves_beyond_rays(rules, position, seat, piece, reach, moves + count)
    sort_moves(moves, count)
    return count


cdef inline void put_moves(uint16_t *moves, uint16_t base, const uint8_t *targets, int count) noexcept nogil:
    cdef int step
    for step in range(count):
        moves[step] = base | targets[step]


cdef int _moves_beyond_rays(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t piece, const uint8_t *reach, uint16_t *moves
) noexcept nogil:
    cdef uint8_t targets[256]
    cdef int count = beyond_rays(rules, position, seat, piece, reach, targets)
    put_moves(moves, <uint16_t>(position.square[piece] << 8), targets, count)
    return count


cdef inline void sort_moves(uint16_t *moves, int count) noexcept nogil:
    """Insertion sort: the moves of a piece come nearly sorted, and are few."""
    cdef int index, place
    cdef uint16_t move
    for index in range(1, count):
        move = moves[index]
        place = index
        while place > 0 and moves[place - 1] > move:
            moves[place] = moves[place - 1]
            place -= 1
        moves[place] = move


cdef inline bint _piece_can_move(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t piece
) noexcept nogil:
    cdef uint8_t targets[256]
    if position.square[piece] == OFF:
        return False
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


cdef bint can_move(const Rules *rules, Position *position, uint8_t seat) noexcept nogil:
    """Whether a seat has a move, restrictions aside, whoever is to move."""
    cdef uint8_t able = position.able[seat]
    cdef int piece
    if position.first[seat] <= able < position.first[seat + 1] and _piece_can_move(rules, position, seat, able):
        return True
    for piece in range(position.first[seat], position.first[seat + 1]):
        if _piece_can_move(rules, position, seat, <uint8_t>piece):
            position.able[seat] = <uint8_t>piece
            return True
    return False


cdef inline int _from(
    const Rules *rules, const Position *position, const Survey *board, uint8_t source, uint16_t *moves
) noexcept nogil:
    """Sorted moves of the piece on a square, before restrictions; returns how many. `moves` has room for one more."""
    cdef uint8_t seat = position.to_move
    cdef uint8_t kind = position.kind[position.piece_at[source]]
    cdef uint8_t pattern = rules.pattern[seat][kind]
    cdef const uint8_t *beside = rules.beside[source]
    cdef uint64_t targets[2]
    cdef int side, count = 0
    if rules.walker[seat][kind]:
        for side in range(4):
            # Written always and counted if legal: there is nothing to mispredict. Its own square admits no piece.
            moves[count] = <uint16_t>(source << 8 | beside[side])
            count += contains(board.open_to, beside[side])
        return count
    if rules.beyond_rays or not rules.has_sets[pattern]:
        return _walked(rules, position, board, seat, source, moves)
    reached(rules, board, pattern, source, targets)
    return _listed(targets, source, moves)


cdef int legal_moves(
    const Rules *rules, const Position *position, const History *history, uint16_t *moves
) noexcept nogil:
    """All moves of the seat to move, sorted; returns how many. `moves` holds rules.max_moves."""
    cdef Survey board
    cdef uint8_t sources[256]
    cdef int index, count = 0
    survey(rules, position, position.to_move, &board)
    for index in range(movers(rules, position, &board, position.to_move, rules.begins_beside, sources)):
        count += _from(rules, position, &board, sources[index], moves + count)
    if rules.two_squares or rules.more_squares:
        count = drop_barred(rules, position, history, moves, count)
    return count


cdef bint has_legal_move(const Rules *rules, Position *position, const History *history) noexcept nogil:
    """Whether the seat to move has a legal move."""
    cdef Survey board
    cdef uint64_t sources
    cdef uint16_t moves[256]
    cdef int word, count
    if not (rules.two_squares or rules.more_squares):
        return can_move(rules, position, position.to_move)
    survey(rules, position, position.to_move, &board)
    for word in range(rules.words):
        sources = board.own[word]
        while sources:
            count = _from(rules, position, &board, <uint8_t>(word << 6 | lowest(sources)), moves)
            if drop_barred(rules, position, history, moves, count) > 0:
                return True
            sources &= sources - 1
    return False


cdef bint is_legal(
    const Rules *rules, const Position *position, const History *history, uint8_t source, uint8_t target
) noexcept nogil:
    """Whether the seat to move may move from `source` to `target`; both are squares of the board."""
    cdef uint8_t seat = position.to_move
    cdef uint8_t kind = position.kind[position.piece_at[source]]
    cdef uint16_t move = <uint16_t>(source << 8 | target)
    cdef const uint8_t *beside = rules.beside[source]
    if position.seat_at[source] != seat:
        return False
    if rules.walker[seat][kind]:
        # Its own square stands for each that is missing, and admits no piece.
        if target != beside[0] and target != beside[1] and target != beside[2] and target != beside[3]:
            return False
        if not admits(rules, position, seat, target):
            return False
    elif not reaches(rules, position, rules.pattern[seat][kind], seat, source, target):
        return False
    if rules.two_squares or rules.more_squares:
        return drop_barred(rules, position, history, &move, 1) == 1
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
        return reaches_beyond_rays(rules, position, pattern, seat, source, target, reach)
    return False


cdef uint32_t kinds_that_reach(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t source, uint8_t target, uint32_t kinds
) noexcept nogil:
    """Those of some kinds of a seat that could go from `source` to `target`, restrictions aside, as a mask."""
    cdef uint32_t able = 0
    cdef uint8_t pattern
    for pattern in range(1, rules.patterns):
        if rules.kinds_of[seat][pattern] & kinds and reaches(rules, position, pattern, seat, source, target):
            able |= rules.kinds_of[seat][pattern]
    return able & kinds
