"""Public evidence about pieces."""

from libc.stdint cimport uint8_t

from engine_core.referee cimport Outcome
from engine_core.state cimport MARK_NAMED, MARK_SHOWN, Evidence, Position
from engine_core.tables cimport REVEAL_NONE, REVEAL_SHOWN, Rules

cdef void record(
    const Rules *rules, const Position *before, const Position *after, Evidence *evidence, const Outcome *outcome
) noexcept nogil
cdef void note_passes(
    const Rules *rules, const Position *after, Evidence *evidence, const Outcome *outcome
) noexcept nogil
cdef void note_turn(const Rules *rules, const Position *position, Evidence *evidence, uint8_t seat) noexcept nogil
cdef uint8_t show_heralded(
    const Rules *rules, const Position *position, Evidence *evidence, uint8_t attacker, uint8_t defender, uint8_t battle
) noexcept nogil
cdef void note_heralds(const Rules *rules, const Position *position, Evidence *evidence) noexcept nogil


cdef inline uint8_t mark_battle(
    const Rules *rules, const Position *position, Evidence *evidence, uint8_t attacker, uint8_t defender, uint8_t battle
) noexcept nogil:
    """Mark the pieces of a battle as the reveal policy says, and those that the removal of a herald shows.

    A piece that is gone is shown to nobody on a board. Returns which of the two was a herald that showed pieces.
    """
    cdef uint8_t marks = 0
    if rules.reveal != REVEAL_NONE:
        marks = MARK_NAMED
    if rules.reveal == REVEAL_SHOWN:
        marks |= MARK_SHOWN
    evidence.marks[attacker] |= marks
    evidence.marks[defender] |= marks
    return show_heralded(rules, position, evidence, attacker, defender, battle) if rules.heralds else 0
