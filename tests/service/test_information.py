"""What leaves the service for a viewer depends only on what that viewer may know.

Pairs of matches that differ only in the arrangement of one seat, with the same public course: everything that the other
seat and the spectator get must be the same bytes. The engine's own test has many more pairs; this one is about what the
service adds: updates, legal actions, errors, sizes and batches.
"""

import random
from typing import Any

import grpc
import pytest
from contract import (
    SEED,
    SPECTATOR,
    Contract,
    apply_request,
    arrangement,
    move,
    named,
    setup,
    wrap,
)
from shinpan.v1 import action_pb2, referee_service_pb2

import engine_core

PLIES = 12
HIDDEN = [name for name in engine_core.games() if not engine_core.load(name).ruleset.perfect_information]


def swapped(game: engine_core.Game, pieces: dict[str, str], chance: random.Random) -> dict[str, str]:
    """Another legal arrangement of seat 2 on the same squares: legal exchanges of two pieces, one after another."""
    found = pieces
    for step in range(1000):
        here, there = chance.sample(list(found), 2)
        other = {**found, here: found[there], there: found[here]}
        try:
            game.start().arrange(2, other)
        except engine_core.RefereeError:
            continue
        found = other
        if step > 30 and found != pieces:
            break
    return found


def begin(game: engine_core.Game, second: dict[str, str]) -> engine_core.State:
    """A match in which play begins, with this arrangement of seat 2."""
    state = game.start()
    for seat in game.seats:
        state = state.arrange(seat, second if seat == 2 else game.random_arrangement(seat, SEED)).state
    return state


def quiet_course(one: engine_core.State, two: engine_core.State, chance: random.Random) -> list[engine_core.Move]:
    """Moves that are legal in both and look the same to seat 1 and the spectator."""
    course: list[engine_core.Move] = []
    while len(course) < PLIES and one.phase == "play":
        both = sorted(set(one.legal_moves()) & set(two.legal_moves()), key=int)
        chance.shuffle(both)
        for chosen in both:
            turns = one.play(chosen), two.play(chosen)
            if not any(turn.battle or turn.captured or turn.state.result for turn in turns):
                break
        else:
            break
        course.append(chosen)
        one, two = turns[0].state, turns[1].state
    return course


def answer_or_error(call: Any, request: Any) -> tuple[str, bytes]:
    """Everything that a caller gets, but for states and digests, which are for the backend."""
    pending = call.future(request)
    if pending.code() is not grpc.StatusCode.OK:
        details = dict(pending.trailing_metadata() or ())
        return pending.code().name, details["grpc-status-details-bin"]
    answer = pending.result()
    for field in ("state", "digest"):
        if field in answer.DESCRIPTOR.fields_by_name:
            answer.ClearField(field)
    return "OK", answer.SerializeToString(deterministic=True)


def asked(contract: Contract, state: engine_core.State, game: engine_core.Game) -> list[tuple[str, bytes]]:
    """What seat 1 and the spectator can be told in a state, and what seat 1 gets for what it may try."""
    referee, messages = contract.referee, referee_service_pb2
    viewers: Any = [1, SPECTATOR]
    found = [
        answer_or_error(
            referee.GetUpdate,
            messages.GetUpdateRequest(state=wrap(state), viewers=viewers, include_diagrams=True),
        ),
        answer_or_error(referee.ListLegalActions, messages.ListLegalActionsRequest(state=wrap(state), seat=1)),
        answer_or_error(referee.DescribeState, messages.DescribeStateRequest(state=wrap(state))),
        (str(len(wrap(state).token)), b""),
    ]
    apart = max(3, len(game.squares) // 30)  # few enough for one batch
    sources = range(0, len(game.squares), apart)
    tries = [move(1, source << 8 | target) for source in sources for target in range(0, 49, 7)]
    tries += [
        action_pb2.Action(seat=1, resign=action_pb2.Resignation()),
        action_pb2.Action(seat=1, offer_draw=action_pb2.DrawOffer()),
        action_pb2.Action(seat=1, accept_draw=action_pb2.DrawAcceptance()),
        action_pb2.Action(seat=1, arrange=arrangement({"a1": "flag"})),
    ]
    peaceful = [one for one in tries if not (one.HasField("move") and fights(state, one.move.packed))]
    items = [apply_request(state, one, viewers=viewers) for one in peaceful]
    answer = referee.BatchApplyActions(messages.BatchApplyActionsRequest(items=items))
    for item in answer.items:
        if item.HasField("result"):
            item.result.ClearField("state")
            item.result.ClearField("digest")
        found.append((item.WhichOneof("outcome"), item.SerializeToString(deterministic=True)))
    found += [answer_or_error(referee.ApplyAction, item) for item in items[-4:]]
    return found


def fights(state: engine_core.State, packed: int) -> bool:
    """Whether a move of seat 1 has a result that may depend on hidden kinds."""
    if state.to_move != 1 or packed not in {int(one) for one in state.legal_moves()}:
        return False
    turn = state.play(packed)
    return bool(turn.battle or turn.captured or turn.state.result)


@pytest.mark.parametrize("game_id", HIDDEN)
def test_seat_1_and_the_spectator_are_told_the_same(contract: Contract, game_id: str) -> None:
    print("seed", SEED)
    chance = random.Random(SEED)
    game = engine_core.load(game_id)
    theirs = game.random_arrangement(2, SEED)
    others = swapped(game, theirs, chance)
    assert theirs != others
    one, two = begin(game, theirs), begin(game, others)
    course = quiet_course(one, two, chance)
    for step in range(len(course) + 1):
        assert one != two
        if step % 3 == 0:
            assert asked(contract, one, game) == asked(contract, two, game)
        if step < len(course):
            one, two = one.play(course[step]).state, two.play(course[step]).state


@pytest.mark.parametrize("game_id", HIDDEN)
def test_before_play_squares_are_hidden_too(contract: Contract, game_id: str) -> None:
    """Two arrangements of seat 2 on other squares, before seat 1 has arranged."""
    game = engine_core.load(game_id)
    one, two = (game.start().arrange(2, game.random_arrangement(2, seed)).state for seed in (SEED, SEED + 1))
    assert one != two
    assert asked(contract, one, game) == asked(contract, two, game)
    requests = [
        referee_service_pb2.StartMatchRequest(
            setup=setup(game_id, arrangements={2: arrangement(game.random_arrangement(2, seed))}),
            viewers=named(1, SPECTATOR),
            include_diagrams=True,
        )
        for seed in (SEED, SEED + 1)
    ]
    first, second = (answer_or_error(contract.referee.StartMatch, request) for request in requests)
    assert first == second
