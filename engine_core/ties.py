"""Battles between two pieces that are both hidden: each ties two kinds together."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine_core.knowledge import Knowledge

Domains = list[int]
"""For each piece the kinds that it can be, with bit 1 << (kind - 1)."""

Tie = tuple[int, int, list[int], list[int]]
"""Two pieces; the kinds of the second that fit each kind of the first; and the other way round."""

BorrowedTie = tuple[int, int, int, list[int], int, list[int]]
"""Attacker, defender, what stood behind it; for each kind of the first what the second can be; the borrowing kinds that
the second can be; for each kind of the first what the third can be then."""


class Ties:
    """The battles that a viewer knows of, as ties between the kinds of pieces."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._kinds = range(1, len(knowledge.game.kinds) + 1)
        self._borrowing = knowledge.borrowing()

    @cached_property
    def _battles(self) -> list[tuple[int, int, int | None, int]]:
        return self._knowledge.battles()

    @cached_property
    def _outcome(self) -> dict[tuple[int, int], int]:
        outcome = self._knowledge.outcome
        return {(one, two): outcome(one, two) for one in self._kinds for two in self._kinds}

    def split(self, domains: Domains) -> list[Domains] | None:
        """Parts that together allow what the domains and the battles allow, or None when no battle ties two pieces.

        Where none does, every choice of a kind for each piece fits all battles. The domains are narrowed: a kind that
        no kind of the opponent fits is gone from them.
        """
        for attacker, defender, support, outcome in self._knowledge.undecided(domains):
            opponent = defender
            if support is not None and domains[defender] & self._borrowing:
                if domains[defender] & ~self._borrowing:
                    borrows = domains[defender] & self._borrowing
                    return [_with(domains, defender, part) for part in (borrows, domains[defender] & ~borrows)]
                opponent = support
            rows, columns = self._alike(domains[attacker], domains[opponent], outcome)
            if len(rows) > 1:
                piece, parts = (attacker, rows) if len(rows) <= len(columns) else (opponent, columns)
                return [_with(domains, piece, part) for part in parts]
        return None

    def pairs(self, domains: Domains) -> list[Tie]:
        """The ties of two pieces. A defender that may have borrowed its strength fits any attacker there."""
        found = []
        for attacker, defender, support, outcome in self._battles:
            borrows = domains[defender] & self._borrowing if support is not None else 0
            opponent = support if support is not None and borrows == domains[defender] else defender
            fits, back = self._fits(domains[attacker], domains[opponent], outcome)
            if opponent == defender and borrows:
                fits = [kinds | borrows for kinds in fits]
                back = [domains[attacker] if borrows >> kind & 1 else kinds for kind, kinds in enumerate(back)]
            if len({fits[kind - 1] for kind in self._in(domains[attacker])}) > 1:
                found.append((attacker, opponent, fits, back))
        return found

    def borrowed(self, domains: Domains) -> list[BorrowedTie]:
        """The ties of three pieces: those of defenders that may have borrowed their strength, but need not have."""
        found = []
        for attacker, defender, support, outcome in self._battles:
            borrows = domains[defender] & self._borrowing
            if support is not None and borrows and borrows != domains[defender]:
                fits, _ = self._fits(domains[attacker], domains[defender], outcome)
                behind, _ = self._fits(domains[attacker], domains[support], outcome)
                found.append((attacker, defender, support, fits, borrows, behind))
        return found

    def _fits(self, one: int, two: int, outcome: int) -> tuple[list[int], list[int]]:
        """For each kind of either side those of the other with which it has the outcome."""
        fits, back = [0] * len(self._kinds), [0] * len(self._kinds)
        for attacker in self._in(one):
            for defender in self._in(two):
                if self._outcome[attacker, defender] == outcome:
                    fits[attacker - 1] |= 1 << (defender - 1)
                    back[defender - 1] |= 1 << (attacker - 1)
        return fits, back

    def _alike(self, one: int, two: int, outcome: int) -> tuple[list[int], list[int]]:
        """The kinds of either side, in parts that have the outcome against the same kinds of the other."""
        rows: dict[int, int] = defaultdict(int)
        columns: dict[int, int] = defaultdict(int)
        fits, back = self._fits(one, two, outcome)
        for attacker in self._in(one):
            rows[fits[attacker - 1]] |= 1 << (attacker - 1)
        for defender in self._in(two):
            columns[back[defender - 1]] |= 1 << (defender - 1)
        return list(rows.values()), list(columns.values())

    def _in(self, domain: int) -> list[int]:
        return [kind for kind in self._kinds if domain >> (kind - 1) & 1]


def _with(domains: Domains, piece: int, domain: int) -> Domains:
    return [*domains[:piece], domain, *domains[piece + 1 :]]
