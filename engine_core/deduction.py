"""What follows for hidden pieces from what one viewer may know: the kinds they can be, how often, and whole samples.

An assignment gives every piece a kind. It is consistent when each seat's pieces are its roster, every piece started
where its kind may, moved as its kind can, and every battle and every ending that did not happen went as the kinds
decide. Left out is one thing: that a seat which was to move had a move, or had none and was passed over.

A battle between two pieces that are both hidden ties their kinds together. Such ties are taken apart into worlds in
which each piece can be judged for itself, as long as there are at most `MAX_WORLDS`; beyond that kinds are still only
left out when no assignment has them, but counts are upper bounds, and `exact` is False. Samples fit all ties in any
case (see `engine_core.forest`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from math import prod
from typing import TYPE_CHECKING

from engine_core.assignments import Assignments, matched, possible, usable
from engine_core.errors import StateError
from engine_core.forest import Forest
from engine_core.sampler import Sampler
from engine_core.ties import Domains, Ties

if TYPE_CHECKING:
    from engine_core.knowledge import Knowledge

MAX_WORLDS = 128
"""Worlds into which ties are taken apart; with more, ties count only as far as single kinds go."""


class DeducedPiece:
    """A piece whose kind the viewer does not know. Equal by value."""

    def __init__(
        self, seat: int, origin: str, square: str | None, kinds: tuple[str, ...], count: Callable[[], Mapping[str, int]]
    ) -> None:
        self.seat = seat
        self.origin = origin
        """The square on which it started, which names it."""
        self.square = square
        """Where it stands, or None when it has left the board."""
        self.kinds = kinds
        """The kinds that it can still be, in the order of game.kinds."""
        self._count = count

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DeducedPiece):
            return NotImplemented
        return self._named() == other._named() and self.counts == other.counts

    def __hash__(self) -> int:
        return hash(self._named())

    def _named(self) -> tuple[int, str, str | None, tuple[str, ...]]:
        return self.seat, self.origin, self.square, self.kinds

    def __repr__(self) -> str:
        return f"DeducedPiece(seat={self.seat}, origin={self.origin!r}, square={self.square!r}, kinds={self.kinds})"

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """For each kind that it can still be: the number of consistent assignments in which it is that kind."""
        return self._count()

    def probability(self, kind: str) -> Fraction:
        """How likely a kind is when all consistent assignments are equally likely; 0 for one that it cannot be."""
        return Fraction(self.counts.get(kind, 0), sum(self.counts.values()))


class Deduction:
    """What follows from a `Knowledge`: `pieces`, `count` and `exact`. A function of the knowledge alone."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._pieces = knowledge.pieces()
        self._ties = Ties(knowledge)
        numbered = list(enumerate(self._pieces))
        self._seats = {
            seat: [number for number, piece in numbered if piece[0] == seat] for seat in knowledge.game.seats
        }
        self._rosters = {seat: tuple(knowledge.counts(seat)) for seat in self._seats}

    @cached_property
    def _worlds(self) -> tuple[list[Domains], bool]:
        """Lists of domains, each a world in which any choice fits all battles; and whether that is so."""
        first = self._narrowed([piece[3] for piece in self._pieces])
        worlds: list[Domains] = []
        waiting = deque([] if first is None else [first])
        while waiting and len(worlds) + len(waiting) < MAX_WORLDS:
            domains = waiting.popleft()
            parts = self._ties.split(domains)
            if parts is None:
                worlds.append(domains)
            else:
                waiting += [part for part in map(self._narrowed, parts) if part is not None]
        if waiting and first is not None:
            return [first], False
        return worlds, True

    def _narrowed(self, domains: Domains) -> Domains | None:
        """The domains without what battles, or the number of pieces of a kind, exclude; None when nothing is left."""
        while True:
            narrowed = self._knowledge.narrowed(domains)
            if narrowed is None:
                return None
            for seat, numbers in self._seats.items():
                kept = usable([narrowed[number] for number in numbers], self._rosters[seat])
                if kept is None:
                    return None
                for number, domain in zip(numbers, kept, strict=True):
                    narrowed[number] = domain
            if narrowed == domains:
                return narrowed
            domains = narrowed

    def _of_seats(self, domains: Domains) -> Iterator[tuple[list[int], Assignments]]:
        """For each seat that has pieces: their numbers, and their assignments in a world."""
        for seat, numbers in self._seats.items():
            if numbers:
                yield numbers, _assignments(tuple(domains[number] for number in numbers), self._rosters[seat])

    @cached_property
    def _weights(self) -> list[int]:
        """How many assignments each world holds."""
        return [prod(assignments.count for _, assignments in self._of_seats(domains)) for domains in self._worlds[0]]

    @property
    def exact(self) -> bool:
        """Whether all ties between hidden pieces were used; if not, there can be too many kinds and too high counts."""
        return self._worlds[1]

    @property
    def count(self) -> int:
        """The number of consistent assignments."""
        return sum(self._weights)

    @cached_property
    def pieces(self) -> tuple[DeducedPiece, ...]:
        """The pieces whose kinds the viewer does not know, by seat and start square. Counting waits until asked for."""
        game = self._knowledge.game
        kinds = self._possible()
        names = {
            domain: tuple([name for kind, name in enumerate(game.kinds) if domain >> kind & 1]) for domain in set(kinds)
        }
        known, squares = self._knowledge.kinds(), game.squares
        return tuple(
            [
                DeducedPiece(
                    seat,
                    squares[start],
                    None if square is None else squares[square],
                    names[kinds[number]],
                    partial(self._count, number),
                )
                for number, (seat, start, square, _) in enumerate(self._pieces)
                if not known[number]
            ]
        )

    def _possible(self) -> list[int]:
        """For each piece the kinds that it has in any assignment, bit 1 << (kind - 1)."""
        found = [0] * len(self._pieces)
        for domains in self._worlds[0]:
            seats = [
                (numbers, possible([domains[number] for number in numbers], self._rosters[seat]))
                for seat, numbers in self._seats.items()
                if numbers
            ]
            for numbers, kinds in seats if all(kinds is not None for _, kinds in seats) else ():
                for number, more in zip(numbers, kinds or (), strict=True):
                    found[number] |= more
        return found

    def _count(self, number: int) -> Mapping[str, int]:
        kinds = self._knowledge.game.kinds
        return {kinds[kind]: times for kind, times in sorted(self._counts[number].items())}

    @cached_property
    def _counts(self) -> list[dict[int, int]]:
        """For each piece: in how many assignments it is which kind."""
        counts: list[dict[int, int]] = [{} for _ in self._pieces]
        for domains, weight in zip(self._worlds[0], self._weights, strict=True):
            if not weight:
                continue
            for numbers, assignments in self._of_seats(domains):
                others = weight // assignments.count
                for number, kinds in zip(numbers, assignments.counts, strict=True):
                    for kind, times in kinds.items():
                        counts[number][kind] = counts[number].get(kind, 0) + times * others
        return counts

    def example(self) -> list[int] | None:
        """Kinds, from 1, for all pieces that fit, found without counting; None when there are none.

        Where `exact` is False they fit each piece, but not all ties.
        """
        for domains in self._worlds[0]:
            kinds = [0] * len(self._pieces)
            for seat, numbers in self._seats.items():
                found = matched([domains[number] for number in numbers], self._rosters[seat]) if numbers else []
                if found is None:
                    break
                for number, kind in zip(numbers, found, strict=True):
                    kinds[number] = kind + 1
            else:
                return kinds
        return None

    def sampler(self, seed: int) -> Sampler:
        """A source of consistent assignments. StateError (STATE_EVIDENCE) when there are none."""
        if self.example() is None:
            raise StateError("STATE_EVIDENCE", "No kinds of the hidden pieces fit this knowledge.")
        if not self.exact:
            return Sampler([], self._forest(self._worlds[0][0]), seed)
        worlds = [
            (weight, list(self._of_seats(domains)))
            for domains, weight in zip(self._worlds[0], self._weights, strict=True)
        ]
        return Sampler(worlds, None, seed)

    def _forest(self, domains: Domains) -> Forest:
        """Draws of assignments that fit all ties, from domains that they narrow."""
        seats = [piece[0] for piece in self._pieces]
        rosters = [list(roster) for roster in self._rosters.values()]
        return Forest(seats, domains, rosters, self._ties.pairs(domains), self._ties.borrowed(domains))


@lru_cache(maxsize=256)
def _assignments(domains: tuple[int, ...], roster: tuple[int, ...]) -> Assignments:
    return Assignments(domains, roster)
