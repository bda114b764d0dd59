# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""The checks on the moves that a state carries for repetition, for its last moves and for a chase."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport qsort
from libc.string cimport memcpy, memset

from engine_core.adjacency cimport adjacent, touches_enemy
from engine_core.custodial cimport captures_around
from engine_core.endings cimport occurrences
from engine_core.integrity cimport mover_of, moves_made, pieces_of, take_back, taking_turns
from engine_core.moves cimport kinds_that_reach
from engine_core.state cimport MARK_MOVED, OFF
from engine_core.tables cimport MAX_HISTORY, NONE


cdef const char *history_fault(
    const Rules *rules, const Position *position, const Evidence *evidence, const History *history
) noexcept nogil:
    """NULL when the last moves and the history fit the position; otherwise "REASON: text"."""
    cdef const char *fault = NULL
    if rules.two_squares:
        fault = _recent(rules, position, evidence, history)
    if fault == NULL and rules.keeps_history:
        fault = _history(rules, position, evidence, history)
    return fault


cdef const char *_take_back_checked(
    const Rules *rules, Position *board, const Evidence *evidence, uint16_t move, uint32_t ply
) noexcept nogil:
    """Take the move of a ply back on `board`, if the right seat could make it and captured nothing with it."""
    cdef uint8_t source = move >> 8, target = move & 255
    cdef uint8_t mover = board.seat_at[target]
    cdef uint8_t piece
    cdef uint8_t taken[255]
    if mover == 0 or board.seat_at[source] != 0:
        return b"STATE_HISTORY: a move that cannot be taken back"
    if taking_turns(rules) and mover != mover_of(rules, board, ply):
        return b"STATE_HISTORY: a move out of turn"
    if not evidence.marks[board.piece_at[target]] & MARK_MOVED:
        return b"STATE_HISTORY: a move of a piece that has never moved"
    if rules.custodial and captures_around(rules, board, mover, target, taken):
        return b"STATE_HISTORY: a quiet move that would have captured"
    take_back(board, source, target)
    piece = board.piece_at[source]
    if evidence.movement[piece] != kinds_that_reach(rules, board, mover, source, target, evidence.movement[piece]):
        return b"STATE_HISTORY: a move that its piece, or a kind that it may be, could not make"
    return NULL


