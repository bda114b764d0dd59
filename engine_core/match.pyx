# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False
"""A match as immutable values: a `State` answers questions, and every action on it gives a `Turn` with the next one."""

cimport cython

from typing import NamedTuple

from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memcpy
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE

from engine_core import events as happened
from engine_core.arrangement import violations
from engine_core.errors import (
    AlreadyArranged,
    ArrangementPending,
    DrawOfferOpen,
    IllegalMove,
    InvalidAction,
    InvalidArrangement,
    InvalidSeat,
    InvalidViewer,
    MatchOver,
    NoDrawOffer,
    SeatOut,
)
from engine_core.tables import REASONS
from engine_core.view import REFEREE, SPECTATOR

from engine_core.contents cimport Contents, give_back_contents, take_contents
from engine_core.evidence cimport note_passes, record
from engine_core.moves cimport is_legal, legal_moves, reaches
from engine_core.referee cimport Outcome, apply_move, begin_play, clear_outcome, finish, leave, side_of
from engine_core.state cimport (
    ARRANGEMENT, CODEC_VERSION, ENDED, MAX_REVISION, OFF, PLAY, add_piece, clear_position, copy_position, enclose,
    enclosed_size,
)
from engine_core.tables cimport MAX_SEATS, NONE, REASON_ADJUDICATED, REASON_AGREED_DRAW, REASON_RESIGNED
from engine_core.turn cimport Turn, turn_of
from engine_core.view cimport build_view

CAUSES = ("time", "abandonment", "ruling")

_PHASES = ("arrangement", "play", "ended")

_ACTIONS = ("arrange", "move", "resign", "offer-draw", "accept-draw", "decline-draw")

# One scratch history for all calls that hold the GIL: it is too large to be cleared for each. Between filling and using
# it nothing may be allocated: that could run the collector, a finalizer, and another thread.
cdef History scratch

# The same for moves; rules.max_moves is always less.
cdef uint16_t move_list[65536]

# States are made here alone: one that is made otherwise would have no rules.
cdef bint making = False


class Result(NamedTuple):
    """How a match ended: the winning seats (none for a draw) and the reason, such as "flag-captured"."""

    winners: tuple
    reason: str


cdef tuple _seats_in(int mask):
    return tuple([seat for seat in range(1, MAX_SEATS + 1) if mask >> seat & 1])


cdef State blank_state():
    """A state with anything in it, for its maker to fill: game, tables, moves, match id, history and all structs."""
    global making
    making = True
    try:
        return State.__new__(State)
    finally:
        making = False


cdef State new_state(object game, bytes match_id):
    """A state of a match, for its maker to fill."""
    cdef State state = blank_state()
    state.game = game
    state.tables = game.tables
    state.moves = game.moves
    state.match_id = match_id
    state.history = b""
    state.header.loaded = state.header.hypothetical = False
    state.header.revision = 0
    return state


def opening_state(game, int first_seat, bytes match_id):
    """The state of a new match, waiting for the arrangements."""
    cdef State state = new_state(game, match_id)
    clear_position(state.position, state.evidence)
    state.position.first_seat = <uint8_t>first_seat
    return state


def fixed_state(game, list pieces, int first_seat, bytes match_id):
    """The state of a new match whose pieces have their places: (seat, square, kind) from 1 as numbers, sorted."""
    cdef State state = loaded_state(game, pieces, first_seat, (), match_id)
    state.header.loaded = False
    return state


def loaded_state(game, list pieces, int to_move, out, bytes match_id):
    """Any position: `pieces` are (seat, square, kind) from 1 as numbers, sorted; play begins with `to_move`."""
    cdef State state = new_state(game, match_id)
    cdef Outcome outcome
    clear_position(state.position, state.evidence)
    for seat, square, kind in pieces:
        add_piece(state.position, state.evidence, seat, square, square, kind)
    state.header.loaded = True
    state.position.first_seat = <uint8_t>to_move
    state.position.arranged = <uint8_t>((1 << (state.tables.rules.seats + 1)) - 2)
    for seat in out:
        state.position.out |= <uint8_t>(1 << <int>seat)
    scratch.length = 0
    begin_play(&state.tables.rules, state.position, &scratch, &outcome)
    return state


