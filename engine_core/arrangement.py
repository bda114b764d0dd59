"""Arrangements: what is wrong with one, how many there are, and a random one.

Squares of a zone fall into classes that admit the same kinds, so that counting and drawing need no enumeration.
"""

import random
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache, partial
from math import comb

from engine_core.errors import RulesetError, Violation
from engine_core.ruleset import Ruleset

MAX_STEPS = 400_000
"""Of a count, about a second; the zones of known games need less than a tenth."""


def violations(ruleset: Ruleset, seat: int, pairs: Iterable[tuple[str, str]]) -> tuple[Violation, ...]:
    """Every way in which (square, kind) pairs break the rules of arrangement for a seat; empty when they are legal."""
    board, zone = ruleset.board, ruleset.zones[seat - 1]
    squares = {name: index for index, name in enumerate(board.squares)}
    kinds = {kind.id: index for index, kind in enumerate(ruleset.kinds)}
    found: list[Violation] = []
    placed: set[str] = set()
    counts = [0] * len(ruleset.kinds)
    names = cache(partial(_names, ruleset))
    for index, (square, kind) in enumerate(pairs):
        if square in placed:
            text = f"{square:.40} holds two pieces; a square holds one."
            found.append(Violation(square, "square-used-twice", text, index))
        placed.add(square)
        if kind in kinds:
            counts[kinds[kind]] += 1
        else:
            text = f"There is no kind {kind!r:.40}; the kinds are {', '.join(kinds)}."
            found.append(Violation(square, "unknown-kind", text, index))
        if square not in squares:
            text = f"{square!r:.40} is not a square of the board; squares are named like {board.squares[0]}."
            found.append(Violation(square, "unknown-square", text, index))
        elif squares[square] not in zone.squares:
            text = f"{square} is not in the zone of seat {seat}, which is {names(zone.squares)}."
            found.append(Violation(square, "outside-zone", text, index))
        elif kind in kinds and squares[square] not in zone.allowed[kinds[kind]]:
            text = f"A {kind} may not stand on {square}; it may on {names(zone.allowed[kinds[kind]])}."
            found.append(Violation(square, "kind-not-allowed-here", text, index))
    for row, count in zip(ruleset.kinds, counts, strict=True):
        if count != row.count:
            text = f"The roster has {row.count} {row.id}, not {count}."
            found.append(Violation("", "wrong-count", text))
    return tuple(found)


def _names(ruleset: Ruleset, squares: frozenset[int]) -> str:
    """A set of squares in words: runs of one rank as a1-g1."""
    runs: list[list[int]] = []
    for square in sorted(squares):
        file, rank = ruleset.board.place(square)
        if runs and ruleset.board.place(runs[-1][-1]) == (file - 1, rank):
            runs[-1].append(square)
        else:
            runs.append([square])
    names = ruleset.board.squares
    return ", ".join(names[run[0]] if len(run) == 1 else f"{names[run[0]]}-{names[run[-1]]}" for run in runs)


class _TooManyWaysError(Exception):
    """Counting would take too long."""


class _Counting:
    """How many ways there are to place kinds on classes of squares. Squares of a class admit the same kinds."""

    def __init__(self, kinds: tuple[tuple[int, int], ...], admits: tuple[frozenset[int], ...]) -> None:
        """`kinds` are pairs of a kind and how many pieces it has, `admits` the kinds of each class."""
        self._kinds = kinds
        self._admits = admits
        self.ways = cache(self._count)
        self.splits = cache(lambda place, room: tuple(self._splits(place, room)))
        self._steps = 0

    def _count(self, place: int, room: tuple[int, ...]) -> int:
        """Arrangements of the kinds from `place` on, when each class of squares has `room` left."""
        if place == len(self._kinds):
            return 1
        if self._steps > MAX_STEPS:
            raise _TooManyWaysError
        return sum(ways for _, ways in self.splits(place, room))

    def _splits(self, place: int, room: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
        """The ways to spread the pieces of one kind over the classes, each with the arrangements that it leads to."""
        kind, count = self._kinds[place]
        for split in self._spread(kind, count, 0, room):
            choices = 1
            for left, taken in zip(room, split, strict=True):
                choices *= comb(left, taken)
            rest = tuple(left - taken for left, taken in zip(room, split, strict=True))
            if ways := choices * self.ways(place + 1, rest):
                yield split, ways

    def _spread(self, kind: int, count: int, index: int, room: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        self._steps += 1
        if index == len(room):
            if count == 0:
                yield ()
            return
        most = min(count, room[index]) if kind in self._admits[index] else 0
        for taken in range(most + 1):
            for rest in self._spread(kind, count - taken, index + 1, room):
                yield (taken, *rest)


_counting = lru_cache(maxsize=64)(_Counting)
"""Most options of a game leave its arrangements alone, so that one counting serves many rulesets."""


class Arrangements:
    """All legal arrangements of one seat: how many, and one drawn uniformly.

    RulesetError when the zones of the kinds overlap in so many ways that counting would take too long.
    """

    def __init__(self, ruleset: Ruleset, seat: int) -> None:
        zone = ruleset.zones[seat - 1]
        classes: dict[frozenset[int], list[int]] = {}
        for square in sorted(zone.squares):
            admitted = frozenset(kind for kind, squares in enumerate(zone.allowed) if square in squares)
            classes.setdefault(admitted, []).append(square)
        self._classes = [tuple(squares) for squares in classes.values()]
        self._room = tuple(len(squares) for squares in self._classes)
        self._counting = _counting(tuple((kind, row.count) for kind, row in enumerate(ruleset.kinds)), tuple(classes))
        self._names = ruleset.board.squares
        self._ids = tuple(kind.id for kind in ruleset.kinds)
        self._game = ruleset.id
        self._seat = seat

    @property
    def count(self) -> int:
        """The number of arrangements."""
        try:
            return self._counting.ways(0, self._room)
        except _TooManyWaysError:
            problem = f"arrangement: the squares of seat {self._seat}'s kinds overlap in too many ways to count them"
            raise RulesetError(self._game, (problem,)) from None

    def draw(self, seed: int) -> dict[str, str]:
        """One arrangement, each with the same chance; the same seed gives the same one."""
        generator = random.Random(seed)
        room, left = self._room, self.count
        free = [generator.sample(squares, len(squares)) for squares in self._classes]
        placed: dict[int, str] = {}
        for place, kind in enumerate(self._ids):
            split = self._pick(place, room, generator.randrange(left))
            for squares, taken in zip(free, split, strict=True):
                for _ in range(taken):
                    placed[squares.pop()] = kind
            room = tuple(more - taken for more, taken in zip(room, split, strict=True))
            left = self._counting.ways(place + 1, room)
        return {self._names[square]: placed[square] for square in sorted(placed)}

    def _pick(self, place: int, room: tuple[int, ...], pick: int) -> tuple[int, ...]:
        """The split in which the arrangement with the number `pick` lies."""
        for split, ways in self._counting.splits(place, room):
            if pick < ways:
                return split
            pick -= ways
        raise AssertionError("pick is below the number of arrangements")
