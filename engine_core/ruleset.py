"""Rulesets: the rules of a game with its options chosen, in frozen dataclasses in which everything is spelt out."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from engine_core import schema
from engine_core.board import Board

_COUNT = re.compile(r"[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that is fixed when a match starts. `values[0]` is the default; "N" stands for a whole number from 1."""

    name: str
    meaning: str
    values: tuple[str, ...]

    @property
    def default(self) -> str:
        """The value of a match that does not name one."""
        return self.values[0]

    def normalize(self, value: object) -> str | None:
        """The canonical text of `value`, or None when the option has no such value."""
        text = str(value)
        if text in self.values and text != "N":
            return text
        return text if "N" in self.values and _COUNT.fullmatch(text) else None


@dataclass(frozen=True, slots=True)
class Movement:
    """How a kind moves: squares straight `forward`, `backward` and `sideways` (255 any distance), or `fly` to any.

    `hop`: also over one neighbouring piece to the empty square behind it. `leap`: along the file, over anything.
    """

    name: str
    forward: int
    backward: int
    sideways: int
    fly: bool
    hop: bool
    leap: bool
    road: bool
    rail: str

    @property
    def immobile(self) -> bool:
        """Whether a piece of this movement can never move."""
        return not (self.fly or self.hop or self.leap or self.road or self.forward or self.backward or self.sideways)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of piece and how many of it each seat has."""

    id: str
    letter: str
    name: str
    count: int
    movement: Movement


@dataclass(frozen=True, slots=True)
class Zone:
    """Where one seat may place its pieces: all squares, and for each kind (by index) those allowed to it."""

    squares: frozenset[int]
    allowed: tuple[frozenset[int], ...]


@dataclass(frozen=True, slots=True)
class Combat:
    """The whole matrix: `outcomes[attacker][defender]`, kinds by index: "A", "D", "B", with "!" when a flag falls.

    `reveal` is "none", "event" or "shown" (see rules of `battle_reveal`).
    """

    outcomes: tuple[tuple[str, ...], ...]
    reveal: str
    death_shows: tuple[tuple[int, int], ...] = ()
    """Pairs of kinds: the removal of the first shows its seat's pieces of the second."""
    borrows: tuple[int, ...] = ()
    """Kinds that defend with the strength of the piece of their side right behind them."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules of a game with its options chosen. Squares and kinds are indices; seats are 1 to 4."""

    id: str
    revision: int
    """Counts from 1; of several, new matches take the highest. It changes no rule."""
    name: str
    summary: str
    options: tuple[Option, ...]
    chosen: Mapping[str, str]
    board: Board
    teams: tuple[int, ...]
    """Team of each seat; equal numbers play together."""
    last_side_wins: bool
    """A beaten seat leaves and play goes on until one side is left; otherwise the match ends at once."""
    kinds: tuple[Kind, ...]
    zones: tuple[Zone, ...]
    combat: Combat | None
    custodial: schema.CustodialTable | None
    perfect_information: bool
    """Everybody sees every piece."""
    fixed_start: bool
    """Every piece has its place, and a match begins with play."""
    two_squares: int
    more_squares: bool
    headquarters_freeze: bool
    partner_view: bool
    endings: tuple[schema.EndingTable, ...]
    goal: tuple[frozenset[int], ...]
    """For each seat the squares that count as reached (flag-reached)."""
    line_barred: tuple[frozenset[int], ...]
    """For each seat the squares that do not count in a line."""
    ply_limit: int
    """Plies after which the match is drawn, 0 for no limit."""
    quiet_limit: int
    """Plies without capture or battle after which the match is drawn, 0 for no limit."""
    reveal_at_end: bool

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.teams)

    @property
    def roster_size(self) -> int:
        """Number of pieces of each seat."""
        return sum(kind.count for kind in self.kinds)
