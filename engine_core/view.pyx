# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False
"""Views, built up from nothing: a square, a kind or a flag enters only where a rule below lets this viewer have it."""

cimport cython

from typing import NamedTuple

from libc.stdint cimport uint8_t
from libc.string cimport memset

from engine_core.diagram import text_diagram

from engine_core.integrity cimport owner_of
from engine_core.notation cimport MoveTable
from engine_core.state cimport ENDED, MARK_ARRIVED, MARK_MOVED, MARK_NAMED, MARK_SHOWN, MARK_UNCLAIMED, OFF
from engine_core.tables cimport MAX_SEATS, NONE, ROLE_CLAIMS

SPECTATOR = 0
REFEREE = 255

EMPTY = 0
HIDDEN = 255

cdef enum:
    UNKNOWN = 255  # HIDDEN, for C
    UMPIRE = 255  # REFEREE, for C

cdef enum:
    FLAG_MOVED = 1
    FLAG_SHOWN = 2
    FLAG_LAST_SOURCE = 4
    FLAG_LAST_TARGET = 8
    FLAG_CLAIM = 16

MOVED = FLAG_MOVED
SHOWN = FLAG_SHOWN
LAST_SOURCE = FLAG_LAST_SOURCE
LAST_TARGET = FLAG_LAST_TARGET
CLAIM = FLAG_CLAIM


class Captured(NamedTuple):
    """A piece that has left the board: its seat, its start square (index + 1), its kind (index + 1) or HIDDEN."""

    seat: int
    origin: int
    kind: int


@cython.final
cdef class View:
    """What one viewer may see: `seats`, `kinds`, `origins` and `flags`, one byte a square in the order of game.squares.

    seats: 1 to 4, 0 for an empty square. kinds: the place in game.kinds from 1, 0 for empty, 255 for a kind that the
    viewer may not know. origins: the square, from 1, on which the piece started; 0 for empty. flags: a sum of MOVED (it
    has moved), SHOWN (its kind is on every board), LAST_SOURCE and LAST_TARGET (of the last move) and CLAIM (the
    piece claims the match; for its own seat and the referee, or for everybody where claims are announced).
    `captured_seats`, `captured_origins` and `captured_kinds` hold one byte for each piece that has left the board.
    """

    @property
    def captured(self):
        """The pieces that have left the board, one by one."""
        return tuple(map(Captured, self.captured_seats, self.captured_origins, self.captured_kinds))

    def diagram(self):
        """The board as text: seat 1 at the bottom, hidden pieces as backs, the last move marked."""
        return text_diagram(self)

    def svg(self, moves=(), *, source=None, orientation=1, size=None):
        """The board as an SVG drawing: every square and piece with its name as a title, backs for hidden pieces.

        Marked are the last move, the pieces that are on every board, and a claim as far as this viewer may see it.
        `moves`: moves to show, such as state.legal_moves(); each a Move, a text or a packed number (MalformedMove
        for anything else). With `source`, a square's name, those from that square alone. `orientation`: the seat at
        the bottom (InvalidSeat). `size`: the width in pixels, 48 a square where it is not given. The drawing depends on
        the view and these arguments alone; a seat's legal moves are for that seat.
        """
        from engine_core.svg import svg_diagram  # it needs this module's names

        cdef MoveTable table = self.game.moves
        return svg_diagram(self, [table.parse(move) for move in moves], source, orientation, size)

    def _repr_svg_(self):
        return self.svg()

    def _key(self):
        return (
            self.game.digest, self.viewer, self.seats, self.kinds, self.origins, self.flags,
            self.captured_seats, self.captured_origins, self.captured_kinds, bytes((self.claim_pending,)),
        )

    def __eq__(self, other):
        return self._key() == (<View>other)._key() if isinstance(other, View) else NotImplemented

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        who = {SPECTATOR: "the spectator", REFEREE: "the referee"}.get(self.viewer, f"seat {self.viewer}")
        return f"<View of {self.game.id} for {who}: {' '.join(column.hex() for column in self._key()[2:])}>"


cdef bint knows_seat(const Rules *rules, const Position *position, int viewer, int seat) noexcept nogil:
    """Whether a viewer knows all pieces of a seat, whatever they have shown."""
    if viewer == UMPIRE or seat == viewer or rules.perfect_information:
        return True
    if position.phase == ENDED and rules.reveal_at_end:
        return True
    if not (rules.partner_view and position.begun and 1 <= viewer <= rules.seats):
        return False
    return rules.team[seat] == rules.team[viewer]


cdef bint knows_claim(const Rules *rules, int viewer, int seat) noexcept nogil:
    """Whether a viewer knows whether a seat claims the match."""
    return viewer == UMPIRE or seat == viewer or rules.claims_announced


