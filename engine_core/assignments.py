"""How many ways there are to give the pieces of one seat their kinds, and drawing one of them; all exact.

Pieces that can be the same kinds are alike, and so are kinds that the same pieces can be: what is left is how many of
these go to those (see `engine_core.contingency`).
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property
from math import factorial, prod
from random import Random

from engine_core.contingency import Tables


class Assignments:
    """All assignments to pieces with these domains (bit 1 << kind, kinds from 0) of so many pieces of each kind."""

    def __init__(self, domains: Sequence[int], counts: Sequence[int]) -> None:
        held = sum(1 << kind for kind, count in enumerate(counts) if count)
        self._domains = [domain & held for domain in domains]
        self._counts = counts
        pieces: dict[int, list[int]] = defaultdict(list)
        for piece, domain in enumerate(self._domains):
            pieces[domain].append(piece)
        self._pieces = sorted(pieces.items())
        alike: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for kind, count in enumerate(counts):
            if count:
                alike[tuple(domain >> kind & 1 for domain, _ in self._pieces)].append(kind)
        self._kinds = sorted(alike.values())
        self._tables = Tables(
            [len(members) for _, members in self._pieces],
            [sum(counts[kind] for kind in kinds) for kinds in self._kinds],
            [
                [column for column, kinds in enumerate(self._kinds) if domain >> kinds[0] & 1]
                for domain, _ in self._pieces
            ],
        )

    @cached_property
    def _alike(self) -> int:
        """In how many ways pieces of the same kind can be exchanged."""
        return prod(map(factorial, self._counts))

    @property
    def count(self) -> int:
        """How many assignments there are."""
        return self._tables.weight // self._alike

    @cached_property
    def counts(self) -> list[dict[int, int]]:
        """For each piece: how many assignments give it a kind, for each kind that any does."""
        found: dict[int, dict[int, int]] = {domain: {} for domain, _ in self._pieces}
        for (row, column), total in self._tables.totals.items():
            domain, members = self._pieces[row]
            kinds = self._kinds[column]
            shares = self._alike * len(members) * sum(self._counts[kind] for kind in kinds)
            for kind in kinds if total else ():
                found[domain][kind] = total * self._counts[kind] // shares
        return [found[domain] for domain in self._domains]

    def draw(self, random: Random) -> list[int]:
        """A kind for each piece; all assignments are equally likely. There must be one."""
        placed: list[list[int]] = [[] for _ in self._pieces]
        taken: list[list[int]] = [[] for _ in self._kinds]
        for (row, column), number in self._tables.draw(random).items():
            placed[row] += [column] * number
        for (_, members), columns in zip(self._pieces, placed, strict=True):
            random.shuffle(columns)
            for piece, column in zip(members, columns, strict=True):
                taken[column].append(piece)
        drawn = [0] * len(self._domains)
        for pieces, kinds in zip(taken, self._kinds, strict=True):
            slots = [kind for kind in kinds for _ in range(self._counts[kind])]
            random.shuffle(slots)
            for piece, kind in zip(pieces, slots, strict=True):
                drawn[piece] = kind
        return drawn


def usable(domains: Sequence[int], counts: Sequence[int]) -> list[int] | None:
    """The domains without kinds that singletons use up; None when a kind is used more often than it is there."""
    remaining = list(domains)
    while True:
        used = Counter(domain for domain in remaining if domain.bit_count() == 1)
        if any(number > counts[domain.bit_length() - 1] for domain, number in used.items()):
            return None
        full = sum(domain for domain, number in used.items() if number == counts[domain.bit_length() - 1])
        narrowed = [domain if domain.bit_count() == 1 else domain & ~full for domain in remaining]
        if narrowed == remaining:
            return remaining
        if not all(narrowed):
            return None
        remaining = narrowed
