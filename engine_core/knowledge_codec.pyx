# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False
"""Reading knowledge: any bytes are safe input, and only what `Knowledge.to_bytes` writes is accepted.

In the envelope (see `engine_core.envelope`): the viewer (1 byte) · 1 for a position that was not played from the
start, then for each seat how many pieces of each kind it has, otherwise 0 · a body (see `engine_core.state`) with 0 for
kinds that the viewer does not know. Knowledge is judged as the states that fit it are: by filling in kinds that the
evidence allows.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from engine_core.errors import StateError

from engine_core.domains cimport Roster
from engine_core.envelope cimport Envelope, opened
from engine_core.evidence_check cimport movement_fault
from engine_core.integrity cimport fault_of, owner_of, phase_fault, pieces_of
from engine_core.knowledge cimport Knowledge, blank_knowledge
from engine_core.match cimport State
from engine_core.state cimport (
    ENDED, HERALD_ATTACKER, HERALD_DEFENDER, MARK_NAMED, MARK_SHOWN, PLAY, Evidence, History, Position, add_piece,
    clear_position, read_body,
)
from engine_core.tables cimport REVEAL_NONE, REVEAL_SHOWN, ROLE_HERALDED, Rules
from engine_core.view cimport knows_claim, knows_seat

cdef History scratch


def decode_knowledge(bytes data):
    """The Knowledge that these bytes are. StateError (see its reasons) or RulesetUnavailable when they are none."""
    cdef Envelope envelope
    cdef const uint8_t *content = data
    game = opened(content, len(data), "knowledge", &envelope)
    cdef Py_ssize_t place = envelope.body + 2, end = envelope.end
    if place > end or content[place - 2] > len(game.seats) or content[place - 1] > 1:
        raise StateError("STATE_HEADER", "The knowledge is of a viewer that the game does not have, or cut short.")
    cdef Knowledge knowledge = blank_knowledge(
        game, content[envelope.match_id:envelope.body], content[place - 2]
    )
    cdef const Rules *rules = &knowledge.tables.rules
    cdef bint roster_given = content[place - 1]
    cdef int seat
    if roster_given and place + rules.seats * rules.kinds > end:
        raise StateError("STATE_LENGTH", "The roster in the knowledge is cut short.")
    for seat in range(1, rules.seats + 1):
        if roster_given:
            memcpy(&knowledge.roster[seat][1], content + place, rules.kinds)
            place += rules.kinds
        else:
            memcpy(knowledge.roster[seat], rules.count, sizeof(Roster))
    cdef const char *fault = read_body(
        content + place,
        end - place,
        <uint8_t>envelope.version,
        True,
        rules,
        &knowledge.header,
        &knowledge.position,
        &knowledge.evidence,
        &scratch,
    )
    if fault == NULL:
        fault = phase_fault(rules, &knowledge.header, &knowledge.position)
    if fault == NULL:
        fault = movement_fault(rules, &knowledge.position, &knowledge.evidence)  # deduction builds on it
    if fault == NULL:
        if rules.keeps_history:
            knowledge.history = (<const char *>&scratch.moves[0])[:2 * scratch.length]
        _mark(rules, &knowledge.position, &knowledge.evidence)
        fault = _hidden(knowledge)
    if fault == NULL:
        fault = _judged(knowledge)
    if fault != NULL:
        reason, text = (<bytes>fault).decode().split(": ")
        raise StateError(reason, f"The knowledge contradicts itself or its rules: {text}.", fault=text)
    if knowledge.to_bytes() != data:
        raise StateError("STATE_HEADER", "The knowledge is not written as this referee writes it.")
    return knowledge


cdef void _mark(const Rules *rules, const Position *position, Evidence *evidence) noexcept nogil:
    """Set the marks that follow from battles: of the pieces that are named or shown, and of those that heralds show."""
    cdef int index, piece, side
    cdef uint8_t seat, outcome
    for index in range(evidence.battles):
        outcome = evidence.battle[index][2]
        for side in range(2):
            piece = evidence.battle[index][side]
            if rules.reveal != REVEAL_NONE:
                evidence.marks[piece] |= MARK_NAMED
            if rules.reveal == REVEAL_SHOWN:
                evidence.marks[piece] |= MARK_SHOWN
            if outcome & (HERALD_DEFENDER if side else HERALD_ATTACKER):
                seat = owner_of(position, piece)
                for piece in range(position.first[seat], position.first[seat + 1]):
                    if rules.role[position.kind[piece]] & ROLE_HERALDED:
                        evidence.marks[piece] |= MARK_NAMED | MARK_SHOWN


cdef const char *_hidden(Knowledge knowledge) noexcept nogil:
    """The viewer knows the kinds that it may, and no others."""
    cdef const Rules *rules = &knowledge.tables.rules
    cdef const Position *position = &knowledge.position
    cdef int piece
    cdef uint8_t seat
    cdef bint may
    for piece in range(pieces_of(position)):
        seat = owner_of(position, piece)
        may = knows_seat(rules, position, knowledge.viewer, seat)
        if not (may or position.begun):
            return b"STATE_ROSTER: pieces that the viewer may not know of before play"
        may = may or knowledge.evidence.marks[piece] & (MARK_NAMED | MARK_SHOWN)
        if may != (position.kind[piece] != 0):
            return b"STATE_ROSTER: a kind that the viewer may not know, or lacks one that it must"
    for seat in range(1, rules.seats + 1):
        if position.claims >> seat & 1 and not knows_claim(rules, knowledge.viewer, seat):
            return b"STATE_PHASE: a claim that the viewer may not know of"
    return NULL


cdef const char *_judged(Knowledge knowledge):
    """Judge a state that fits the knowledge. After the end kinds do not follow from the evidence; then none is made."""
    cdef Position *position = &knowledge.position
    cdef State state
    cdef uint8_t kinds[256]
    cdef int piece
    if position.phase == ENDED:
        return NULL
    if position.phase == PLAY:
        knowledge.deduced = knowledge.deduce()
        example = knowledge.deduced.example()
        if example is None:
            return b"STATE_EVIDENCE: no kinds of the hidden pieces fit it"
        for piece, kind in enumerate(example):
            kinds[piece] = kind
        state = knowledge.filled(kinds)
    else:
        state = _arranged(knowledge)
    for piece in range(pieces_of(state.position)):
        state.evidence.marks[piece] &= ~(MARK_NAMED | MARK_SHOWN)  # they follow from the battles once more
    knowledge.read_history(&scratch)
    return fault_of(
        &knowledge.tables.rules, &state.header, state.position, state.evidence, &scratch, False
    )


cdef State _arranged(Knowledge knowledge):
    """A state before play: the seats whose arrangements the viewer may not know have any."""
    cdef State state = knowledge.filled(knowledge.position.kind)
    cdef const Position *position = &knowledge.position
    cdef int seat, piece
    clear_position(state.position, state.evidence)
    for seat in knowledge.game.seats:
        if position.first[seat + 1] == position.first[seat] and position.arranged >> seat & 1:
            placed = knowledge.game.random_arrangement(seat, seed=0)
            for square, name in enumerate(knowledge.game.squares):
                if name in placed:
                    kind = knowledge.game.kinds.index(placed[name]) + 1
                    add_piece(state.position, state.evidence, <uint8_t>seat, square, square, kind)
        for piece in range(position.first[seat], position.first[seat + 1]):
            add_piece(
                state.position,
                state.evidence,
                <uint8_t>seat,
                knowledge.evidence.start[piece],
                position.square[piece],
                position.kind[piece],
            )
    state.position.phase, state.position.begun = position.phase, position.begun
    state.position.first_seat, state.position.to_move = position.first_seat, position.to_move
    state.position.arranged, state.position.out = position.arranged, position.out
    state.position.agreed, state.position.claims = position.agreed, position.claims
    state.position.ply, state.position.quiet = position.ply, position.quiet
    return state
