# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False
"""What one viewer may know of a match, as a value: its own pieces, the board, and the public evidence.

Built up from nothing: a kind enters only where the viewer knows it. Whoever holds knowledge alone can draw the board,
deduce, and draw samples; the bytes of a `Knowledge` tell nothing more.
"""

cimport cython

from libc.stdint cimport uint16_t, uint32_t
from libc.string cimport memcpy, memset
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize

from engine_core.deduction import Deduction
from engine_core.envelope import KNOWLEDGE
from engine_core.errors import ArrangementPending, InvalidViewer, MatchOver, StateError
from engine_core.sampler import MAX_DRAWS
from engine_core.view import SPECTATOR

from engine_core.domains cimport first_domains, narrow
from engine_core.integrity cimport ends_by, owner_of, pieces_of
from engine_core.match cimport blank_state
from engine_core.moves cimport has_legal_move, legal_moves
from engine_core.sampler cimport Sampler
from engine_core.state cimport (
    ARRANGEMENT, CODEC_VERSION, ENDED, MARK_ARRIVED, MARK_NAMED, MARK_SHOWN, MARK_UNCLAIMED, OFF, PLAY, History,
    add_piece, clear_position, copy_position, enclose, enclosed_size,
)
from engine_core.tables cimport END_FLAG_REACHED, FLAG_FALLS, NONE, OUTCOME_MASK, ROLE_BORROWS, ROLE_CLAIMS, Rules
from engine_core.view cimport build_view, knows_claim, knows_seat

MAX_REFUSED = 1_000
"""States in a row in which the seat to move may have no move before sampling is given up."""

# Knowledge is made here alone: one that is made otherwise would have no rules.
cdef bint making = False

cdef History scratch


cdef Knowledge blank_knowledge(object game, bytes match_id, int viewer):
    """Knowledge without contents, for its maker to fill."""
    global making
    making = True
    cdef Knowledge knowledge
    try:
        knowledge = Knowledge.__new__(Knowledge)
    finally:
        making = False
    knowledge.viewer = viewer
    knowledge.match_id = match_id
    knowledge.game = game
    knowledge.tables = game.tables
    knowledge.moves = game.moves
    knowledge.history = b""
    memset(knowledge.roster, 0, sizeof(knowledge.roster))
    return knowledge


cdef Knowledge knowledge_of(State state, int viewer):
    """What a viewer may know of a state."""
    if viewer != SPECTATOR and not 1 <= viewer <= state.tables.rules.seats:
        seats = state.tables.rules.seats
        raise InvalidViewer(
            f"{viewer} holds no knowledge; a holder is a seat from 1 to {seats}, or SPECTATOR.", viewer=viewer
        )
    cdef Knowledge knowledge = blank_knowledge(state.game, state.match_id, viewer)
    cdef const Rules *rules = &state.tables.rules
    cdef const Position *source = state.position
    cdef Position *position = &knowledge.position
    cdef Evidence *evidence = &knowledge.evidence
    cdef int seat, piece, copy
    cdef bint all_known, known
    clear_position(position, evidence)
    for seat in range(1, rules.seats + 1):
        all_known = knows_seat(rules, source, viewer, seat)
        if not (all_known or source.begun):
            continue
        for piece in range(source.first[seat], source.first[seat + 1]):
            known = all_known or state.evidence.marks[piece] & (MARK_NAMED | MARK_SHOWN)
            copy = pieces_of(position)
            add_piece(
                position,
                evidence,
                <uint8_t>seat,
                state.evidence.start[piece],
                source.square[piece],
                source.kind[piece] if known else 0,
            )
            evidence.marks[copy] = state.evidence.marks[piece]
            evidence.movement[copy] = state.evidence.movement[piece]
            if state.header.loaded:
                knowledge.roster[seat][source.kind[piece]] += 1
        if knows_claim(rules, viewer, seat):
            position.claims |= source.claims & <uint8_t>(1 << seat)
    if not state.header.loaded:
        for seat in range(1, rules.seats + 1):
            memcpy(knowledge.roster[seat], rules.count, sizeof(knowledge.roster[seat]))
    evidence.battles = state.evidence.battles
    memcpy(evidence.battle, state.evidence.battle, sizeof(evidence.battle))
    position.phase, position.begun = source.phase, source.begun
    position.first_seat, position.to_move = source.first_seat, source.to_move
    position.last_source, position.last_target = source.last_source, source.last_target
    position.arranged, position.out, position.agreed = source.arranged, source.out, source.agreed
    position.reason, position.winners = source.reason, source.winners
    position.ply, position.quiet = source.ply, source.quiet
    memcpy(position.recent_count, source.recent_count, sizeof(position.recent_count))
    memcpy(position.recent, source.recent, sizeof(position.recent))
    memcpy(position.chase, source.chase, sizeof(position.chase))
    knowledge.header = state.header
    knowledge.history = state.history
    return knowledge