cdef inline uint8_t _told(uint8_t kind, uint8_t known) noexcept nogil:
    return kind | UNKNOWN * <uint8_t>(known == 0)  # without a branch: UNKNOWN has all bits


cdef void _mark_claim(
    const Rules *rules, const Position *position, const Evidence *evidence, int seat, Columns *columns
) noexcept nogil:
    """Mark the pieces with which a seat claims the match, for viewers that may know of it."""
    cdef int piece, square
    for piece in range(position.first[seat], position.first[seat + 1]):
        square = position.square[piece]
        if (
            square != OFF
            # Of a hidden kind, what claims is known by its arrival.
            and (rules.role[position.kind[piece]] & ROLE_CLAIMS or position.kind[piece] == 0)
            and evidence.marks[piece] & (MARK_ARRIVED | MARK_UNCLAIMED) == MARK_ARRIVED
            and rules.goal[square] >> seat & 1
        ):
            columns.board.flags[square] |= FLAG_CLAIM
            columns.claim_pending = True


cdef void look_at_board(
    const Rules *rules, const Position *position, const Evidence *evidence, int viewer, Columns *columns
) noexcept nogil:
    """Fill in where pieces stand, whence they came and what they have done: once play has begun, the same for all.

    This and `look_at_kinds` fill in what a viewer may see. Nothing else goes into a view or an update.
    """
    cdef int seat, piece, square, index, gone = 0
    cdef uint8_t marks
    memset(&columns.board, 0, sizeof(columns.board))
    for seat in range(1, rules.seats + 1):
        if not (position.begun or knows_seat(rules, position, viewer, seat)):
            continue  # where another seat has placed its pieces is nobody's business before play begins
        for piece in range(position.first[seat], position.first[seat + 1]):
            square = position.square[piece]
            marks = evidence.marks[piece]
            # Which pieces are gone is hard to predict; no branch depends on it. A square that is none takes them.
            columns.captured_pieces[gone] = <uint8_t>piece
            gone += square == OFF
            columns.board.seats[square] = <uint8_t>seat
            columns.board.origins[square] = evidence.start[piece] + 1
            columns.board.flags[square] = (
                FLAG_MOVED if marks & MARK_MOVED else 0
            ) | (FLAG_SHOWN if marks & MARK_SHOWN else 0)
    columns.captured = gone
    for index in range(gone):
        piece = columns.captured_pieces[index]
        columns.captured_seats[index] = owner_of(position, piece)
        columns.captured_origins[index] = evidence.start[piece] + 1
    if position.last_source != NONE:
        columns.board.flags[position.last_source] |= FLAG_LAST_SOURCE
        columns.board.flags[position.last_target] |= FLAG_LAST_TARGET


cdef void look_at_kinds(
    const Rules *rules, const Position *position, const Evidence *evidence, int viewer, Columns *columns
) noexcept nogil:
    """Fill in the kinds that a viewer may know, and mark the claims, on the board that `look_at_board` has filled in.
    """
    cdef int seat, piece, index
    cdef uint8_t given[MAX_SEATS + 1]
    columns.claim_pending = False
    for seat in range(1, rules.seats + 1):
        given[seat] = MARK_NAMED | MARK_SHOWN if knows_seat(rules, position, viewer, seat) else 0
        if not (given[seat] or position.begun):
            continue
        for piece in range(position.first[seat], position.first[seat + 1]):
            columns.board.kinds[position.square[piece]] = _told(
                position.kind[piece], (evidence.marks[piece] | given[seat]) & MARK_SHOWN
            )
        if position.claims >> seat & 1 and knows_claim(rules, viewer, seat):
            _mark_claim(rules, position, evidence, seat, columns)
    for index in range(columns.captured):
        piece = columns.captured_pieces[index]
        columns.captured_kinds[index] = _told(
            position.kind[piece], (evidence.marks[piece] | given[columns.captured_seats[index]]) & MARK_NAMED
        )


cdef View build_view(object game, const Rules *rules, const Position *position, const Evidence *evidence, int viewer):
    cdef View view = View.__new__(View)
    cdef Columns columns
    look_at_board(rules, position, evidence, viewer, &columns)
    look_at_kinds(rules, position, evidence, viewer, &columns)
    view.game = game
    view.viewer = viewer
    view.captured_seats = columns.captured_seats[:columns.captured]
    view.captured_origins = columns.captured_origins[:columns.captured]
    view.captured_kinds = columns.captured_kinds[:columns.captured]
    view.seats = columns.board.seats[:rules.squares]
    view.kinds = columns.board.kinds[:rules.squares]
    view.origins = columns.board.origins[:rules.squares]
    view.flags = columns.board.flags[:rules.squares]
    view.claim_pending = columns.claim_pending
    return view
