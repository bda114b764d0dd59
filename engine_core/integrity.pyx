# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""The checks on a state that was read from bytes, each with the reason of the StateError that it becomes.

They hold for every state that the codec writes. They are not a proof that play could reach a state: that would need
the whole match. What they promise is that nothing in a state contradicts the rules, the roster or itself.
"""

from libc.string cimport memset

from engine_core.evidence_check cimport evidence_fault
from engine_core.history_check cimport history_fault
from engine_core.referee cimport side_of
from engine_core.result_check cimport result_fault
from engine_core.state cimport ARRANGEMENT, ENDED, MAX_REVISION, PLAY
from engine_core.tables cimport END_FLAG_REACHED, NONE, REASON_NO_LEGAL_MOVE, REASON_NONE


cdef const char *fault_of(
    const Rules *rules,
    const Header *header,
    Position *position,
    Evidence *evidence,
    const History *history,
    bint kinds_known,
) noexcept nogil:
    """NULL when nothing contradicts anything; otherwise "REASON: text". Fills in the marks that follow from battles.

    With kinds that are guessed from evidence (not `kinds_known`) the seat to move need not have a move.
    """
    cdef const char *fault = phase_fault(rules, header, position)
    if fault == NULL:
        fault = _roster(rules, header, position, evidence)
    if fault == NULL:
        fault = evidence_fault(rules, position, evidence, kinds_known)
    if fault == NULL:
        fault = history_fault(rules, position, evidence, history)
    if fault == NULL:
        fault = result_fault(rules, position, evidence, history, kinds_known)
    return fault


cdef const char *phase_fault(const Rules *rules, const Header *header, const Position *position) noexcept nogil:
    """NULL when phase, seats and numbers of plies and actions agree; otherwise "REASON: text"."""
    cdef uint8_t seats = <uint8_t>((1 << (rules.seats + 1)) - 2)
    cdef uint8_t others
    if position.phase > ENDED:
        return b"STATE_PHASE: no such phase"
    if not 1 <= position.first_seat <= rules.seats:
        return b"STATE_PHASE: the first seat does not exist"
    if (position.arranged | position.out | position.agreed | position.claims | position.winners) & ~seats:
        return b"STATE_PHASE: a seat that does not exist"
    if position.out and not rules.last_side_wins and (rules.seats == 2 or position.phase != ENDED):
        return b"STATE_PHASE: a seat is out in a game that ends when a seat is beaten"
    if (header.loaded or rules.fixed_start) and (position.arranged != seats or not position.begun):
        return b"STATE_PHASE: a loaded position that still waits for pieces"
    if position.phase == ARRANGEMENT and (position.begun or position.to_move != 0):
        return b"STATE_PHASE: a seat is to move before play has begun"
    if position.phase != PLAY and position.agreed | position.claims:
        return b"STATE_PHASE: an offer or a claim outside play"
    if (position.phase == ENDED) != (position.reason != REASON_NONE):
        return b"STATE_PHASE: a reason without an end, or an end without a reason"
    if position.phase != ENDED and position.winners:
        return b"STATE_PHASE: winners before the end"
    if position.phase != ARRANGEMENT and not position.begun and (position.phase == PLAY or position.arranged == seats):
        return b"STATE_PHASE: all pieces are placed, but play has not begun"
    if (position.arranged | position.out) == seats:
        if position.phase == ARRANGEMENT:
            return b"STATE_PHASE: all pieces are placed, but play has not begun"
    elif position.begun:
        return b"STATE_PHASE: play has begun before all pieces are placed"
    if position.phase == PLAY:
        if not 1 <= position.to_move <= rules.seats or position.out >> position.to_move & 1:
            return b"STATE_PHASE: the seat to move is not in play"
        others = position.out | side_of(rules, rules.team[position.to_move])
        if others == seats:
            return b"STATE_PHASE: one side alone is in play"
        if position.agreed & position.out or position.agreed == (seats & ~position.out):
            return b"STATE_PHASE: a draw that all have agreed to, or a seat that is out has"
        if position.claims >> position.to_move & 1 or position.claims & position.out:
            return b"STATE_PHASE: a claim that should have been decided"
        if position.claims and not ends_by(rules, END_FLAG_REACHED):
            return b"STATE_PHASE: a claim in a game without claims"
        if taking_turns(rules) and position.to_move != mover_of(rules, position, position.ply + 1):
            return b"STATE_PHASE: the number of plies and the seat to move do not agree"
    elif position.to_move != 0:
        return b"STATE_PHASE: a seat is to move outside play"
    if position.quiet > position.ply or (not position.begun and position.ply):
        return b"STATE_PHASE: the number of plies is impossible"
    if header.revision > MAX_REVISION or position.ply > MAX_REVISION:
        return b"STATE_PHASE: more revisions or plies than a match can have"
    if header.revision < _fewest_actions(header, position, seats, rules.fixed_start):
        return b"STATE_PHASE: fewer revisions than actions"
    if not position.begun and header.revision != _fewest_actions(header, position, seats, rules.fixed_start):
        return b"STATE_PHASE: more revisions than actions"
    if (
        position.ply == 0
        and not position.out
        and position.reason == REASON_NO_LEGAL_MOVE
        and header.revision != _fewest_actions(header, position, seats, rules.fixed_start)
    ):
        return b"STATE_PHASE: more revisions than actions"
    if rules.ply_limit and position.ply > rules.ply_limit or rules.quiet_limit and position.quiet > rules.quiet_limit:
        return b"STATE_PHASE: a limit has been passed"
    if (position.ply == 0) != (position.last_source == NONE) or (position.ply == 0) != (position.last_target == NONE):
        return b"STATE_PHASE: a last move without a ply, or a ply without one"
    return NULL


cdef uint32_t _fewest_actions(
    const Header *header, const Position *position, uint8_t seats, bint fixed_start
) noexcept nogil:
    """The actions that a state must have had: plies, arrangements, an offer and its answers, an end without a move."""
    cdef uint32_t actions = position.ply + members(position.agreed)
    if not (header.loaded or fixed_start):
        actions += members(position.arranged)
    if not position.begun:
        actions += members(position.out) + (position.phase == ENDED and not position.out)
    elif position.reason == REASON_AGREED_DRAW:
        actions += members(seats & ~position.out)
    elif ended_by_decision(position.reason):
        actions += 1
    return actions


cdef const char *_roster(
    const Rules *rules, const Header *header, const Position *position, const Evidence *evidence
) noexcept nogil:
    cdef int seat, piece, kind, held
    cdef uint8_t count[33]
    cdef uint8_t taken[256]
    cdef bint shared = False, barred
    memset(taken, 0, sizeof(taken))
    for piece in range(pieces_of(position)):
        shared |= taken[evidence.start[piece]]
        taken[evidence.start[piece]] = 1
    if shared:
        return b"STATE_ROSTER: two pieces start on one square"
    if header.loaded:
        return NULL
    for seat in range(1, rules.seats + 1):
        held = position.first[seat + 1] - position.first[seat]
        if held != (rules.roster if position.arranged >> seat & 1 else 0):
            return b"STATE_ROSTER: a seat has too many or too few pieces"
        memset(count, 0, sizeof(count))
        barred = False
        for piece in range(position.first[seat], position.first[seat + 1]):
            kind = position.kind[piece]
            count[kind] += 1
            barred |= not rules.allowed[seat][evidence.start[piece]] >> (kind - 1) & 1
        if barred:
            return b"STATE_ROSTER: a piece started where its kind may not"
        for kind in range(1, rules.kinds + 1):
            if held and count[kind] != rules.count[kind]:
                return b"STATE_ROSTER: a kind has too many or too few pieces"
    return NULL
