"""A game: its board, pieces, ways to move and to end, and the arrangements it allows."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from .board import Board
from .contact import Contact
from .endings import Ending
from .match import Match
from .movement import Movement
from .restrictions import Setup

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
    sanctuaries: tuple[str, ...] = ()
    """Squares that nobody can enter while a piece stands there."""
    restrictions: tuple[Setup, ...] = ()
    counts_occurrences: bool = False
    opens_claims: bool = False
    seats: int = 2

    @property
    def squares(self) -> list[str]:
        return list(self.board.names)

    @property
    def kinds(self) -> list[str]:
        return list(self.roster)

    @property
    def all_seats(self) -> range:
        return range(1, self.seats + 1)

    def next_seat(self, seat: int) -> int:
        return seat % self.seats + 1

    def opponent(self, seat: int) -> int:
        """The one enemy of a seat in a game of two."""
        return 3 - seat

    def zone(self, seat: int) -> list[str]:
        """The squares on which a seat arranges its pieces."""
        rows = self.board.rows(seat, range(self.home_rows))
        return [self.board.names[square] for square in rows]

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
        """A match in which the seats have yet to arrange their pieces."""
        self._require_seat(first_seat)
        return Match(self, first_seat)

    def position(self, pieces: Pieces, to_move: int) -> Match:
        """A match that begins with these pieces, which need not be a legal arrangement."""
        self._require_seat(to_move)
        taken: set[str] = set()
        for seat, men in pieces.items():
            self._require_seat(seat)
            for name, kind in men.items():
                if name not in self.board.index or kind not in self.roster or name in taken:
                    raise ValueError(f"cannot put a {kind} on {name}")
                taken.add(name)
        match = Match(self, to_move)
        match.load(pieces)
        return match

    def _require_seat(self, seat: int) -> None:
        if seat not in self.all_seats:
            raise ValueError(f"no such seat: {seat}")
