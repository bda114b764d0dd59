# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""What a move shows to everybody about the pieces: added to the evidence as it happens."""

from engine_core.adjacency cimport touches_enemy
from engine_core.moves cimport kinds_that_reach
from engine_core.integrity cimport owner_of
from engine_core.state cimport (
    HERALD_ATTACKER, HERALD_DEFENDER, MARK_ARRIVED, MARK_ENTERED, MARK_MOVED, MARK_NAMED, MARK_SHOWN, MARK_UNCLAIMED,
    MARK_UNOPPOSED, OFF,
)
from engine_core.tables cimport (
    ATTACKER_SURVIVES, DEFENDER_SURVIVES, MAX_SEATS, OUTCOME_MASK, ROLE_HERALD, ROLE_HERALDED,
)


cdef void record(
    const Rules *rules, const Position *before, const Position *after, Evidence *evidence, const Outcome *outcome
) noexcept nogil:
    """Add to the evidence what the last move, from `before` to `after`, has shown to everybody."""
    cdef uint8_t source = after.last_source, target = after.last_target
    cdef uint8_t seat = before.seat_at[source], piece = before.piece_at[source]
    cdef uint8_t other = rules.headquarters[target]
    evidence.movement[piece] = kinds_that_reach(rules, before, seat, source, target, evidence.movement[piece])
    if rules.goals:
        note_turn(rules, before, evidence, seat)
    evidence.marks[piece] |= MARK_MOVED
    if outcome.survives:
        if other != 0 and rules.team[other] != rules.team[seat]:
            evidence.marks[piece] |= MARK_ENTERED
        if rules.goal[target] >> seat & 1:
            evidence.marks[piece] |= MARK_ARRIVED
            if not touches_enemy(rules, after, seat, target):
                evidence.marks[piece] |= MARK_UNOPPOSED
            if rules.claims_announced and not outcome.claimed:
                evidence.marks[piece] |= MARK_UNCLAIMED
    if outcome.battle:
        evidence.battle[evidence.battles][0] = outcome.attacker
        evidence.battle[evidence.battles][1] = outcome.defender
        evidence.battle[evidence.battles][2] = outcome.battle
        evidence.battle[evidence.battles][3] = outcome.support
        evidence.battle[evidence.battles][2] |= mark_battle(
            rules, after, evidence, outcome.attacker, outcome.defender, outcome.battle
        )
        evidence.battles += 1
    note_passes(rules, after, evidence, outcome)


cdef void note_passes(
    const Rules *rules, const Position *after, Evidence *evidence, const Outcome *outcome
) noexcept nogil:
    """The seats that were passed over have had a turn as well."""
    cdef int index
    for index in range(outcome.passes):
        note_turn(rules, after, evidence, outcome.passed[index])


cdef void note_turn(const Rules *rules, const Position *position, Evidence *evidence, uint8_t seat) noexcept nogil:
    """The turn has come back to a seat, and the match goes on: none of its pieces on the board has claimed it."""
    cdef int piece
    for piece in range(position.first[seat], position.first[seat + 1]):
        if evidence.marks[piece] & MARK_ARRIVED and position.square[piece] != OFF:
            evidence.marks[piece] |= MARK_UNCLAIMED


cdef uint8_t show_heralded(
    const Rules *rules, const Position *position, Evidence *evidence, uint8_t attacker, uint8_t defender, uint8_t battle
) noexcept nogil:
    """Mark the pieces that the removal of a herald shows. Returns which of the two was a herald that showed pieces."""
    cdef uint8_t notes = 0
    if battle & OUTCOME_MASK != ATTACKER_SURVIVES and _herald(rules, position, evidence, attacker):
        notes |= HERALD_ATTACKER
    if battle & OUTCOME_MASK != DEFENDER_SURVIVES and _herald(rules, position, evidence, defender):
        notes |= HERALD_DEFENDER
    return notes


cdef bint _herald(const Rules *rules, const Position *position, Evidence *evidence, uint8_t fallen) noexcept nogil:
    """Show what a fallen piece announces; whether it has shown anything new."""
    cdef uint8_t seat = owner_of(position, fallen)
    cdef int piece
    cdef bint shows = False
    if rules.role[position.kind[fallen]] & ROLE_HERALD:
        for piece in range(position.first[seat], position.first[seat + 1]):
            if rules.role[position.kind[piece]] & ROLE_HERALDED and not evidence.marks[piece] & MARK_SHOWN:
                evidence.marks[piece] |= MARK_NAMED | MARK_SHOWN
                shows = True
    return shows


cdef void note_heralds(const Rules *rules, const Position *position, Evidence *evidence) noexcept nogil:
    """Add the notes on heralds to battles that were written without them."""
    cdef int index
    for index in range(evidence.battles if rules.heralds else 0):
        evidence.battle[index][2] |= mark_battle(
            rules, position, evidence, evidence.battle[index][0], evidence.battle[index][1], evidence.battle[index][2]
        )
    for index in range(position.first[MAX_SEATS + 1]):
        evidence.marks[index] &= ~(MARK_NAMED | MARK_SHOWN)
