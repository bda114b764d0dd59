# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False
"""Views, built up from nothing: a square, a kind or a flag enters only where a rule below lets this viewer have it."""

cimport cython

from typing import NamedTuple

from libc.stdint cimport uint8_t
from libc.string cimport memset

from engine_core.diagram import text_diagram

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

MOVED = 1
SHOWN = 2
LAST_SOURCE = 4
LAST_TARGET = 8
CLAIM = 16


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


cdef View build_view(object game, const Rules *rules, const Position *position, const Evidence *evidence, int viewer):
    cdef View view = View.__new__(View)
    cdef uint8_t seats[256]
    cdef uint8_t kinds[256]
    cdef uint8_t origins[256]
    cdef uint8_t flags[256]
    cdef uint8_t gone_seats[255]
    cdef uint8_t gone_origins[255]
    cdef uint8_t gone_kinds[255]
    cdef int seat, piece, square, gone = 0
    cdef bint own
    memset(seats, 0, 256)
    memset(kinds, 0, 256)
    memset(origins, 0, 256)
    memset(flags, 0, 256)
    view.claim_pending = False
    for seat in range(1, MAX_SEATS + 1):
        own = knows_seat(rules, position, viewer, seat)
        if not (own or position.begun):
            continue  # where another seat has placed its pieces is nobody's business before play begins
        for piece in range(position.first[seat], position.first[seat + 1]):
            square = position.square[piece]
            if square == OFF:
                gone_seats[gone] = <uint8_t>seat
                gone_origins[gone] = evidence.start[piece] + 1
                gone_kinds[gone] = position.kind[piece] if own or evidence.marks[piece] & MARK_NAMED else UNKNOWN
                gone += 1
                continue
            seats[square] = <uint8_t>seat
            kinds[square] = position.kind[piece] if own or evidence.marks[piece] & MARK_SHOWN else UNKNOWN
            origins[square] = evidence.start[piece] + 1
            if evidence.marks[piece] & MARK_MOVED:
                flags[square] |= MOVED
            if evidence.marks[piece] & MARK_SHOWN:
                flags[square] |= SHOWN
            if (
                knows_claim(rules, viewer, seat)
                and position.claims >> seat & 1
                # Of a hidden kind, what claims is known by its arrival.
                and (rules.role[position.kind[piece]] & ROLE_CLAIMS or position.kind[piece] == 0)
                and evidence.marks[piece] & (MARK_ARRIVED | MARK_UNCLAIMED) == MARK_ARRIVED
                and rules.goal[square] >> seat & 1
            ):
                flags[square] |= CLAIM
                view.claim_pending = True
    if position.last_source != NONE:
        flags[position.last_source] |= LAST_SOURCE
        flags[position.last_target] |= LAST_TARGET
    view.game = game
    view.viewer = viewer
    view.captured_seats = gone_seats[:gone]
    view.captured_origins = gone_origins[:gone]
    view.captured_kinds = gone_kinds[:gone]
    view.seats = seats[:rules.squares]
    view.kinds = kinds[:rules.squares]
    view.origins = origins[:rules.squares]
    view.flags = flags[:rules.squares]
    return view