def of_state(State state, int viewer):
    """What a viewer may know of a state. InvalidViewer for anybody but a seat and the spectator."""
    return knowledge_of(state, viewer)


@cython.final
cdef class Knowledge:
    """What a seat, or the spectator, may know. Immutable; compare with ==, keep with `to_bytes`."""

    def __cinit__(self):
        if not making:
            raise TypeError("Knowledge comes from state.knowledge(...) or engine_core.decode(...)")

    @property
    def hypothetical(self):
        """Whether it is knowledge of a sample, or of what follows from one."""
        return self.header.hypothetical

    @property
    def ply(self):
        """Moves made."""
        return self.position.ply

    @property
    def to_move(self):
        """The seat to move, or None outside play."""
        return self.position.to_move or None

    def view(self):
        """The viewer's view: the same as that of the match."""
        return build_view(self.game, &self.tables.rules, &self.position, &self.evidence, self.viewer)

    def legal_moves(self):
        """The viewer's legal moves, sorted by packed number; empty when it is not to move."""
        if self.position.phase != PLAY or self.position.to_move != self.viewer:
            return self.moves.listed(NULL, 0)
        cdef bytes moves = PyBytes_FromStringAndSize(NULL, 2 * self.tables.rules.max_moves)
        cdef uint16_t *packed = <uint16_t *>PyBytes_AS_STRING(moves)
        self.read_history(&scratch)
        cdef int count = legal_moves(&self.tables.rules, &self.position, &scratch, packed)
        return self.moves.listed(packed, count)

    def deduce(self):
        """What follows for the hidden pieces: a Deduction.

        ArrangementPending before play has begun, MatchOver after the end: deduction works in play.
        """
        if self.position.phase == ARRANGEMENT:
            raise ArrangementPending("Play has not begun; there is nothing to deduce before it.")
        if self.position.phase == ENDED:
            raise MatchOver("The match has ended; deduction works in play.")
        # Handed on rather than kept, for the two refer to each other.
        found, self.deduced = self.deduced, None
        return Deduction(self) if found is None else found

    def sample(self, n, seed):
        """`n` states that fit this knowledge, all equally likely; a seed gives the same ones each time.

        They are hypothetical. Left out are those in which the seat to move would have no move. Raises as `deduce` does,
        and StateError (STATE_EVIDENCE) when they are too rare: with more than `MAX_DRAWS` of `engine_core.sampler` for
        all of them, or `MAX_REFUSED` in a row left out.
        """
        cdef Sampler sampler = self.deduce().sampler(seed)
        cdef uint8_t kinds[256]
        cdef int refused = 0
        cdef State state
        states = []
        while len(states) < n:
            if not sampler.draw(kinds):
                raise StateError(
                    "STATE_EVIDENCE",
                    f"{MAX_DRAWS} draws gave {len(states)} states that fit.",
                    limit=MAX_DRAWS,
                    found=len(states),
                )
            state = self.filled(kinds)
            self.read_history(&scratch)
            if has_legal_move(&state.tables.rules, state.position, &scratch):
                states.append(state)
                refused = 0
                continue
            refused += 1
            if refused == MAX_REFUSED:
                raise StateError(
                    "STATE_EVIDENCE",
                    f"In {MAX_REFUSED} states in a row the seat to move had no move; there are {len(states)} others.",
                    limit=MAX_REFUSED,
                    found=len(states),
                )
        return states

    # What deduction looks at.

    def kinds(self):
        """The kind of every piece from 1, and 0 for one that the viewer does not know; in the order of `pieces`."""
        return bytes([self.position.kind[piece] for piece in range(pieces_of(&self.position))])

    def pieces(self):
        """Every piece as (seat, start square, square or None, domain): a domain has bit 1 << (kind - 1)."""
        cdef uint32_t domain[256]
        cdef int piece
        first_domains(
            &self.tables.rules, self.header.loaded, &self.position, &self.evidence, self.roster, domain
        )
        return [
            (
                owner_of(&self.position, piece),
                self.evidence.start[piece],
                None if self.position.square[piece] == OFF else self.position.square[piece],
                domain[piece],
            )
            for piece in range(pieces_of(&self.position))
        ]

    def numbers(self, int seat):
        """The number of a seat's first piece in `pieces`, and that after its last."""
        return self.position.first[seat], self.position.first[seat + 1]

    def counts(self, int seat):
        """How many pieces of each kind a seat has in all, in the order of game.kinds."""
        return [self.roster[seat][kind] for kind in range(1, self.tables.rules.kinds + 1)]

    def battles(self):
        """Every battle as (attacker, defender, what stood behind the defender or None, outcome), pieces by number."""
        return [self.battle(index) for index in range(self.evidence.battles)]

    def undecided(self, domains):
        """Of `battles` those that can tie the kinds of two pieces with these domains: neither of them has one only."""
        cdef uint32_t borrowing = self.borrowing()
        cdef uint32_t attacker, defender
        cdef int index
        cdef list given = domains
        found = []
        for index in range(self.evidence.battles):
            attacker, defender = given[self.evidence.battle[index][0]], given[self.evidence.battle[index][1]]
            if borrowing and self.evidence.battle[index][3] != NONE and defender & borrowing:
                # What stood behind the defender may have fought in its place, or has.
                if defender & ~borrowing or attacker & (attacker - 1):
                    found.append(self.battle(index))
            elif attacker & (attacker - 1) and defender & (defender - 1):
                found.append(self.battle(index))
        return found

    cdef tuple battle(self, int index):
        cdef const uint8_t *battle = self.evidence.battle[index]
        support = battle[3] if self.tables.rules.borrowers else NONE
        return battle[0], battle[1], None if support == NONE else support, battle[2] & (OUTCOME_MASK | FLAG_FALLS)

    def outcome(self, int attacker, int defender):
        """What the matrix says of two kinds, from 1, as `battles` gives it."""
        return self.tables.rules.outcome[attacker][defender]

    def borrowing(self):
        """The kinds that borrow strength, as a domain."""
        cdef uint32_t found = 0
        cdef int kind
        for kind in range(1, self.tables.rules.kinds + 1):
            if self.tables.rules.role[kind] & ROLE_BORROWS:
                found |= <uint32_t>1 << (kind - 1)
        return found

    def narrowed(self, domains):
        """The domains without the kinds that no battle allows, or None when a piece can be nothing at all."""
        cdef uint32_t domain[256]
        cdef int piece, count = pieces_of(&self.position)
        for piece in range(count):
            domain[piece] = domains[piece]
        if not narrow(&self.tables.rules, &self.evidence, domain):
            return None
        return [domain[piece] for piece in range(count)]

    cdef State filled(self, const uint8_t *kinds):
        """The hypothetical state with these kinds, from 1, in the order of `pieces`."""
        cdef const Rules *rules = &self.tables.rules
        cdef State state = blank_state()
        cdef int piece, seat, square
        state.game = self.game
        state.tables = self.tables
        state.moves = self.moves
        state.match_id = self.match_id
        state.history = self.history
        state.header = self.header
        state.header.hypothetical = True
        copy_position(state.position, &self.position, state.evidence, &self.evidence)
        memcpy(state.position.kind, kinds, pieces_of(&self.position))
        if ends_by(rules, END_FLAG_REACHED):
            # A silent claim of another seat follows from the kind of the piece that has arrived.
            for piece in range(pieces_of(&self.position)):
                seat = owner_of(&self.position, piece)
                square = self.position.square[piece]
                if (
                    square != OFF
                    and seat != self.position.to_move
                    and rules.goal[square] >> seat & 1
                    and rules.role[state.position.kind[piece]] & ROLE_CLAIMS
                    and state.evidence.marks[piece] & MARK_ARRIVED
                    and not state.evidence.marks[piece] & MARK_UNCLAIMED
                ):
                    state.position.claims |= <uint8_t>(1 << seat)
        return state

    cdef void read_history(self, History *history) noexcept:
        cdef Py_ssize_t size = len(self.history)
        history.length = <int>(size // 2)
        if size:
            memcpy(&history.moves[0], PyBytes_AS_STRING(self.history), size)

    # The codec; `engine_core.knowledge_codec` has the way back.

    def to_bytes(self):
        """The canonical bytes of this knowledge; equal knowledge has equal bytes."""
        cdef bytes head = self.tables.head
        cdef bytes holder = bytes((self.viewer, self.header.loaded))
        if self.header.loaded:
            for seat in self.game.seats:
                holder += bytes(self.counts(seat))
        self.read_history(&scratch)
        cdef size_t size = enclosed_size(
            head, self.match_id, holder, &self.tables.rules, &self.position, &self.evidence, &scratch
        )
        cdef bytes data = PyBytes_FromStringAndSize(NULL, size)
        enclose(
            <uint8_t *>PyBytes_AS_STRING(data),
            size,
            KNOWLEDGE + CODEC_VERSION,
            CODEC_VERSION,
            head,
            self.match_id,
            holder,
            &self.tables.rules,
            &self.header,
            &self.position,
            &self.evidence,
            &scratch,
        )
        return data

    def __eq__(self, other):
        return self.to_bytes() == other.to_bytes() if isinstance(other, Knowledge) else NotImplemented

    def __hash__(self):
        return hash(self.to_bytes())

    def __reduce__(self):
        from engine_core.codec import decode

        return decode, (self.to_bytes(),)

    def __repr__(self):
        who = f"seat {self.viewer}" if self.viewer else "the spectator"
        return f"<Knowledge of {who} in {self.game.id}: ply {self.ply}>"
