"""The bytes that the service answers a viewer with are a function of what that viewer may know.

The pairs of matches are those of the engine's test of the same name; here they go through messages and errors.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest
from contract import REFEREE, SPECTATOR, arrangement, move, resign
from engine.channels import probes
from engine.hidden_matches import pairs
from engine.indistinguishable import Pair, differing_steps, states_of
from shinpan.v1 import action_pb2

import engine_core
from engine_core import State, Turn
from service import requests, updates, wire
from service.errors import Refusal, status_of

SEED = 20261130
MATCHES = {
    "hidden-hasami": 9,
    "luzhanqi-mini": 9,
    "salpakan-classic": 18,
    "hidden-capture-flag": 9,
    "gunjin-shogi": 9,
}
"""Random matches of the hidden games; every one is compared with its twins."""
TWINS = 7


def number_of(viewer: int) -> int:
    """A viewer of the engine as the API counts them."""
    return {engine_core.SPECTATOR: SPECTATOR, engine_core.REFEREE: REFEREE}.get(viewer, viewer)


def told(state: State, viewer: int, turns: Sequence[Turn]) -> list[bytes]:
    """What a viewer gets."""
    seen = updates.updates(state, [(number_of(viewer), viewer)], turns, diagrams=True)
    if viewer in state.game.seats:
        seen.append(updates.legal_actions(state, viewer))
    return seen


def attempts(state: State, seat: int, rng: random.Random) -> Iterator[action_pb2.Action]:
    """Actions that a seat may try, of which most are refused."""
    game = state.game
    yield action_pb2.Action(seat=seat, offer_draw=action_pb2.DrawOffer())
    yield action_pb2.Action(seat=seat, accept_draw=action_pb2.DrawAcceptance())
    yield action_pb2.Action(seat=seat, decline_draw=action_pb2.DrawRefusal())
    yield resign(seat)
    own = list(game.random_arrangement(seat, seed=1).items())
    for pieces in ([], own[1:], [*own, own[0], ("z9", "nobody")], [(square, own[0][1]) for square in game.squares]):
        yield action_pb2.Action(seat=seat, arrange=arrangement(pieces))
    tried = probes(game, rng)
    for packed in [*rng.sample(tried, min(60, len(tried))), 65535, 65536]:
        yield move(seat, packed)
    yield move(seat, f"{rng.choice(game.squares)}{rng.choice(game.squares)}")
    yield move(seat, "a1")


def answer(state: State, action: action_pb2.Action, viewer: int) -> list[bytes]:
    """What a seat gets for its own action; of a move that is legal only that it is, for it may show a piece."""
    try:
        turn = requests.apply(state, action)
    except Refusal as refusal:
        return [status_of(refusal).SerializeToString(deterministic=True)]
    if action.HasField("move"):
        return [b"legal"]
    if turn.state.result is not None and state.game.options["reveal_at_end"] == "on":
        return [b"the end, which reveals everything"]
    return told(turn.state, viewer, (turn,))


def differences(pair: Pair, viewer: int, rng: random.Random) -> list[str]:
    """Everything in which the bytes for one viewer differ between the two matches."""
    found: list[str] = []
    (one, turns_one), (two, turns_two) = (states_of(line, pair.steps) for line in (pair.one, pair.two))
    for step, (mine, other) in enumerate(zip(one, two, strict=True)):
        since = [[turn for turn in turns[max(0, step - 1) : step + 1] if turn] for turns in (turns_one, turns_two)]
        for count in (0, 1, 2):
            first, second = (turns[-count:] if count else [] for turns in since)
            if told(mine, viewer, first) != told(other, viewer, second):
                found.append(f"step {step}: the update of {count} turns")
        if viewer in mine.game.seats and step in (0, pair.steps - 1, pair.steps, pair.steps // 2):
            found += [
                f"step {step}: {action}"
                for action in attempts(mine, viewer, rng)
                if answer(mine, action, viewer) != answer(other, action, viewer)
            ]
    return found


def note(tally: Counter[str], pair: Pair, viewer: int) -> None:
    _, turns = states_of(pair.one, pair.steps)
    tally["pairs"] += 1
    tally["spectator" if viewer == engine_core.SPECTATOR else "seat"] += 1
    tally["battles"] += sum(1 for turn in turns if turn and turn.battle)
    tally["claims"] += any(before != after for before, after in pairwise(pair.one.claims[: pair.steps + 1]))
    tally["silent claims"] += pair.one.claims[: pair.steps + 1] != pair.two.claims[: pair.steps + 1]
    tally["ends"] += any(entry[0] == "result" for entry in pair.one.public[pair.steps])


@pytest.mark.parametrize("game", sorted(MATCHES))
def test_equal_knowledge_gets_equal_bytes(game: str) -> None:
    print(f"seed {SEED}")
    rng = random.Random(f"{SEED} bytes {game}")
    tally: Counter[str] = Counter()
    for pair in pairs(game, SEED, MATCHES[game], TWINS):
        differing = differing_steps(pair)
        if not differing:
            continue
        for viewer in pair.viewers:
            found = differences(pair, viewer, rng)
            assert not found, (found[:3], viewer, pair.one.opening, pair.one.actions[: pair.steps])
            note(tally, pair, viewer)
        # The referee sees each difference, so that it would be seen in what the others get.
        states = [states_of(line, pair.steps)[0][differing[0]] for line in (pair.one, pair.two)]
        assert told(states[0], engine_core.REFEREE, ()) != told(states[1], engine_core.REFEREE, ())
    print(sorted(tally.items()))
    wanted = ["spectator", "seat", "ends"]
    wanted += [] if game == "hidden-hasami" else ["battles"]
    wanted += ["claims", "silent claims"] if game == "salpakan-classic" else []
    assert tally["pairs"] >= 60
    assert [category for category in wanted if not tally[category]] == []


def test_a_leak_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves are told to the other seat, too: which of the pieces cannot move."""
    rng = random.Random(SEED)
    right = updates.legal_actions
    monkeypatch.setattr(updates, "legal_actions", lambda state, seat: wire.moves(state) + right(state, seat))
    assert any(
        differences(pair, viewer, rng) for pair in pairs("luzhanqi-mini", SEED, 9, TWINS) for viewer in pair.viewers
    )
