"""Applying moves and finding out whether a match has ended."""

from libc.stdint cimport uint8_t

from engine_core.state cimport History, Position
from engine_core.tables cimport MAX_SEATS, NONE, ROLE_BORROWS, Rules

cdef struct Outcome:
    # What a move did. Pieces and squares are as before it.
    uint8_t battle  # BattleOutcome, 0 for none
    uint8_t attacker  # pieces, where there was a battle
    uint8_t defender
    uint8_t support  # the defender's side's piece right behind it, or NONE; where kinds borrow strength
    uint8_t captured
    uint8_t captured_piece[255]
    uint8_t captured_square[255]
    bint survives  # the moved piece is still on the board
    bint lapsed  # a draw offer
    bint claimed
    uint8_t passed[MAX_SEATS]
    uint8_t passes
    uint8_t eliminated[MAX_SEATS]
    uint8_t cause[MAX_SEATS]
    uint8_t eliminations

cdef void clear_outcome(Outcome *outcome) noexcept nogil
cdef void apply_move(
    const Rules *rules, Position *position, History *history, uint8_t source, uint8_t target, Outcome *outcome
) noexcept nogil
cdef void begin_play(const Rules *rules, Position *position, History *history, Outcome *outcome) noexcept nogil
cdef void leave(
    const Rules *rules, Position *position, History *history, uint8_t seat, uint8_t cause, Outcome *outcome
) noexcept nogil
cdef void finish(Position *position, uint8_t winners, uint8_t reason) noexcept nogil
cdef uint8_t side_of(const Rules *rules, uint8_t team) noexcept nogil


cdef inline uint8_t battle_outcome(
    const Rules *rules, const Position *position, uint8_t attacker, uint8_t defender, uint8_t support
) noexcept nogil:
    """What the kinds decide; a defender that borrows fights as the piece behind it."""
    if rules.role[position.kind[defender]] & ROLE_BORROWS and support != NONE:
        return rules.outcome[position.kind[attacker]][position.kind[support]]
    return rules.outcome[position.kind[attacker]][position.kind[defender]]
