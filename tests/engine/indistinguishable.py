"""Pairs of matches that one viewer cannot tell apart, and everything that the engine tells this viewer.

The oracle alone decides what a viewer may know: its public record and, for a seat, its private one.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import oracle
from oracle.record import Entry

import engine_core
from engine_core import SPECTATOR

from .scripted import Action, Arrangement, Opening, tell_engine, tell_oracle

Facts = dict[str, object]


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
    """The same public actions with other kinds behind them for these seats."""

    def changed(seat: int, men: Arrangement) -> Arrangement:
        if seat not in seats:
            return men
        for _ in range(rng.choice((1, 1, 2, 4))):
            men = course.swapped(men, rng)
        return men

    opening = line.opening
    if opening.pieces is not None:
        opening = opening._replace(pieces={seat: changed(seat, men) for seat, men in opening.pieces.items()})
    actions = [
        action._replace(arrangement=changed(action.seat, action.arrangement)) if action.what == "arrange" else action
        for action in line.actions
    ]
    return opening, actions


class Channel:
    """What one viewer is told. A test may put a leak into one of these methods to see that it is found."""

    def events(self, turn: engine_core.Turn, viewer: int) -> object:
        return turn.events_for(viewer)

    def captured(self, state: engine_core.State, view: engine_core.View) -> object:
        return view.captured

    def flags(self, state: engine_core.State, view: engine_core.View) -> bytes:
        return view.flags

    def legal_moves(self, state: engine_core.State, viewer: int) -> object:
        return [int(move) for move in state.legal_moves()] if state.to_move == viewer else None

    def size(self, state: engine_core.State) -> int:
        return len(state.to_bytes())

    def complaint(self, state: engine_core.State, error: engine_core.RefereeError) -> object:
        violations = getattr(error, "violations", None)
        return type(error).__name__, error.reason, str(error), sorted(error.details.items()), violations

    def brief(self, state: engine_core.State, turn: engine_core.Turn | None, viewer: int) -> Facts:
        """What is compared after every action."""
        view = state.view(viewer)
        return {
            "events": None if turn is None else self.events(turn, viewer),
            "seats": view.seats,
            "kinds": view.kinds,
            "origins": view.origins,
            "flags": self.flags(state, view),
            "captured": self.captured(state, view),
            "claim": view.claim_pending,
            "status": (state.phase, state.to_move, state.ply, state.revision, state.result, state.first_seat),
            "conduct": (state.arranged, state.out, state.draw_agreed, state.last_move),
            "legal moves": self.legal_moves(state, viewer),
            "legal actions": state.legal_actions(viewer) if viewer != SPECTATOR else None,
            "size": self.size(state),
        }

    def thorough(self, state: engine_core.State, viewer: int, probes: Sequence[int]) -> Facts:
        """What takes longer: texts, and the answers to whatever a seat may try."""
        view = state.view(viewer)
        facts: Facts = {"view": repr(view), "state": repr(state), "diagram": view.diagram()}
        if viewer == SPECTATOR:
            return facts
        attempts = [Action(what, viewer) for what in ("offer-draw", "accept-draw", "decline-draw", "resign")]
        attempts += [Action("forfeit", viewer, cause=cause) for cause in ("time", "boredom")]
        for action in attempts:
            facts[action.what + action.cause] = self._attempt(state, action, viewer)
        for number, men in enumerate(_bad_arrangements(state, viewer)):
            facts[f"arrangement {number}"] = self._attempt(state, Action("arrange", viewer, men), viewer)
        if state.to_move == viewer or state.phase != "play":
            for packed in probes:
                try:
                    state.play(packed)
                    facts[f"move {packed}"] = "legal"
                except engine_core.RefereeError as error:
                    facts[f"move {packed}"] = self.complaint(state, error)
        return facts

    def _attempt(self, state: engine_core.State, action: Action, viewer: int) -> object:
        try:
            turn = tell_engine(state, action)
        except engine_core.RefereeError as error:
            return self.complaint(state, error)
        if turn.state.phase == "ended" and state.game.options["reveal_at_end"] == "on":
            return "the end, which reveals everything"
        return self.brief(turn.state, turn, viewer)


def _bad_arrangements(state: engine_core.State, seat: int) -> list[Mapping[str, str]]:
    """Arrangements that are wrong for a seat: on both sides of the board, with a wrong roster, and none."""
    game = state.game
    own = game.random_arrangement(seat, seed=1)
    doubled = {**own, **dict.fromkeys(list(own)[:2], game.kinds[0]), "z9": "nobody"}
    return [dict.fromkeys((*game.squares[:3], *game.squares[-3:]), game.kinds[-1]), doubled, {}]


def probes(game: engine_core.Game, rng: random.Random) -> list[int]:
    """Moves to try: from every square to some squares, near and far."""
    count = len(game.squares)
    found = []
    for source in range(count):
        near = [target for target in (source - 1, source + 1, source + 7, source - 9) if 0 <= target < count]
        found += [source << 8 | target for target in (*rng.sample(near, 2), rng.randrange(count))]
    return [*found, count << 8, 65535]


def states_of(line: Line, steps: int) -> tuple[list[engine_core.State], list[engine_core.Turn | None]]:
    """Take the engine through the first actions of a match."""
    states: list[engine_core.State] = [line.opening.state()]
    turns: list[engine_core.Turn | None] = [None]
    for action in line.actions[:steps]:
        turn = tell_engine(states[-1], action)
        states.append(turn.state)
        turns.append(turn)
    return states, turns


def differences(channel: Channel, pair: Pair, viewer: int, rng: random.Random) -> list[str]:
    """Everything in which the engine's answers to one viewer differ between the two matches."""
    one, turns_one = states_of(pair.one, pair.steps)
    two, turns_two = states_of(pair.two, pair.steps)
    tried = probes(one[0].game, rng)
    closely = {pair.steps, max(0, pair.steps - 1), rng.randint(0, pair.steps)}
    found: list[str] = []
    for step in range(pair.steps + 1):
        mine = channel.brief(one[step], turns_one[step], viewer)
        other = channel.brief(two[step], turns_two[step], viewer)
        if step in closely:
            mine |= channel.thorough(one[step], viewer, tried)
            other |= channel.thorough(two[step], viewer, tried)
        if mine != other or (step in closely and repr(mine) != repr(other)):
            unequal = [name for name in mine if repr(mine[name]) != repr(other[name])]
            found += [f"step {step}, {name}: {mine[name]} / {other[name]}" for name in unequal]
    return found


def differing_steps(pair: Pair) -> list[int]:
    """The steps after which the pieces of the two matches really differ."""
    one, _ = states_of(pair.one, pair.steps)
    two, _ = states_of(pair.two, pair.steps)
    return [step for step in range(pair.steps + 1) if one[step].pieces() != two[step].pieces()]
