# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""What the public evidence says of each piece alone, and what battles say of the pieces that fought them."""

from engine_core.integrity cimport ends_by, owner_of, pieces_of
from engine_core.state cimport (
    HERALD_ATTACKER, HERALD_DEFENDER, MARK_ARRIVED, MARK_ENTERED, MARK_MOVED, MARK_UNCLAIMED, MARK_UNOPPOSED, OFF,
)
from engine_core.tables cimport (
    ATTACKER_SURVIVES, DEFENDER_SURVIVES, END_FLAG_REACHED, END_HEADQUARTERS_ENTERED, END_OBJECTIVE_CAPTURED,
    FLAG_FALLS, MAX_SEATS, NONE, OUTCOME_MASK, ROLE_BORROWS, ROLE_CLAIMS, ROLE_ENTERS, ROLE_HERALD, ROLE_HERALDED,
    ROLE_OBJECTIVE,
)


cdef uint32_t _with_role(const Rules *rules, uint8_t role) noexcept nogil:
    """The kinds that have a role."""
    cdef uint32_t kinds = 0
    cdef int kind
    for kind in range(1, rules.kinds + 1):
        if rules.role[kind] & role:
            kinds |= <uint32_t>1 << (kind - 1)
    return kinds


cdef void first_domains(
    const Rules *rules,
    bint loaded,
    const Position *position,
    const Evidence *evidence,
    const Roster *roster,
    uint32_t *domain,
) noexcept nogil:
    """Write the domain of each piece, from what is known of it alone. Kinds of `position` that are not 0 are known.

    From the roster, where the piece started (unless `loaded`: then nobody knows how it got there), how it has moved,
    the endings that did not happen, and whose removal showed pieces.
    """
    cdef uint32_t objective = _with_role(rules, ROLE_OBJECTIVE) if ends_by(rules, END_OBJECTIVE_CAPTURED) else 0
    cdef uint32_t entering = _with_role(rules, ROLE_ENTERS) if ends_by(rules, END_HEADQUARTERS_ENTERED) else 0
    cdef uint32_t kinds
    cdef uint8_t seat, kind
    cdef int piece
    for piece in range(pieces_of(position)):
        seat = owner_of(position, piece)
        if position.kind[piece]:
            domain[piece] = <uint32_t>1 << (position.kind[piece] - 1)
            continue
        kinds = 0
        for kind in range(1, rules.kinds + 1):
            if roster[seat][kind]:
                kinds |= <uint32_t>1 << (kind - 1)
        if not loaded:
            kinds &= rules.allowed[seat][evidence.start[piece]]
        if evidence.marks[piece] & MARK_MOVED:
            kinds &= evidence.movement[piece]
        if evidence.marks[piece] & MARK_ENTERED:
            kinds &= ~entering
        if position.square[piece] == OFF and not position.out >> seat & 1:
            kinds &= ~objective
        if evidence.marks[piece] & MARK_ARRIVED and ends_by(rules, END_FLAG_REACHED):
            kinds &= _after_arrival(rules, position, evidence, seat, piece)
        domain[piece] = kinds
    if rules.heralds:
        _heralds(rules, position, evidence, roster, domain)


cdef uint32_t _after_arrival(
    const Rules *rules, const Position *position, const Evidence *evidence, uint8_t seat, int piece
) noexcept nogil:
    """The kinds that a piece can be which has arrived on its goal, and the match went on."""
    cdef uint32_t claiming = _with_role(rules, ROLE_CLAIMS)
    if evidence.marks[piece] & MARK_UNCLAIMED:
        return ~claiming
    if rules.arrival_adjacent and evidence.marks[piece] & MARK_UNOPPOSED:
        return ~claiming
    if rules.claims_announced:
        return claiming
    if position.square[piece] != OFF and position.to_move == seat:
        return ~claiming  # the turn has come back
    return <uint32_t>0xFFFFFFFF


cdef void _heralds(
    const Rules *rules, const Position *position, const Evidence *evidence, const Roster *roster, uint32_t *domain
) noexcept nogil:
    """A removal that showed pieces was that of a herald; one that did not, while there were some to show, was none."""
    cdef uint32_t heralds = _with_role(rules, ROLE_HERALD)
    cdef bint shown[MAX_SEATS + 1]
    cdef uint8_t outcome, seat
    cdef int index, side, piece, kind
    for seat in range(1, rules.seats + 1):
        shown[seat] = True
        for kind in range(1, rules.kinds + 1):
            if rules.role[kind] & ROLE_HERALDED and roster[seat][kind]:
                shown[seat] = False
    for index in range(evidence.battles):
        outcome = evidence.battle[index][2]
        for side in range(2):
            if outcome & OUTCOME_MASK == (DEFENDER_SURVIVES if side else ATTACKER_SURVIVES):
                continue
            piece = evidence.battle[index][side]
            seat = owner_of(position, piece)
            if outcome & (HERALD_DEFENDER if side else HERALD_ATTACKER):
                domain[piece] &= heralds
                shown[seat] = True
            elif not shown[seat]:
                domain[piece] &= ~heralds


cdef bint narrow(const Rules *rules, const Evidence *evidence, uint32_t *domain) noexcept nogil:
    """Take from the domains what no battle allows, until nothing changes. False when a piece can be nothing at all."""
    cdef int index
    cdef bint changed = True
    while changed:
        changed = False
        for index in range(evidence.battles):
            if not _narrow_battle(rules, &evidence.battle[index][0], domain, &changed):
                return False
    return True


cdef bint _narrow_battle(const Rules *rules, const uint8_t *battle, uint32_t *domain, bint *changed) noexcept nogil:
    """Keep the kinds of attacker, defender and, where kinds borrow, what stood behind that can have had the outcome."""
    cdef uint8_t outcome = battle[2] & (OUTCOME_MASK | FLAG_FALLS)
    cdef uint8_t support = battle[3] if rules.borrowers else NONE
    cdef uint32_t attackers = 0, defenders = 0, supports = 0, behind
    cdef uint8_t attacker, defender, kind
    for attacker in range(1, rules.kinds + 1):
        if not domain[battle[0]] >> (attacker - 1) & 1:
            continue
        for defender in range(1, rules.kinds + 1):
            if not domain[battle[1]] >> (defender - 1) & 1:
                continue
            if rules.role[defender] & ROLE_BORROWS and support != NONE:
                behind = 0
                for kind in range(1, rules.kinds + 1):
                    if domain[support] >> (kind - 1) & 1 and rules.outcome[attacker][kind] == outcome:
                        behind |= <uint32_t>1 << (kind - 1)
                if not behind:
                    continue
                supports |= behind
            elif rules.outcome[attacker][defender] != outcome:
                continue
            elif support != NONE:
                supports |= domain[support]
            attackers |= <uint32_t>1 << (attacker - 1)
            defenders |= <uint32_t>1 << (defender - 1)
    # Evidence that nobody has judged can name one piece twice, so that a domain only ever gets smaller.
    return (
        _keep(&domain[battle[0]], attackers, changed)
        and _keep(&domain[battle[1]], defenders, changed)
        and (support == NONE or _keep(&domain[support], supports, changed))
    )


cdef inline bint _keep(uint32_t *domain, uint32_t kinds, bint *changed) noexcept nogil:
    """Take all but these kinds from a domain; whether any is left."""
    if domain[0] & ~kinds:
        domain[0] &= kinds
        changed[0] = True
    return domain[0] != 0
