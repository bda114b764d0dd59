"""Who plays together, and what it takes for a side to lose."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from .endings import Result


@dataclass(frozen=True)
class Sides:
    """Teams of one seat or more; a side loses when all its seats are out, or the first of them."""

    teams: tuple[frozenset[int], ...] = (frozenset({1}), frozenset({2}))
    falls_with_one: bool = False
    pieces_leave: bool = False
    """The pieces of a seat that goes out leave the board."""
    reason: str | None = None
    """Why the last side wins, unless it is what put the last seat out."""

    @cached_property
    def seats(self) -> range:
        return range(1, 1 + sum(map(len, self.teams)))

    @cached_property
    def number(self) -> tuple[int, ...]:
        """For each seat that of its team, with 0 for nobody."""
        return (0, *(next(n for n, team in enumerate(self.teams, 1) if seat in team) for seat in self.seats))

    def partners(self, seat: int) -> frozenset[int]:
        return self.teams[self.number[seat] - 1] - {seat}

    def remaining(self, out: Collection[int]) -> list[frozenset[int]]:
        """The sides that have not lost."""
        needed = any if self.falls_with_one else all
        return [team for team in self.teams if not needed(seat in out for seat in team)]

    def decided(self, out: Collection[int], cause: str) -> Result | None:
        """The result once only one side is left; it wins as a whole."""
        remaining = self.remaining(out)
        return (remaining[0], self.reason or cause) if len(remaining) == 1 else None

    def may_win(self, winners: frozenset[int]) -> bool:
        """Whether these are whole sides, and not all of them; nobody at all makes a draw."""
        whole = frozenset(seat for team in self.teams if team <= winners for seat in team)
        return whole == winners and winners < frozenset(self.seats)
