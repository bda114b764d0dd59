"""Every match that a viewer cannot tell from the real one, by brute force.

Each way to give the hidden pieces their kinds is a match of its own, which the oracle plays from the start; those that
it refuses, or of which it tells the viewer something else than of the real one, are dropped. Nothing of the engine is
asked. As documented of deduction, it does not count that a seat which was to move had a move, or had none.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

import oracle
from oracle.endings import Result

from .scripted import Arrangement

Named = dict[tuple[int, str], str]
"""The kind of each piece by its seat and first square."""


def _to_move_regardless(match: oracle.Match, seat: int) -> Result | None:
    """A rule of turns that never looks whether the seat can move."""
    match.prepare_moves(seat)
    match.to_move = seat
    return None


def permutations(kinds: Mapping[str, int], squares: list[str]) -> Iterator[Arrangement]:
    """All different ways to put so many pieces of each kind on the squares."""
    if not squares:
        yield {}
        return
    for kind, count in kinds.items():
        if count:
            for rest in permutations({**kinds, kind: count - 1}, squares[1:]):
                yield {squares[0]: kind, **rest}


class Consistent:
    """The matches that are one with the real match for a viewer, in step with it."""

    def __init__(
        self,
        rules: oracle.Rules,
        pieces: Mapping[int, Arrangement],
        first_seat: int,
        viewer: int,
        *,
        loaded: bool,
    ) -> None:
        """`loaded` pieces are a position; otherwise they are arrangements, which everybody knows to be legal."""
        self._rules = replace(rules, turn_rule=_to_move_regardless)
        self._first_seat = first_seat
        self._loaded = loaded
        partners = rules.sides.partners(viewer) if viewer and rules.partner_view else frozenset()
        self.hidden = [seat for seat in rules.all_seats if seat != viewer and seat not in partners]
        self._real = self._begun(pieces)
        ways = [list(self._ways(seat, pieces[seat]) if seat in self.hidden else [pieces[seat]]) for seat in pieces]
        self._matches = [self._begun(dict(zip(pieces, chosen, strict=True))) for chosen in product(*ways)]

    def _ways(self, seat: int, men: Arrangement) -> Iterator[Arrangement]:
        for way in permutations(Counter(men.values()), sorted(men)):
            if self._loaded or not self._rules.arrangement_problems(seat, way):
                yield way

    def _begun(self, pieces: Mapping[int, Arrangement]) -> oracle.Match:
        if self._loaded:
            return self._rules.position(pieces, self._first_seat)
        match = self._rules.start(self._first_seat)
        for seat, men in pieces.items():
            match.arrange(seat, men)
        return match

    def play(self, seat: int, move: str) -> None:
        """The real match goes on with this move."""
        _play(self._real, seat, move)
        told, kept = self._real.public_record(), []
        for match in self._matches:
            try:
                _play(match, seat, move)
            except oracle.IllegalAction:
                continue
            if match.public_record() == told:
                kept.append(match)
        self._matches = kept

    @property
    def count(self) -> int:
        """How many matches are left."""
        return len(self._matches)

    def assignments(self, *, mover: int = 0) -> list[Named]:
        """The kinds of all hidden pieces in each match that is left; only those in which `mover`, if any, can move."""
        matches = [match for match in self._matches if not mover or match.prepare_moves(mover)]
        return [
            {(seat, square): kind for seat in self.hidden for square, kind in match.start_kinds[seat].items()}
            for match in matches
        ]

    def counts(self) -> dict[tuple[int, str], Counter[str]]:
        """For each hidden piece in how many of the matches it is which kind."""
        found: dict[tuple[int, str], Counter[str]] = {
            (seat, square): Counter() for seat in self.hidden for square in self._real.start_kinds.get(seat, {})
        }
        for named in self.assignments():
            for piece, kind in named.items():
                found[piece][kind] += 1
        return found


def _play(match: oracle.Match, seat: int, move: str) -> None:
    """A move of a seat, also when others before it have been passed over."""
    if match.phase == "play" and match.to_move != seat:
        match.give_turn(seat)
    match.play(move)
