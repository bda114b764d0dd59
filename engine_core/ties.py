"""Battles between two pieces that are both hidden: each ties two kinds together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine_core.knowledge import Knowledge

Domains = list[int]
"""For each piece the kinds that it can be, with bit 1 << (kind - 1)."""


class Ties:
    """The battles that a viewer knows of, as ties between the kinds of pieces."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._battles = knowledge.battles()
        kinds = range(1, len(knowledge.game.kinds) + 1)
        self._outcome = {(one, two): knowledge.outcome(one, two) for one in kinds for two in kinds}
        self._kinds = kinds
        self._borrowing = knowledge.borrowing()

    def split(self, domains: Domains) -> list[Domains] | None:
        """Parts that together allow what the domains and the battles allow, or None when no battle ties two pieces.

        Where none does, every choice of a kind for each piece fits all battles.
        """
        for attacker, defender, support, outcome in self._battles:
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

    def _alike(self, one: int, two: int, outcome: int) -> tuple[list[int], list[int]]:
        """The kinds of either side, in parts that have the outcome against the same kinds of the other."""
        rows: dict[int, int] = defaultdict(int)
        columns: dict[int, int] = defaultdict(int)
        fits = {
            (attacker, defender)
            for attacker in self._in(one)
            for defender in self._in(two)
            if self._outcome[attacker, defender] == outcome
        }
        for attacker in self._in(one):
            rows[sum(1 << (d - 1) for a, d in fits if a == attacker)] |= 1 << (attacker - 1)
        for defender in self._in(two):
            columns[sum(1 << (a - 1) for a, d in fits if d == defender)] |= 1 << (defender - 1)
        return list(rows.values()), list(columns.values())

    def _in(self, domain: int) -> list[int]:
        return [kind for kind in self._kinds if domain >> (kind - 1) & 1]

    def fit(self, kinds: Sequence[int]) -> bool:
        """Whether kinds (from 1) for all pieces had all the outcomes."""
        for attacker, defender, support, outcome in self._battles:
            borrows = support is not None and self._borrowing >> (kinds[defender] - 1) & 1
            opponent = support if borrows and support is not None else defender
            if self._outcome[kinds[attacker], kinds[opponent]] != outcome:
                return False
        return True


def _with(domains: Domains, piece: int, domain: int) -> Domains:
    return [*domains[:piece], domain, *domains[piece + 1 :]]
