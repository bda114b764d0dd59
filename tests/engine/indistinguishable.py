"""Pairs of matches that one viewer cannot tell apart.

The oracle alone decides what a viewer may know: its public record and, for a seat, its private one.
"""

import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import oracle
from oracle.record import Entry

import engine_core
from engine_core import SPECTATOR

from .scripted import Action, Arrangement, Opening, rules_of, tell_engine, tell_oracle


class Line(NamedTuple):
    """A match in the oracle after each of its actions, from before the first one."""

    opening: Opening
    actions: Sequence[Action]
    public: list[tuple[Entry, ...]]
    private: list[dict[int, tuple[object, ...]]]
    claims: list[int]
    """The seat with a pending claim, or 0."""


def line_of(opening: Opening, actions: Sequence[Action], like: Line | None = None) -> Line:
    """Take the oracle through a match, as long as it allows the actions and tells the public the same as `like`.

    With `reveal_at_end` the end makes everything public: the kinds of captured pieces are counted in.
    """
    match = opening.match()
    line = Line(opening, actions, [], [], [])
    for step in range(len(actions) + 1):
        public = match.public_record()
        if match.phase == "ended" and match.rules.options["reveal_at_end"] == "on":
            public += (("kinds", *(tuple(sorted(men.items())) for men in match.start_kinds.values())),)
        if like is not None and public != like.public[step]:
            break
        line.public.append(public)
        line.private.append({seat: match.private_record(seat) for seat in match.rules.all_seats})
        line.claims.append(match.claim if match.phase == "play" else 0)
        if step == len(actions):
            break
        try:
            tell_oracle(match, actions[step])
        except oracle.IllegalAction:
            break
    return line


class Pair(NamedTuple):
    """Two matches of which the first `steps` actions are the same for these viewers."""

    one: Line
    two: Line
    steps: int
    viewers: tuple[int, ...]

    def told(self) -> str:
        """What it takes to play the two matches again."""
        secrets = [action for action in self.two.actions if action.what == "arrange"]
        return f"{self.one.opening} {self.one.actions[: self.steps]} / {self.two.opening} {secrets}"


def pair_of(one: Line, opening: Opening, actions: Sequence[Action]) -> Pair:
    """Compare a match with another one by the records of the oracle; nobody may be left to whom they are equal."""
    two = line_of(opening, actions, like=one)
    steps = len(two.public) - 1
    private = list(zip(one.private, two.private, strict=False))
    equal = [seat for seat in one.private[0] if all(known[seat] == other[seat] for known, other in private)]
    return Pair(one, two, steps, (SPECTATOR, *equal))


class Course:
    """What is worth knowing of a match for changing it: which first squares moved, and which fought."""

    def __init__(self, opening: Opening, actions: Iterable[Action], turns: Iterable[engine_core.Turn]) -> None:
        self.moved: set[str] = set()
        self.fought: set[str] = set()
        at = {square: square for men in (opening.pieces or {}).values() for square in men}
        for action, turn in zip(actions, turns, strict=True):
            at.update({square: square for square in action.arrangement})
            if action.what != "play":
                continue
            source, target = (turn.state.game.squares[index] for index in divmod(int(turn.state.last_move or 0), 256))
            self.moved.add(at[source])
            if turn.battle:
                self.fought |= {at[source], at[target]}
            if turn.battle in (None, "attacker"):
                at[target] = at[source]

    def swapped(self, men: Arrangement, rng: random.Random) -> Arrangement:
        """Two pieces of different kinds change their kinds; mostly two of the same past."""
        squares = list(men)
        kind = rng.random()
        if kind < 0.4:
            squares = [square for square in squares if square not in self.moved and square not in self.fought]
        elif kind < 0.6:
            squares = [square for square in squares if square in self.moved and square not in self.fought]
        elif kind < 0.75:
            squares = [square for square in squares if square in self.fought]
        first = rng.choice(squares or list(men))
        others = [square for square in men if men[square] != men[first] and (square in squares or kind > 0.5)]
        if not others:
            return men
        second = rng.choice(others)
        return {**men, first: men[second], second: men[first]}


def twin(line: Line, course: Course, seats: Iterable[int], rng: random.Random) -> tuple[Opening, list[Action]]:
    """The same public actions with other kinds behind them for these seats, on the same squares."""
    opening = line.opening
    rules = rules_of(opening.game, tuple(opening.options.items()))

    def changed(seat: int, men: Arrangement, *, arranged: bool) -> Arrangement:
        if seat not in seats:
            return men
        for _ in range(rng.choice((1, 1, 2, 4))):
            for _ in range(12):
                other = course.swapped(men, rng)
                if not arranged or not rules.arrangement_problems(seat, other):
                    men = other
                    break
        return men

    if opening.pieces is not None:
        pieces = {seat: changed(seat, men, arranged=False) for seat, men in opening.pieces.items()}
        opening = opening._replace(pieces=pieces)
    actions = [
        action._replace(arrangement=changed(action.seat, action.arrangement, arranged=True))
        if action.what == "arrange"
        else action
        for action in line.actions
    ]
    return opening, actions


def redrawn(line: Line, seats: Iterable[int], rng: random.Random) -> tuple[Opening, list[Action]]:
    """The same match with other arrangements of these seats, on other squares where the game leaves some empty."""
    game = engine_core.load(line.opening.game, **line.opening.options)
    return line.opening, [
        action._replace(arrangement=game.random_arrangement(action.seat, rng.getrandbits(32)))
        if action.what == "arrange" and action.seat in seats
        else action
        for action in line.actions
    ]


def states_of(line: Line, steps: int) -> tuple[list[engine_core.State], list[engine_core.Turn | None]]:
    """Take the engine through the first actions of a match."""
    states: list[engine_core.State] = [line.opening.state()]
    turns: list[engine_core.Turn | None] = [None]
    for action in line.actions[:steps]:
        turn = tell_engine(states[-1], action)
        states.append(turn.state)
        turns.append(turn)
    return states, turns


def differing_steps(pair: Pair) -> list[int]:
    """The steps after which the two matches really differ inside: their states are other bytes."""
    one, _ = states_of(pair.one, pair.steps)
    two, _ = states_of(pair.two, pair.steps)
    return [step for step in range(pair.steps + 1) if one[step].to_bytes() != two[step].to_bytes()]
