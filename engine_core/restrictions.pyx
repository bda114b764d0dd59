# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""The restrictions on repeated moves: two squares and more squares."""

from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from engine_core.adjacency cimport touches_enemy


cdef int drop_barred(
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