cdef inline uint64_t _key(uint8_t square, uint8_t seat) noexcept nogil:
    """A number for a seat on a square; a board is the exclusive or of its own. SplitMix64's finalizer."""
    cdef uint64_t value = (<uint64_t>square << 8 | seat) * <uint64_t>0x9E3779B97F4A7C15
    value = (value ^ (value >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    value = (value ^ (value >> 27)) * <uint64_t>0x94D049BB133111EB
    return value ^ (value >> 31)


cdef int _ascending(const void *first, const void *second) noexcept nogil:
    cdef uint64_t one = (<const uint64_t *>first)[0], other = (<const uint64_t *>second)[0]
    return (one > other) - (one < other)


cdef void _mark_repeated(
    const Rules *rules, const Position *position, const History *history, uint8_t *often
) noexcept nogil:
    """Mark the latest board before a move that seems to have stood too often; the exact count is the caller's.

    Boards are compared by keys, so that a long history takes no time that grows with its square.
    """
    cdef uint8_t board[256]
    cdef uint64_t keys[MAX_HISTORY + 1]
    cdef uint64_t sorted_keys[MAX_HISTORY + 1]
    cdef uint64_t key = 0
    cdef uint8_t source, target, mover
    cdef int index, run = 1
    memcpy(board, position.seat_at, 256)
    for index in range(history.length - 1, -1, -1):
        source, target = history.moves[index] >> 8, history.moves[index] & 255
        mover = board[target]
        board[target], board[source] = 0, mover
        key ^= _key(source, mover) ^ _key(target, mover)
        keys[index] = sorted_keys[index] = key ^ _key(NONE, mover)
    qsort(sorted_keys, history.length, sizeof(uint64_t), _ascending)
    for index in range(1, history.length):
        run = run + 1 if sorted_keys[index] == sorted_keys[index - 1] else 1
        if run == rules.occurrences:
            key = sorted_keys[index]
            break
    else:
        return
    for index in range(history.length - 1, -1, -1):
        if keys[index] == key:
            often[index] = 1
            return


cdef const char *_starts(const Position *board, const Evidence *evidence, const uint8_t *moved) noexcept nogil:
    """All moves have been taken back: every piece is where it started, and those that have moved are in the moves."""
    cdef int piece
    for piece in range(pieces_of(board)):
        if board.square[piece] != OFF and board.square[piece] != evidence.start[piece]:
            return b"STATE_HISTORY: the moves do not lead back to the start"
        if evidence.marks[piece] & MARK_MOVED and not moved[piece]:
            return b"STATE_HISTORY: a piece has moved, but is in none of the moves"
    return NULL


cdef const char *_history(
    const Rules *rules, const Position *position, const Evidence *evidence, const History *history
) noexcept nogil:
    """Take the moves of the history back one by one."""
    cdef Position board
    cdef const char *fault
    cdef uint8_t moved[256]
    cdef uint8_t often[MAX_HISTORY + 1]
    cdef int index
    cdef uint16_t last = <uint16_t>(position.last_source << 8 | position.last_target)
    if rules.occurrences and not rules.more_squares and <uint32_t>history.length != position.quiet:
        return b"STATE_HISTORY: its length is not the number of quiet plies"
    if <uint32_t>history.length > position.quiet:
        return b"STATE_HISTORY: longer than the quiet plies"
    if history.length and history.moves[history.length - 1] != last:
        return b"STATE_HISTORY: it does not end with the last move"
    memcpy(&board, position, sizeof(Position))
    memset(moved, 0, sizeof(moved))
    memset(often, 0, history.length)
    if rules.occurrences:
        _mark_repeated(rules, position, history, often)
    for index in range(history.length - 1, -1, -1):
        moved[board.piece_at[history.moves[index] & 255]] = 1
        fault = _take_back_checked(
            rules, &board, evidence, history.moves[index], position.ply - <uint32_t>(history.length - 1 - index)
        )
        if fault != NULL:
            return fault
        board.to_move = board.seat_at[history.moves[index] >> 8]
        if often[index] and occurrences(&board, history.moves, index) >= rules.occurrences:
            return b"STATE_HISTORY: a repetition had been reached, and the match went on"
    if <uint32_t>history.length == position.ply:
        fault = _starts(&board, evidence, moved)
        if fault != NULL:
            return fault
    if rules.more_squares:
        return _chases(rules, position, &board, history)
    return NULL


cdef const char *_chases(
    const Rules *rules, const Position *position, Position *board, const History *history
) noexcept nogil:
    """Play the moves of the chase again from its first board and compare since when each seat has been chasing."""
    cdef int index, oldest = -1
    cdef int chase[3]
    cdef uint8_t seat, source, target, arrived = NONE
    for seat in range(1, 3):
        if position.chase[seat] < -1 or position.chase[seat] > history.length:
            return b"STATE_HISTORY: a chase that began outside the history"
        chase[seat] = -1
        if position.chase[seat] == 0:
            if oldest > 0:
                return b"STATE_HISTORY: two chases that began with one move"
            oldest = seat
            chase[seat] = 0
    if oldest < 0:
        if history.length or position.chase[1] >= 0 or position.chase[2] >= 0:
            return b"STATE_HISTORY: moves are kept, but no chase began with them"
        return NULL
    if history.length == 0:
        if position.ply == 0 or position.seat_at[position.last_target] != oldest:
            return b"STATE_HISTORY: a chase without a threat"
        if not touches_enemy(rules, position, <uint8_t>oldest, position.last_target):
            return b"STATE_HISTORY: a chase without a threat"
    for index in range(history.length):
        source, target = history.moves[index] >> 8, history.moves[index] & 255
        seat = board.seat_at[source]
        if index == 0:
            # The square of the first threat is not kept: some piece of the chaser must stand beside the evading one.
            if seat == oldest or not touches_enemy(rules, board, seat, source):
                return b"STATE_HISTORY: a chase that nobody evaded"
        elif chase[3 - seat] >= 0 and not adjacent(rules, source, arrived):
            chase[3 - seat] = -1
        board.seat_at[source] = 0
        board.seat_at[target] = seat
        if not touches_enemy(rules, board, seat, target):
            chase[seat] = -1
        elif chase[seat] < 0:
            chase[seat] = index + 1
        if chase[oldest] < 0 and index < history.length:
            return b"STATE_HISTORY: moves are kept from before the chase"
        arrived = target
    if chase[1] != position.chase[1] or chase[2] != position.chase[2]:
        return b"STATE_HISTORY: the chases are not those of the moves"
    return NULL


cdef const char *_recent(
    const Rules *rules, const Position *position, const Evidence *evidence, const History *history
) noexcept nogil:
    """Each seat has the last moves that it must have, and those since the last battle can be taken back in turn."""
    cdef Position board
    cdef const char *fault
    cdef uint8_t seat
    cdef uint8_t moved[256]
    cdef uint32_t left[5]
    cdef int kept = history.length if rules.keeps_history else 0
    cdef uint32_t back = 0
    cdef uint16_t move
    for seat in range(1, rules.seats + 1):
        left[seat] = position.recent_count[seat]
        if left[seat] > moves_made(rules, position, seat):
            return b"STATE_HISTORY: more last moves than were made"
        if taking_turns(rules) and left[seat] < rules.two_squares and left[seat] != moves_made(rules, position, seat):
            return b"STATE_HISTORY: fewer last moves than were made"
    if not taking_turns(rules) or position.ply == 0:
        return NULL
    seat = mover_of(rules, position, position.ply)
    if position.recent[seat][left[seat] - 1] != <uint16_t>(position.last_source << 8 | position.last_target):
        return b"STATE_HISTORY: the last move is not among the last moves of its seat"
    memcpy(&board, position, sizeof(Position))
    memset(moved, 0, sizeof(moved))
    while back < position.quiet:
        seat = mover_of(rules, position, position.ply - back)
        if left[seat] == 0:
            break
        left[seat] -= 1
        move = position.recent[seat][left[seat]]
        if kept and move != history.moves[kept - 1]:
            return b"STATE_HISTORY: the last moves are not those of the chase"
        kept = max(kept - 1, 0)
        moved[board.piece_at[move & 255]] = 1
        fault = _take_back_checked(rules, &board, evidence, move, position.ply - back)
        if fault != NULL:
            return fault
        back += 1
    return _starts(&board, evidence, moved) if back == position.ply else NULL
