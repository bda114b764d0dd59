"""Everything that the engine tells one viewer of a state, and in what it differs between two matches."""

import random
from collections.abc import Mapping, Sequence
from functools import cache

import engine_core
from engine_core import SPECTATOR

from .indistinguishable import Pair, states_of
from .scripted import Action, tell_engine

Facts = dict[str, object]

SLOW = 0.02
"""In how many of the last states the slow answers are compared, too."""


class Channel:
    """What one viewer is told. A test may put a leak into one of these methods to see that it is found."""

    def events(self, turn: engine_core.Turn, viewer: int) -> object:
        return turn.events_for(viewer)

    def captured(self, state: engine_core.State, view: engine_core.View) -> object:
        return view.captured

    def kinds(self, state: engine_core.State, view: engine_core.View) -> bytes:
        return view.kinds

    def flags(self, state: engine_core.State, view: engine_core.View) -> bytes:
        return view.flags

    def legal_moves(self, state: engine_core.State, viewer: int) -> object:
        return [int(move) for move in state.legal_moves()] if state.to_move == viewer else None

    def size(self, state: engine_core.State) -> int:
        return len(state.to_bytes())

    def knowledge(self, state: engine_core.State, viewer: int) -> object:
        return state.knowledge(viewer).to_bytes()

    def complaint(self, state: engine_core.State, error: engine_core.RefereeError) -> object:
        violations = getattr(error, "violations", None)
        return type(error).__name__, error.reason, str(error), sorted(error.details.items()), violations

    def brief(self, state: engine_core.State, turn: engine_core.Turn | None, viewer: int) -> Facts:
        """What is compared after every action."""
        view = state.view(viewer)
        return {
            "events": None if turn is None else self.events(turn, viewer),
            "turn": None if turn is None else (turn.battle, turn.captured),
            "seats": view.seats,
            "kinds": self.kinds(state, view),
            "origins": view.origins,
            "flags": self.flags(state, view),
            "captured": self.captured(state, view),
            "claim": view.claim_pending,
            "status": (state.phase, state.to_move, state.ply, state.revision, state.result, state.first_seat),
            "conduct": (state.arranged, state.out, state.draw_agreed, state.last_move),
            "legal moves": self.legal_moves(state, viewer),
            "legal actions": state.legal_actions(viewer) if viewer != SPECTATOR else None,
            "size": self.size(state),
            "knowledge": self.knowledge(state, viewer),
        }

    def thorough(self, state: engine_core.State, viewer: int, probes: Sequence[int]) -> Facts:
        """What takes longer: texts, and the answers to whatever a seat may try."""
        view = state.view(viewer)
        facts: Facts = {"view": repr(view), "state": repr(state), "diagram": view.diagram()}
        if viewer == SPECTATOR:
            return facts
        attempts = [Action(what, viewer) for what in ("offer-draw", "accept-draw", "decline-draw", "resign")]
        attempts += [Action("forfeit", viewer, cause=cause) for cause in ("time", "boredom")]
        attempts += [Action("arrange", viewer, men) for men in _arrangements(state.game, viewer)]
        for number, action in enumerate(attempts):
            facts[f"{action.what} {number}"] = self._attempt(state, action, viewer)
        if state.to_move == viewer or state.phase != "play":
            for packed in probes:
                try:
                    state.play(packed)
                    facts[f"move {packed}"] = "legal"
                except engine_core.RefereeError as error:
                    facts[f"move {packed}"] = self.complaint(state, error)
        return facts

    def slow(self, state: engine_core.State, viewer: int) -> Facts:
        """What takes longer than all else: a picture, and what follows from what the viewer knows."""
        facts: Facts = {"svg": state.view(viewer).svg()}
        try:
            deduced = state.deduce(viewer)
            facts["deduction"] = (deduced.pieces, deduced.count, deduced.exact)
            facts["samples"] = [sample.to_bytes() for sample in state.sample(viewer, 2, 1)]
        except engine_core.RefereeError as error:
            facts["no deduction"] = self.complaint(state, error)
        return facts

    def _attempt(self, state: engine_core.State, action: Action, viewer: int) -> object:
        """The answer to an action; that it was accepted is all that is compared where it tells everybody something."""
        try:
            turn = tell_engine(state, action)
        except engine_core.RefereeError as error:
            return self.complaint(state, error)
        return "accepted" if tells_more(state, turn.state, viewer) else self.brief(turn.state, turn, viewer)


def tells_more(before: engine_core.State, after: engine_core.State, seat: int) -> bool:
    """Whether an action of a seat that is no move tells everybody something about hidden pieces.

    Play begins; or the end reveals everything; or the turn goes on from a seat that leaves, and whether the next one
    can move tells of its pieces.
    """
    if after.phase == "ended" and before.game.options["reveal_at_end"] == "on":
        return True
    began = before.phase == "arrangement" and after.phase == "play"
    return began or (len(before.game.seats) > 2 and before.to_move == seat != after.to_move)


@cache
def _arrangements(game: engine_core.Game, seat: int) -> list[Mapping[str, str]]:
    """Arrangements to try for a seat: a legal one, on both sides of the board, with a wrong roster, and none."""
    own = game.random_arrangement(seat, seed=1)
    doubled = {**own, **dict.fromkeys(list(own)[:2], game.kinds[0]), "z9": "nobody"}
    return [own, dict.fromkeys((*game.squares[:3], *game.squares[-3:]), game.kinds[-1]), doubled, {}]


def probes(game: engine_core.Game, rng: random.Random) -> list[int]:
    """Moves to try: from every square to some squares, near and far."""
    count = len(game.squares)
    found = []
    for source in range(count):
        near = [target for target in (source - 1, source + 1, source + 7, source - 9) if 0 <= target < count]
        found += [source << 8 | target for target in (*rng.sample(near, 2), rng.randrange(count))]
    return [*found, count << 8, 65535]


def differences(channel: Channel, pair: Pair, viewer: int, rng: random.Random) -> list[str]:
    """Everything in which the engine's answers to one viewer differ between the two matches."""
    one, turns_one = states_of(pair.one, pair.steps)
    two, turns_two = states_of(pair.two, pair.steps)
    tried = probes(one[0].game, rng)
    closely = {pair.steps, rng.randint(0, pair.steps)}
    found: list[str] = []
    for step in range(pair.steps + 1):
        mine = channel.brief(one[step], turns_one[step], viewer)
        other = channel.brief(two[step], turns_two[step], viewer)
        if step in closely:
            mine |= channel.thorough(one[step], viewer, tried)
            other |= channel.thorough(two[step], viewer, tried)
        if step == pair.steps and rng.random() < SLOW:
            mine |= channel.slow(one[step], viewer)
            other |= channel.slow(two[step], viewer)
        if mine != other or (step in closely and repr(mine) != repr(other)):
            unequal = [name for name in mine if repr(mine[name]) != repr(other[name])]
            found += [f"step {step}, {name}: {mine[name]} / {other[name]}" for name in unequal]
    return found
