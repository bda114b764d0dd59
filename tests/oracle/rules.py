"""A game: its board, pieces, ways to move and to end, and the arrangements it allows."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from .board import Board
from .contact import Contact
from .endings import Ending
from .match import Match
from .movement import Movement
from .restrictions import Setup
from .sides import Sides
from .turns import TurnRule, loses_when_stuck

Pieces = Mapping[int, Mapping[str, str]]
"""By seat the kind on each named square."""


@dataclass(frozen=True, eq=False)
class Rules:
    """A game with its options settled."""

    name: str
    options: dict[str, str]
    board: Board
    roster: dict[str, int]
    home_rows: int
    movement: Mapping[str, Movement | None]
    """None for a kind that cannot move."""
    contact: Contact
    endings: tuple[Ending, ...]
    placement: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For kinds that may not start everywhere at home: where they may, from seat 1's side."""
    kept_clear: tuple[str, ...] = ()
    """Squares at home, from seat 1's side, on which nothing may start."""
    fixed_start: Mapping[str, str] | None = None
    """Seat 1's pieces where all seats always begin in the same way; nothing is hidden then."""
    sanctuaries: tuple[str, ...] = ()
    """Squares that nobody can enter while a piece stands there."""
    frozen: frozenset[int] = frozenset()
    """Squares that nothing ever leaves."""
    restrictions: tuple[Setup, ...] = ()
    counts_occurrences: bool = False
    opens_claims: bool = False
    announces_claims: bool = False
    """Everybody learns of a claim; otherwise its owner alone."""
    shows_flag_with: str | None = None
    """With the fall of a piece of this kind its owner's flag is shown to everybody."""
    turn_rule: TurnRule = loses_when_stuck
    sides: Sides = Sides()  # noqa: RUF009 - it is frozen

    @property
    def squares(self) -> list[str]:
        return list(self.board.names)

    @property
    def kinds(self) -> list[str]:
        return list(self.roster)

    @property
    def seats(self) -> int:
        return len(self.sides.seats)

    @property
    def all_seats(self) -> range:
        return self.sides.seats

    @cached_property
    def sanctuary_squares(self) -> frozenset[int]:
        return frozenset(self.board.index[name] for name in self.sanctuaries)

    @cached_property
    def partner_view(self) -> bool:
        """Whether partners see each other's kinds."""
        return self.options.get("partner_view") == "on"

    def opponent(self, seat: int) -> int:
        """The one enemy of a seat in a game of two."""
        return 3 - seat

    def zone(self, seat: int) -> list[str]:
        """The squares on which a seat arranges its pieces."""
        clear = self.board.for_seat(self.kept_clear, seat)
        rows = self.board.rows(seat, range(self.home_rows))
        return [self.board.names[square] for square in rows if square not in clear]

    def arrangement_problems(self, seat: int, pieces: Mapping[str, str]) -> set[str]:
        """What is wrong with an arrangement; nothing when it is legal."""
        zone = set(self.zone(seat))
        problems = set()
        counts = dict.fromkeys(self.roster, 0)
        for name, kind in pieces.items():
            if kind in counts:
                counts[kind] += 1
            else:
                problems.add("unknown-kind")
            if name not in zone:
                problems.add("outside-zone")
            elif not self._may_start(seat, name, kind):
                problems.add("kind-not-allowed-here")
        if counts != self.roster:
            problems.add("wrong-count")
        return problems

    def _may_start(self, seat: int, name: str, kind: str) -> bool:
        if kind not in self.placement:
            return True
        return self.board.index[name] in self.board.for_seat(self.placement[kind], seat)

    def start(self, first_seat: int = 1) -> Match:
        """A match in which the seats have yet to arrange their pieces, if that is up to them."""
        self._require_seat(first_seat)
        match = Match(self, first_seat)
        if self.fixed_start is not None:
            fixed = self.fixed_start.items()
            names, turned = self.board.names, self.board.turned
            match.load({seat: {names[turned(name, seat)]: kind for name, kind in fixed} for seat in self.all_seats})
        return match

    def position(self, pieces: Pieces, to_move: int, out: Collection[int] = ()) -> Match:
        """A match that begins with these pieces, which need not be a legal arrangement.

        Seats may be out already, as long as that has not decided the match.
        """
        for seat in (to_move, *pieces, *out):
            self._require_seat(seat)
        if len(self.sides.remaining(out)) < 2 or to_move in out or any(pieces.get(seat) for seat in out):
            raise ValueError(f"these seats cannot be out: {sorted(out)}")
        taken: set[str] = set()
        for men in pieces.values():
            for name, kind in men.items():
                if name not in self.board.index or kind not in self.roster or name in taken:
                    raise ValueError(f"cannot put a {kind} on {name}")
                taken.add(name)
        match = Match(self, to_move, frozenset(out))
        match.load(pieces)
        return match

    def _require_seat(self, seat: int) -> None:
        if seat not in self.all_seats:
            raise ValueError(f"no such seat: {seat}")
