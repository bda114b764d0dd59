# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""What a move shows to everybody about the pieces: added to the evidence as it happens."""

from libc.stdint cimport uint32_t

from engine_core.moves cimport reaches, touches_enemy
from engine_core.integrity cimport owner_of
from engine_core.state cimport MARK_ARRIVED, MARK_ENTERED, MARK_MOVED, MARK_NAMED, MARK_SHOWN, MARK_UNOPPOSED
from engine_core.tables cimport (
    ATTACKER_SURVIVES, DEFENDER_SURVIVES, MAX_PATTERNS, OUTCOME_MASK, REVEAL_NONE, REVEAL_SHOWN, ROLE_HERALD,
    ROLE_HERALDED,
)


cdef void record(
    const Rules *rules, const Position *before, const Position *after, Evidence *evidence, const Outcome *outcome
) noexcept nogil:
    """Add to the evidence what the last move, from `before` to `after`, has shown to everybody."""
    cdef uint8_t source = after.last_source, target = after.last_target
    cdef uint8_t seat = before.seat_at[source], piece = before.piece_at[source]
    cdef uint8_t other = rules.headquarters[target]
    cdef uint8_t kind, pattern
    cdef uint32_t able = 0
    cdef bint reach[MAX_PATTERNS]
    for pattern in range(rules.patterns):
        reach[pattern] = reaches(rules, before, pattern, seat, source, target)
    for kind in range(1, rules.kinds + 1):
        if reach[rules.pattern[seat][kind]]:
            able |= <uint32_t>1 << (kind - 1)
    evidence.movement[piece] &= able
    evidence.marks[piece] |= MARK_MOVED
    if outcome.survives:
        if other != 0 and rules.team[other] != rules.team[seat]:
            evidence.marks[piece] |= MARK_ENTERED
        if rules.goal[target] >> seat & 1:
            evidence.marks[piece] |= MARK_ARRIVED
            if not touches_enemy(rules, after, seat, target):
                evidence.marks[piece] |= MARK_UNOPPOSED
    if outcome.battle:
        evidence.battle[evidence.battles][0] = outcome.attacker
        evidence.battle[evidence.battles][1] = outcome.defender
        evidence.battle[evidence.battles][2] = outcome.battle
        evidence.battle[evidence.battles][3] = outcome.support
        evidence.battles += 1
        mark_battle(rules, after, evidence, outcome.attacker, outcome.defender, outcome.battle)


cdef void mark_battle(
    const Rules *rules, const Position *position, Evidence *evidence, uint8_t attacker, uint8_t defender, uint8_t battle
) noexcept nogil:
    """Mark the pieces of a battle as the reveal policy says, and those that the removal of a herald shows.

    A piece that is gone is shown to nobody on a board.
    """
    cdef uint8_t marks = 0
    if rules.reveal != REVEAL_NONE:
        marks = MARK_NAMED
    if rules.reveal == REVEAL_SHOWN:
        marks |= MARK_SHOWN
    evidence.marks[attacker] |= marks
    evidence.marks[defender] |= marks
    if rules.heralds:
        if battle & OUTCOME_MASK != ATTACKER_SURVIVES:
            _herald(rules, position, evidence, attacker)
        if battle & OUTCOME_MASK != DEFENDER_SURVIVES:
            _herald(rules, position, evidence, defender)


cdef void _herald(const Rules *rules, const Position *position, Evidence *evidence, uint8_t fallen) noexcept nogil:
    cdef uint8_t seat = owner_of(position, fallen)
    cdef int piece
    if rules.role[position.kind[fallen]] & ROLE_HERALD:
        for piece in range(position.first[seat], position.first[seat + 1]):
            if rules.role[position.kind[piece]] & ROLE_HERALDED:
                evidence.marks[piece] |= MARK_NAMED | MARK_SHOWN