@cython.final
@cython.no_gc
@cython.freelist(8)
cdef class State:
    """One moment of a match. Immutable; compare with ==, keep with `to_bytes`."""

    def __cinit__(self):
        cdef Contents *contents
        if not making:
            raise TypeError("States come from game.start(), game.position(...) or engine_core.decode(...)")
        contents = take_contents()
        self.position, self.evidence, self.outcome = &contents.position, &contents.evidence, &contents.outcome

    def __dealloc__(self):
        if self.position != NULL:
            give_back_contents(<Contents *>self.position)

    cdef State successor(self):
        """A copy for the next action to change."""
        if self.header.revision >= MAX_REVISION:
            raise InvalidAction(f"The match has had {MAX_REVISION} actions, which is as many as a match can have.")
        cdef State state = blank_state()
        copy_position(state.position, self.position, state.evidence, self.evidence)
        state.header = self.header
        state.header.revision += 1
        state.history = self.history
        state.match_id = self.match_id
        state.game = self.game
        state.tables = self.tables
        state.moves = self.moves
        return state

    cdef void read_history(self, History *history) noexcept:
        cdef Py_ssize_t size
        if not self.tables.rules.keeps_history:
            history.length = 0
            return
        size = len(self.history)
        history.length = <int>(size // 2)
        memcpy(&history.moves[0], PyBytes_AS_STRING(self.history), size)

    cdef void keep_history(self, const History *history):
        if self.tables.rules.keeps_history:
            self.history = PyBytes_FromStringAndSize(<const char *>&history.moves[0], 2 * history.length)

    # What everybody may know.

    @property
    def phase(self):
        """ "arrangement", "play" or "ended"."""
        return _PHASES[self.position.phase]

    @property
    def to_move(self):
        """The seat to move, or None outside play."""
        return self.position.to_move or None

    @property
    def first_seat(self):
        """The seat that moves first."""
        return self.position.first_seat

    @property
    def ply(self):
        """Moves made."""
        return self.position.ply

    @property
    def revision(self):
        """Actions accepted, moves or not."""
        return self.header.revision

    @property
    def hypothetical(self):
        """Whether it is a sample, or follows from one: a match that is not the real one."""
        return self.header.hypothetical

    @property
    def result(self):
        """A Result, or None while the match goes on."""
        if self.position.phase != ENDED:
            return None
        return Result(_seats_in(self.position.winners), REASONS[self.position.reason - 1])

    @property
    def arranged(self):
        """The seats that have placed their pieces."""
        return _seats_in(self.position.arranged)

    @property
    def out(self):
        """The seats that are out of a match that goes on without them."""
        return _seats_in(self.position.out)

    @property
    def draw_agreed(self):
        """The seats that agree to the draw on offer, the one that offered it included; empty without an offer."""
        return _seats_in(self.position.agreed)

    @property
    def last_move(self):
        """The last Move, or None before the first."""
        if self.position.last_source == NONE:
            return None
        return self.moves.of(self.position.last_source << 8 | self.position.last_target)

    # What one viewer may know.

    def pieces(self):
        """The referee's knowledge: for each seat its pieces on the board, square to kind."""
        squares, kinds = self.game.squares, self.game.kinds
        board = {}
        cdef int seat, piece
        for seat in range(1, self.tables.rules.seats + 1):
            board[seat] = {
                squares[self.position.square[piece]]: kinds[self.position.kind[piece] - 1]
                for piece in range(self.position.first[seat], self.position.first[seat + 1])
                if self.position.square[piece] != OFF
            }
        return board

    def view(self, viewer):
        """What a viewer may see: a seat, SPECTATOR or REFEREE."""
        self.check_viewer(viewer)
        return build_view(self.game, &self.tables.rules, self.position, self.evidence, viewer)

    def knowledge(self, viewer):
        """All that a seat, or SPECTATOR, may know, as a value; see `engine_core.knowledge`."""
        from engine_core.knowledge import of_state  # it needs this module

        return of_state(self, viewer)

    def deduce(self, viewer):
        """Short for state.knowledge(viewer).deduce()."""
        return self.knowledge(viewer).deduce()

    def sample(self, viewer, n, seed):
        """Short for state.knowledge(viewer).sample(n, seed)."""
        return self.knowledge(viewer).sample(n, seed)

    cdef int check_viewer(self, viewer) except -1:
        # Plain numbers first: most viewers are.
        if type(viewer) is int and (viewer == 0 or viewer == 255 or 1 <= viewer <= self.tables.rules.seats):
            return 0
        if viewer not in (SPECTATOR, REFEREE, *self.game.seats):
            raise InvalidViewer(
                f"{viewer} is no viewer; a viewer is a seat from 1 to {self.tables.rules.seats}, SPECTATOR or REFEREE.",
                viewer=viewer,
            )
        return 0

    def legal_moves(self):
        """All legal moves of the seat to move, sorted by packed number; empty outside play. For that seat alone."""
        cdef int count = 0
        cdef const uint16_t *moves = self.list_moves(&count)
        return self.moves.listed(moves, count)

    cdef const uint16_t *list_moves(self, int *count) noexcept:
        """The sorted legal moves of the seat to move, and how many; good until the next call."""
        count[0] = 0
        if self.position.phase == PLAY:
            if self.tables.rules.more_squares:
                self.read_history(&scratch)
            count[0] = legal_moves(&self.tables.rules, self.position, &scratch, move_list)
        return move_list

    def legal_actions(self, seat):
        """The actions open to a seat: "arrange", "move", "resign", "offer-draw", "accept-draw", "decline-draw"."""
        self._seat(seat)
        cdef int mask = self.open_actions(seat)
        return tuple([word for place, word in enumerate(_ACTIONS) if mask >> place & 1])

    cdef int open_actions(self, int seat) noexcept:
        """The same as a mask, bits in the order of `OpenAction`; the seat exists."""
        cdef const Position *position = self.position
        cdef int actions = OPEN_RESIGN
        if position.phase == ENDED or position.out >> seat & 1:
            return 0
        if position.phase == ARRANGEMENT:
            return actions if position.arranged >> seat & 1 else actions | OPEN_ARRANGE
        if position.to_move == seat:
            actions |= OPEN_MOVE
        if not position.agreed:
            actions |= OPEN_OFFER_DRAW
        elif not position.agreed >> seat & 1:
            actions |= OPEN_ACCEPT_DRAW | OPEN_DECLINE_DRAW
        return actions

    # Actions.

    def arrange(self, seat, arrangement):
        """Place a seat's pieces: a mapping of squares to kinds, or (square, kind) pairs.

        InvalidArrangement lists every violation at once. When the last seat has arranged, play begins.
        """
        self._in_play(seat)
        if self.position.phase != ARRANGEMENT or self.position.arranged >> seat & 1:
            raise AlreadyArranged(f"Seat {seat} has arranged its pieces; an arrangement is final.", seat=seat)
        try:
            pairs = [(square, kind) for square, kind in getattr(arrangement, "items", lambda: arrangement)()]
        except (TypeError, ValueError):
            raise InvalidAction("An arrangement is a mapping of squares to kinds, or pairs of them.") from None
        wrong = violations(self.game.ruleset, seat, pairs)
        if wrong:
            raise InvalidArrangement(seat, wrong)
        kinds = {kind: number for number, kind in enumerate(self.game.kinds, 1)}
        placed = sorted((self.moves.squares[square], kinds[kind]) for square, kind in pairs)
        cdef State after = self.successor()
        cdef Outcome outcome
        cdef int other, piece
        clear_outcome(&outcome)
        clear_position(after.position, after.evidence)
        # Pieces are numbered by seat: those of the seats around this one are added again in their places.
        for other in range(1, self.tables.rules.seats + 1):
            if other == seat:
                for square, kind in placed:
                    add_piece(after.position, after.evidence, <uint8_t>seat, square, square, kind)
            for piece in range(self.position.first[other], self.position.first[other + 1]):
                add_piece(
                    after.position,
                    after.evidence,
                    <uint8_t>other,
                    self.evidence.start[piece],
                    self.position.square[piece],
                    self.position.kind[piece],
                )
        after.position.first_seat = self.position.first_seat
        after.position.out = self.position.out
        after.position.arranged = self.position.arranged | <uint8_t>(1 << seat)
        opening = (happened.SeatArranged(seat),)
        return _begin_when_placed(self, after, opening, &outcome)

    def play(self, move):
        """Make a move of the seat to move, given as a Move, a text such as "b3b4" or a packed number."""
        cdef int packed = self.moves.parse(move)
        if self.position.phase != PLAY:
            self._require_play()
        turn = self.played(<uint8_t>(packed >> 8), <uint8_t>(packed & 255))
        if turn is None:
            raise self._refusal(packed >> 8, packed & 255)
        return turn

    cdef object played(self, uint8_t source, uint8_t target):
        """The Turn of a move in play between two squares of the board; None when it is not legal."""
        cdef State after = self.successor()
        cdef Turn turn = turn_of(self, after, None, NULL)
        self.read_history(&scratch)
        if not is_legal(&self.tables.rules, self.position, &scratch, source, target):
            return None
        apply_move(&self.tables.rules, after.position, &scratch, source, target, after.outcome)
        record(&self.tables.rules, self.position, after.position, after.evidence, after.outcome)
        after.keep_history(&scratch)
        return turn

    def resign(self, seat):
        """A seat resigns, on its turn or not, during the arrangement too."""
        return self._leave(seat, REASON_RESIGNED)

    def forfeit(self, seat, cause):
        """A seat loses by a decision from outside: "time", "abandonment" or "ruling"."""
        if cause not in CAUSES:
            causes = ", ".join(CAUSES)
            message = f"{cause!r:.40} is no cause of a forfeit; the causes are {causes}."
            raise InvalidAction(message, cause=str(cause)[:40])
        return self._leave(seat, REASONS.index(cause) + 1)

    def adjudicate(self, winners):
        """End the match by a decision from outside: the winning seats, none for a draw. Partners win together."""
        self._not_over()
        cdef int mask = 0
        cdef uint8_t seat
        for winner in winners:
            self._seat(winner)
            if mask >> <int>winner & 1:
                raise InvalidAction(f"Seat {winner} is named twice among the winners.", seat=winner)
            mask |= 1 << <int>winner
        for seat in _seats_in(mask):
            if side_of(&self.tables.rules, self.tables.rules.team[seat]) & ~mask:
                raise InvalidAction(f"Seat {seat} wins together with its partners, or not at all.", seat=seat)
        if mask == (1 << (self.tables.rules.seats + 1)) - 2:
            raise InvalidAction("Not every seat can win; name no winners for a draw.")
        cdef State after = self.successor()
        finish(after.position, <uint8_t>mask, REASON_ADJUDICATED)
        return turn_of(self, after, (), NULL)

    def offer_draw(self, seat):
        """Offer a draw to all other seats in play. It stays open until it is answered, or another seat moves."""
        self._require_play()
        self._in_play(seat)
        if self.position.agreed:
            raise DrawOfferOpen("A draw is on offer already; it has to be answered first.")
        cdef State after = self.successor()
        after.position.agreed = <uint8_t>(1 << seat)
        return turn_of(self, after, (happened.DrawOffered(seat),), NULL)

    def accept_draw(self, seat):
        """Agree to the draw on offer; when all seats in play have, the match is drawn."""
        self._answer(seat)
        cdef State after = self.successor()
        after.position.agreed |= <uint8_t>(1 << seat)
        if after.position.agreed | after.position.out == (1 << (self.tables.rules.seats + 1)) - 2:
            finish(after.position, 0, REASON_AGREED_DRAW)
        return turn_of(self, after, (happened.DrawAccepted(seat),), NULL)

    def decline_draw(self, seat):
        """Decline the draw on offer."""
        self._answer(seat)
        cdef State after = self.successor()
        after.position.agreed = 0
        return turn_of(self, after, (happened.DrawDeclined(seat),), NULL)

    # The codec; `engine_core.codec` has the way back.

    def to_bytes(self):
        """The canonical bytes of this state; equal states have equal bytes. For the backend, never for players."""
        return self.written(CODEC_VERSION)

    cdef bytes written(self, uint8_t version):
        """The bytes in a version of the format."""
        cdef bytes data = PyBytes_FromStringAndSize(NULL, self.encoded_size())
        self.write_to(<uint8_t *>PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data), version)
        return data

    cdef size_t encoded_size(self) except 0:
        """How many bytes `write_to` writes, in any version of the format."""
        cdef bytes head = self.tables.head
        self.read_history(&scratch)
        return enclosed_size(head, self.match_id, b"", &self.tables.rules, self.position, self.evidence, &scratch)

    cdef int write_to(self, uint8_t *out, size_t size, uint8_t version) except -1:
        """Write the bytes, as many as `encoded_size` says."""
        cdef bytes head = self.tables.head
        self.read_history(&scratch)
        enclose(
            out,
            size,
            version,
            version,
            head,
            self.match_id,
            b"",
            &self.tables.rules,
            &self.header,
            self.position,
            self.evidence,
            &scratch,
        )
        return 0

    def __eq__(self, other):
        return self.to_bytes() == other.to_bytes() if isinstance(other, State) else NotImplemented

    def __hash__(self):
        return hash(self.to_bytes())

    def __reduce__(self):
        from engine_core.codec import decode

        return decode, (self.to_bytes(),)

    def __repr__(self):
        where = f"seat {self.to_move} to move" if self.position.phase == PLAY else self.phase
        return f"<State of {self.game.id}: ply {self.ply}, {where}>"

    # Checks that several actions share.

    def _seat(self, seat):
        if not isinstance(seat, int) or not 1 <= seat <= self.tables.rules.seats:
            raise InvalidSeat(f"There is no seat {seat}; seats are 1 to {self.tables.rules.seats}.", seat=seat)

    def _not_over(self):
        if self.position.phase == ENDED:
            raise MatchOver("The match has ended; nothing can be done in it any more.")

    def _in_play(self, seat):
        self._seat(seat)
        self._not_over()
        if self.position.out >> seat & 1:
            raise SeatOut(f"Seat {seat} is out of the match.", seat=seat)

    def _require_play(self):
        if self.position.phase == PLAY:
            return
        self._not_over()
        waiting = [
            seat
            for seat in range(1, self.tables.rules.seats + 1)
            if not (self.position.arranged | self.position.out) >> seat & 1
        ]
        names = ", ".join(map(str, waiting))
        raise ArrangementPending(f"Play has not begun: an arrangement of seat {names} is awaited.", seats=names)

    def _leave(self, seat, int reason):
        self._in_play(seat)
        cdef State after = self.successor()
        cdef Outcome outcome
        self.read_history(&scratch)
        leave(&self.tables.rules, after.position, &scratch, <uint8_t>seat, <uint8_t>reason, &outcome)
        if after.position.phase == ARRANGEMENT:
            return _begin_when_placed(self, after, (), &outcome)
        note_passes(&self.tables.rules, after.position, after.evidence, &outcome)
        return turn_of(self, after, (), &outcome)

    def _answer(self, seat):
        self._require_play()
        self._in_play(seat)
        if not self.position.agreed:
            raise NoDrawOffer("No draw is on offer.")
        if self.position.agreed >> seat & 1:
            raise NoDrawOffer(f"Seat {seat} has agreed to this draw already.", seat=seat)

    cdef object _refusal(self, int source, int target):
        """Why a move is refused, told with what the seat to move may know."""
        cdef const Position *position = self.position
        cdef int seat = position.to_move
        cdef int other = position.seat_at[target]
        squares = self.game.squares
        move = squares[source] + squares[target]
        if position.seat_at[source] != seat:
            why = f"{squares[source]} holds no piece of seat {seat}"
        elif source == target:
            why = "a piece cannot stay where it is"
        elif other and self.tables.rules.team[other] == self.tables.rules.team[seat]:
            why = f"{squares[target]} holds a piece of its own side"
        elif other and not self.tables.rules.displacement:
            why = f"{squares[target]} is occupied, and stones are not captured by moving onto them"
        elif other and self.tables.rules.camp[target]:
            why = f"{squares[target]} is an occupied camp"
        elif not reaches(
            &self.tables.rules,
            position,
            self.tables.rules.pattern[seat][position.kind[position.piece_at[source]]],
            <uint8_t>seat,
            <uint8_t>source,
            <uint8_t>target,
        ):
            why = f"the piece on {squares[source]} cannot go to {squares[target]}"
        else:
            why = "it would repeat what the rules on repeated moves bar"
        return IllegalMove(f"{move} is not legal: {why}.", move=move, seat=seat)


cdef Turn _begin_when_placed(State before, State after, tuple opening, const Outcome *outcome):
    """Begin play if this was the last arrangement that was awaited."""
    cdef Outcome begun
    cdef int seats = (1 << (after.tables.rules.seats + 1)) - 2
    if after.position.arranged | after.position.out != seats:
        return turn_of(before, after, opening, outcome)
    if outcome.eliminations:
        opening += (happened.SeatEliminated(outcome.eliminated[0], REASONS[outcome.cause[0] - 1]),)
    opening += (happened.PlayBegan(_first_in_play(after)),)
    scratch.length = 0
    begin_play(&after.tables.rules, after.position, &scratch, &begun)
    return turn_of(before, after, opening, &begun)


cdef int _first_in_play(State state):
    cdef int seat = state.position.first_seat
    while state.position.out >> seat & 1:
        seat = seat % state.tables.rules.seats + 1
    return seat
