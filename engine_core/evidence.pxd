"""Public evidence about pieces."""

from libc.stdint cimport uint8_t

from engine_core.referee cimport Outcome
from engine_core.state cimport Evidence, Position
from engine_core.tables cimport Rules

cdef void record(
    const Rules *rules, const Position *before, const Position *after, Evidence *evidence, const Outcome *outcome
) noexcept nogil
cdef void note_passes(
    const Rules *rules, const Position *after, Evidence *evidence, const Outcome *outcome
) noexcept nogil
cdef void note_turn(const Rules *rules, const Position *position, Evidence *evidence, uint8_t seat) noexcept nogil
cdef uint8_t mark_battle(
    const Rules *rules, const Position *position, Evidence *evidence, uint8_t attacker, uint8_t defender, uint8_t battle
) noexcept nogil
cdef void note_heralds(const Rules *rules, const Position *position, Evidence *evidence) noexcept nogil
