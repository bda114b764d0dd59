"""Writes `fuzz/corpus`: for each target the inputs that it begins with. `python -m fuzz.seeds` after a change of what
they are made of: rules, format, API.

All are taken from random matches of every game, with a fixed seed, so that the same files come out each time.
"""

import json
import random
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from google.protobuf.message import Message
from shinpan.v1 import (
    action_pb2,
    analysis_service_pb2,
    knowledge_pb2,
    match_pb2,
    referee_service_pb2,
    state_pb2,
    viewer_pb2,
)

import engine_core
from engine_core import SPECTATOR, Game, State
from fuzz import request, token
from fuzz.target import CORPUS
from service.tokens import seal

_ROOT: Final = Path(__file__).parent.parent
_OLD_STATES: Final = _ROOT / "tests" / "data" / "states_version_1.jsonl"
_RULESETS: Final = ("relay", "stones", "small-mini")
_REQUESTED: Final = "hidden-hasami"
_RESTRICTED: Final = "hidden-capture-flag"
_RESTRICTIONS: Final = {"two_squares": "5", "more_squares": "on", "battle_reveal": "none"}
_SEED: Final = 20261130
_PLIES: Final = 30
_MANY_PLIES: Final = 300

Seeds = Iterator[tuple[str, bytes]]


def _played(game: Game, plies: int) -> Iterator[State]:
    """The states of a random match: one arrangement after the other, then after so many plies, or before the end."""
    rng = random.Random(f"{_SEED} {game.id}")
    state = game.start(match_id=b"seed")
    if state.phase == "arrangement":
        for seat in game.seats:
            yield state
            state = state.arrange(seat, game.random_arrangement(seat, seed=_SEED + seat)).state
    for _ in range(plies):
        after = state.play(rng.choice(state.legal_moves())).state
        if after.phase == "ended":
            break
        state = after
    yield state


def _matches() -> Iterator[tuple[str, State]]:
    """For every game a match after some moves; other phases of a few; and a long one with every restriction."""
    for number, name in enumerate(engine_core.games()):
        states = list(_played(engine_core.load(name), _PLIES))
        yield f"{name}-play", states[-1]
        if number % 3 == 0 and len(states) > 1:
            yield f"{name}-arrangement", states[1]
        if number % 3 == 1:
            yield f"{name}-offer", states[-1].offer_draw(1).state
        if number % 3 == 2:
            yield f"{name}-ended", states[-1].resign(2).state
    yield "restricted-play", list(_played(engine_core.load(_RESTRICTED, **_RESTRICTIONS), _MANY_PLIES))[-1]


def _states() -> Seeds:
    for name, state in _matches():
        yield name, state.to_bytes()
        if name == f"{_REQUESTED}-play":
            yield f"{_REQUESTED}-hypothetical", state.sample(1, 1, seed=1)[0].to_bytes()
            yield f"{_REQUESTED}-position", state.game.position(state.pieces(), to_move=1).to_bytes()
    for number, line in enumerate(islice(_OLD_STATES.read_text().splitlines(), 0, None, 4)):
        yield f"version-1-{number}", bytes.fromhex(json.loads(line)["state"])


def _knowledge() -> Seeds:
    for number, (name, state) in enumerate(_matches()):
        viewer = (1, SPECTATOR, 2)[number % 3]
        yield name, state.knowledge(viewer).to_bytes()
    yield "restricted-spectator", state.knowledge(SPECTATOR).to_bytes()
    yield "restricted-position", state.game.position(state.pieces(), to_move=1).knowledge(2).to_bytes()


def _tokens() -> Seeds:
    for name, state in islice(_matches(), 2):
        yield f"{name}-unsealed", seal(state.to_bytes())
        yield f"{name}-sealed", token.OWN.seal(state.to_bytes())


def _rulesets() -> Seeds:
    for name in _RULESETS:
        yield f"{name}.toml", (_ROOT / "tests" / "engine" / "rulesets" / f"{name}.toml").read_bytes()


def _requests() -> Seeds:
    for message in _messages():
        [number] = [at for at, kind in enumerate(request.SERVER.requests) if isinstance(message, kind)]
        yield (
            request.SERVER.paths[number].rpartition("/")[2],
            bytes((number,)) + message.SerializeToString(deterministic=True),
        )


def _messages() -> Iterator[Message]:
    """A request of every method."""
    game = engine_core.load(_REQUESTED)
    drawn = {seat: game.random_arrangement(seat, seed=seat) for seat in game.seats}
    setup = match_pb2.MatchSetup(
        game=_REQUESTED,
        options={"quiet_limit": "40"},
        match_id=b"seed",
        first_seat=2,
        arrangements={
            seat: action_pb2.Arrangement(
                placements=[action_pb2.Placement(square=square, kind=kind) for square, kind in placed.items()]
            )
            for seat, placed in drawn.items()
        },
    )
    playing = dict(_matches())[f"{_REQUESTED}-play"]
    state = state_pb2.State(token=seal(playing.to_bytes()))
    knowledge = knowledge_pb2.Knowledge(token=seal(playing.knowledge(1).to_bytes()))
    sample = state_pb2.State(token=seal(playing.sample(1, 1, seed=1)[0].to_bytes()))
    seat = playing.to_move or 0
    move = action_pb2.Action(seat=seat, move=action_pb2.Move(text=str(playing.legal_moves()[0])))
    ruling = action_pb2.Action(
        ruling=action_pb2.Ruling(forfeit=action_pb2.Forfeit(seat=1, cause=action_pb2.FORFEIT_CAUSE_TIME))
    )
    viewers = [viewer_pb2.VIEWER_SEAT_1, viewer_pb2.VIEWER_SPECTATOR]
    referee, analysis = referee_service_pb2, analysis_service_pb2
    apply = referee.ApplyActionRequest(state=state, action=move, viewers=viewers, include_knowledge=True)
    update = referee.GetUpdateRequest(state=state, viewers=viewers, include_diagrams=True)
    legal = referee.ListLegalActionsRequest(state=state, seat=seat)
    playout = analysis.PlayoutRequest(state=sample, games=2, seed=1, expect_hypothetical=True)
    yield referee.ListGamesRequest()
    yield referee.GetGameRequest(game=_REQUESTED, options={"board": "9x9"}, revision=1)
    yield referee.StartMatchRequest(setup=setup, viewers=viewers)
    yield apply
    yield update
    yield legal
    yield referee.DescribeStateRequest(state=state)
    yield referee.ResealStateRequest(state=state)
    yield referee.ReplayMatchRequest(state=state, actions=[move, ruling], viewers=viewers)
    yield referee.BatchApplyActionsRequest(items=[apply])
    yield referee.BatchListLegalActionsRequest(items=[legal])
    yield referee.BatchGetUpdatesRequest(items=[update])
    yield analysis.DrawArrangementRequest(game=_REQUESTED, seat=1, seed=1)
    yield analysis.DeduceRequest(knowledge=knowledge)
    yield analysis.SampleStatesRequest(knowledge=knowledge, count=2, seed=1)
    yield playout
    yield analysis.BatchPlayoutsRequest(items=[playout])
    yield analysis.PerftRequest(state=state, depth=1)


SEEDS: Final = {
    "state": _states,
    "knowledge": _knowledge,
    "token": _tokens,
    "ruleset": _rulesets,
    "request": _requests,
}


def main() -> None:
    """Write the seeds of all targets anew."""
    shutil.rmtree(CORPUS, ignore_errors=True)
    for target, seeds in SEEDS.items():
        folder = CORPUS / target
        folder.mkdir(parents=True)
        for name, data in seeds():
            (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
