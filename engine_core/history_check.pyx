# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The checks on the moves that a state carries for repetition, for its last moves and for a chase."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memcpy

from engine_core.integrity cimport mover_of, pieces_of, taking_turns
from engine_core.moves cimport adjacent, reaches, touches_enemy
from engine_core.state cimport MARK_MOVED, OFF
from engine_core.tables cimport NONE


cdef const char *history_fault(
    const Rules *rules, const Position *position, const Evidence *evidence, const History *history
) noexcept nogil:
    """NULL when the last moves and the history fit the position; otherwise "REASON: text"."""
    cdef const char *fault = _recent(rules, position)
    if fault == NULL and rules.keeps_history:
        fault = _taken_back(rules, position, evidence, history)
    return fault


cdef const char *_taken_back(
    const Rules *rules, const Position *position, const Evidence *evidence, const History *history
) noexcept nogil:
    """Take the moves of the history back one by one: each must have been possible, by the seat whose turn it was."""
    cdef Position board
    cdef int index, piece
    cdef uint8_t source, target, mover
    cdef uint16_t last = <uint16_t>(position.last_source << 8 | position.last_target)
    if rules.occurrences and not rules.more_squares and <uint32_t>history.length != position.quiet:
        return b"STATE_HISTORY: its length is not the number of quiet plies"
    if <uint32_t>history.length > position.quiet:
        return b"STATE_HISTORY: longer than the quiet plies"
    if history.length and history.moves[history.length - 1] != last:
        return b"STATE_HISTORY: it does not end with the last move"
    memcpy(&board, position, sizeof(Position))
    for index in range(history.length - 1, -1, -1):
        source, target = history.moves[index] >> 8, history.moves[index] & 255
        mover = board.seat_at[target]
        if mover == 0 or board.seat_at[source] != 0:
            return b"STATE_HISTORY: a move that cannot be taken back"
        if taking_turns(rules) and mover != mover_of(
            rules, position, position.ply - <uint32_t>(history.length - 1 - index)
        ):
            return b"STATE_HISTORY: a move out of turn"
        piece = board.piece_at[target]
        if not evidence.marks[piece] & MARK_MOVED:
            return b"STATE_HISTORY: a move of a piece that has never moved"
        board.seat_at[target] = 0
        board.seat_at[source] = mover
        board.piece_at[source] = <uint8_t>piece
        board.square[piece] = source
        if not reaches(rules, &board, rules.pattern[mover][board.kind[piece]], mover, source, target):
            return b"STATE_HISTORY: a move that its piece could not make"
    if <uint32_t>history.length == position.ply:
        for piece in range(pieces_of(position)):
            if board.square[piece] != OFF and board.square[piece] != evidence.start[piece]:
                return b"STATE_HISTORY: it does not lead back to the start"
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


cdef const char *_recent(const Rules *rules, const Position *position) noexcept nogil:
    cdef uint8_t seat, last = 0
    cdef int count
    cdef uint32_t made
    if not rules.two_squares:
        return NULL
    for seat in range(1, rules.seats + 1):
        count = position.recent_count[seat]
        if count and position.recent[seat][count - 1] == <uint16_t>(position.last_source << 8 | position.last_target):
            last = seat
        if taking_turns(rules):
            made = position.ply // rules.seats
            if position.ply % rules.seats > <uint32_t>((seat + rules.seats - position.first_seat) % rules.seats):
                made += 1
            if <uint32_t>count != min(made, <uint32_t>rules.two_squares):
                return b"STATE_HISTORY: more or fewer last moves than were made"
    if position.ply and last == 0:
        return b"STATE_HISTORY: the last move is missing among the last moves of the seats"
    return NULL
