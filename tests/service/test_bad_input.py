"""No input, however broken, gets an answer of the transport, an INTERNAL or UNKNOWN error, or a dead server."""

import random
from collections.abc import Callable
from time import monotonic
from typing import Any

import grpc
import pytest
from contract import (
    METHODS,
    SEED,
    SERVICES,
    TIMEOUT,
    Contract,
    Refused,
    Seats,
    apply_request,
    arranged_state,
    arrangement,
    move,
    named,
    read_error,
    refused,
    setup,
    wrap,
)
from faults.asking import answers, well_within
from google.protobuf.message_factory import GetMessageClass
from shinpan.v1 import action_pb2, analysis_service_pb2, knowledge_pb2, referee_service_pb2, state_pb2

import engine_core
from conformance import broken_states
from service.process import ServerProcess
from service.tokens import seal

STATE_REASONS = {"STATE_FORMAT", "RULESET_UNAVAILABLE", *engine_core.StateError.REASONS}
REQUESTS = {
    f"/{service.full_name}/{method.name}": GetMessageClass(method.input_type)
    for service in SERVICES
    for method in service.methods
}


def outcome(contract: Contract, path: str, data: bytes, timeout: float = TIMEOUT) -> Refused | None:
    """The error of a call, taken apart and checked, or None when it was answered."""
    try:
        contract.raw(path, data, timeout)
    except grpc.RpcError as error:
        found = read_error(error)
        assert found.code not in (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN), found
        return found
    return None


@pytest.mark.parametrize("path", METHODS)
def test_bytes_that_are_no_message(server: ServerProcess, contract: Contract, path: str, limit: float) -> None:
    for data in (b"\xff", b"\x0a\x05ab", b"\x07", b"\x0a\xff\xff\xff\xff\x0f", b"\x00" * 9):
        found = outcome(contract, path, data, limit)
        assert found is not None
        assert (found.code, found.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED_REQUEST")
    assert found is not None
    assert found.metadata["message"] == REQUESTS[path].DESCRIPTOR.full_name
    well_within(limit, monotonic(), lambda: answers(server.address, timeout=limit))


@pytest.mark.parametrize("size", [20_001, 1_000_000], ids=["for the service", "for grpcio, too"])
def test_messages_that_are_too_large(
    strict_server: ServerProcess, strict: Contract, seats: Seats, size: int, limit: float
) -> None:
    """Of a server that takes 20,000 bytes; grpcio itself takes twice as many, and gives no reason then."""
    get_game = "/shinpan.v1.RefereeService/GetGame"
    with pytest.raises(grpc.RpcError) as caught:
        strict.raw(get_game, bytes(size), limit)
    assert isinstance(caught.value, grpc.Call)
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    if size < 40_000:
        found = read_error(caught.value)
        assert (found.reason, found.metadata["limit"]) == ("MESSAGE_TOO_LARGE", "20000")
    look = referee_service_pb2.ListLegalActionsRequest(state=wrap(seats.state), seat=1)
    assert strict.referee.ListLegalActions(look, timeout=limit).legal_actions.moves
    well_within(limit, monotonic(), lambda: answers(strict_server.address, timeout=limit))


@pytest.mark.parametrize("path", METHODS)
def test_random_bytes(contract: Contract, path: str) -> None:
    print("seed", SEED)
    chance = random.Random(SEED)
    for size in range(60):
        outcome(contract, path, chance.randbytes(size))


def whole_requests(seats: Seats) -> dict[str, Any]:
    """A request for every method that is answered."""
    state = wrap(seats.state)
    action = move(1, int(seats.state.legal_moves()[0]))
    applied = apply_request(seats.state, action, viewers=named(1, 2, 14, 15), include_diagrams=True)
    look = referee_service_pb2.GetUpdateRequest(state=state, viewers=named(1))
    legal = referee_service_pb2.ListLegalActionsRequest(state=state, seat=1)
    begin = setup(
        "hidden-hasami",
        options={"board": "7x7"},
        match_id=b"id",
        arrangements={seat: arrangement(pieces) for seat, pieces in seats.arrangements.items()},
    )
    referee, analysis = referee_service_pb2, analysis_service_pb2
    playout = analysis.PlayoutRequest(state=state, games=2, seed=2**64 - 1)
    knowledge = knowledge_pb2.Knowledge(token=seal(seats.state.knowledge(1).to_bytes()))
    return {
        "ListGames": referee.ListGamesRequest(),
        "GetGame": referee.GetGameRequest(game="hidden-hasami"),
        "StartMatch": referee.StartMatchRequest(setup=begin, viewers=named(1)),
        "ApplyAction": applied,
        "GetUpdate": look,
        "ListLegalActions": legal,
        "DescribeState": referee.DescribeStateRequest(state=state),
        "ResealState": referee.ResealStateRequest(state=state),
        "ReplayMatch": referee.ReplayMatchRequest(setup=begin, actions=[action], viewers=named(2)),
        "BatchApplyActions": referee.BatchApplyActionsRequest(items=[applied]),
        "BatchListLegalActions": referee.BatchListLegalActionsRequest(items=[legal]),
        "BatchGetUpdates": referee.BatchGetUpdatesRequest(items=[look]),
        "DrawArrangement": analysis.DrawArrangementRequest(game="hidden-hasami", seat=1, seed=2**64 - 1),
        "Deduce": analysis.DeduceRequest(knowledge=knowledge),
        "SampleStates": analysis.SampleStatesRequest(knowledge=knowledge, count=3, seed=2**64 - 1),
        "Playout": playout,
        "BatchPlayouts": analysis.BatchPlayoutsRequest(items=[playout]),
        "Perft": analysis.PerftRequest(state=state, depth=1),
    }


@pytest.mark.parametrize("path", METHODS)
def test_whole_requests_and_damaged_ones(contract: Contract, seats: Seats, path: str) -> None:
    print("seed", SEED)
    chance = random.Random(SEED)
    whole = whole_requests(seats)[path.rpartition("/")[2]].SerializeToString()
    assert outcome(contract, path, whole) is None
    if not whole:
        return
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(chance.choice((1, 1, 2, 8))):
            data[chance.randrange(len(data))] = chance.randrange(256)
        outcome(contract, path, bytes(data[: chance.choice((len(data), chance.randrange(len(data)) + 1))]))


def test_damaged_states_with_a_right_checksum(contract: Contract) -> None:
    """Whatever is accepted is a state that the engine writes; the rest has a reason of its own."""
    print("seed", SEED)
    chance = random.Random(SEED)
    for game_id in engine_core.games():
        state = arranged_state(game_id).state
        for _ in range(20):
            state = state.play(chance.choice(state.legal_moves())).state
            if state.phase != "play":
                break
        whole = state.to_bytes()
        changed = []
        for _ in range(200):
            flipped = bytearray(whole)
            flipped[chance.randrange(len(whole) - 4)] ^= 1 << chance.randrange(8)
            changed.append(broken_states.reseal(flipped))
        items = [referee_service_pb2.GetUpdateRequest(state=wrap(data), viewers=named(1, 15)) for data in changed]
        answer = contract.referee.BatchGetUpdates(referee_service_pb2.BatchGetUpdatesRequest(items=items))
        for data, item in zip(changed, answer.items, strict=True):
            if item.HasField("error"):
                assert item.error.code in (
                    grpc.StatusCode.INVALID_ARGUMENT.value[0],
                    grpc.StatusCode.FAILED_PRECONDITION.value[0],
                )
            else:
                assert engine_core.decode(data).to_bytes() == data


@pytest.mark.parametrize(
    "change",
    [
        lambda token: token[:-1],
        lambda token: token[:8],
        lambda token: token[:3],
        lambda token: token + b"\x00",
        lambda token: token * 2,
        lambda token: token + b"\x00" * 1_000_000,
        lambda token: b"XHPN" + token[4:],
        lambda token: token[:4] + b"\x02" + token[5:],
        lambda token: token[:5] + b"\x01" + token[6:],
        lambda token: token[:6] + b"\x01" + token[7:],
        lambda token: token[:8] + b"\x09" + token[9:],
        lambda token: token[:-1] + bytes([token[-1] ^ 1]),
    ],
)
def test_damaged_tokens(contract: Contract, seats: Seats, change: Callable[[bytes], bytes]) -> None:
    token = change(wrap(seats.state).token)
    request = referee_service_pb2.DescribeStateRequest(state=state_pb2.State(token=token))
    found = refused(lambda: contract.referee.DescribeState(request))
    assert found.reason in STATE_REASONS
    assert found.fields == ("state.token",)


@pytest.mark.parametrize("name", ["game_id", "self", "", "id", "board=7x7", "\x00", "ü" * 100, "board\n"])
def test_option_names_that_mean_something_to_python(contract: Contract, name: str) -> None:
    request = referee_service_pb2.GetGameRequest(game="hidden-hasami", options={name: "1"})
    assert refused(lambda: contract.referee.GetGame(request)).reason == "UNKNOWN_OPTION"


@pytest.mark.parametrize(
    "text", ["a1", "a1a9", "A1A2", "a1a2a3", "a1 a2", "", "\uff411a2", "a1" * 100_000, "a" * 500, "\x00"]
)
def test_moves_that_are_none(contract: Contract, seats: Seats, text: str) -> None:
    found = refused(lambda: contract.referee.ApplyAction(apply_request(seats.state, move(1, text))))
    assert found.reason in ("MALFORMED_MOVE", "ILLEGAL_MOVE")
    assert len(found.message) < 600


@pytest.mark.parametrize("packed", [0, 0x3131, 0x1F31, 0xFFFF, 0x10000, 2**32 - 1])
def test_numbers_that_are_no_move(contract: Contract, seats: Seats, packed: int) -> None:
    found = refused(lambda: contract.referee.ApplyAction(apply_request(seats.state, move(1, packed))))
    assert found.reason in ("MALFORMED_MOVE", "ILLEGAL_MOVE")


def test_every_violation_of_an_arrangement_is_named(contract: Contract) -> None:
    """Forty pieces, each wrong; and the answer still fits into the headers that clients accept."""
    game = engine_core.load("hidden-capture-flag")
    own = game.random_arrangement(1, seed=SEED)
    elsewhere = list(game.random_arrangement(2, seed=SEED))
    pieces = list(zip(elsewhere, own.values(), strict=True))
    action = action_pb2.Action(seat=1, arrange=arrangement(pieces))
    found = refused(lambda: contract.referee.ApplyAction(apply_request(game.start(), action)))
    assert found.reason == "INVALID_ARRANGEMENT"
    assert set(found.fields) == {f"action.arrange.placements[{place}]" for place in range(40)}
    long = [("x" * 1000, "y" * 1000)] * 2000
    action = action_pb2.Action(seat=1, arrange=arrangement(long))
    found = refused(lambda: contract.referee.ApplyAction(apply_request(game.start(), action)))
    assert found.reason == "INVALID_ARRANGEMENT"
    assert int(found.metadata["violations_found"]) > len(found.fields)


def test_missing_fields_are_named(contract: Contract, seats: Seats) -> None:
    referee, state = contract.referee, wrap(seats.state)
    messages = referee_service_pb2
    cases: list[tuple[Any, Any, str]] = [
        (referee.StartMatch, messages.StartMatchRequest(), "setup"),
        (referee.StartMatch, messages.StartMatchRequest(setup=setup("")), "setup.game"),
        (referee.ApplyAction, messages.ApplyActionRequest(), "state.token"),
        (referee.ApplyAction, messages.ApplyActionRequest(state=state), "action"),
        (referee.ApplyAction, apply_request(seats.state, action_pb2.Action(seat=1)), "action.kind"),
        (
            referee.ApplyAction,
            apply_request(seats.state, action_pb2.Action(seat=1, move=action_pb2.Move())),
            "action.move",
        ),
        (
            referee.ApplyAction,
            apply_request(seats.state, action_pb2.Action(ruling=action_pb2.Ruling())),
            "action.ruling",
        ),
        (referee.ReplayMatch, messages.ReplayMatchRequest(), "start"),
        (referee.GetUpdate, messages.GetUpdateRequest(viewers=named(1)), "state.token"),
    ]
    for call, request, field in cases:
        found = refused(lambda call=call, request=request: call(request))  # type: ignore[misc]
        assert (found.reason, found.fields) == ("FIELD_REQUIRED", (field,))


@pytest.mark.parametrize(
    ("viewers", "reason", "field"),
    [
        ([], "VIEWER_UNSPECIFIED", "viewers"),
        ([0], "VIEWER_UNSPECIFIED", "viewers[0]"),
        ([1, 3], "INVALID_VIEWER", "viewers[1]"),
        ([14, 99], "INVALID_VIEWER", "viewers[1]"),
        ([-1], "INVALID_VIEWER", "viewers[0]"),
        ([2, 1, 2], "INVALID_VIEWER", "viewers[2]"),
    ],
)
def test_viewers_are_named(contract: Contract, seats: Seats, viewers: list[Any], reason: str, field: str) -> None:
    request = referee_service_pb2.GetUpdateRequest(state=wrap(seats.state), viewers=viewers)
    found = refused(lambda: contract.referee.GetUpdate(request))
    assert (found.reason, found.fields) == (reason, (field,))


def test_seats_and_numbers_out_of_range(contract: Contract, seats: Seats) -> None:
    top = 2**32 - 1
    for seat in (0, 3, 255, 256, top):
        resigned = action_pb2.Action(seat=seat, resign=action_pb2.Resignation())
        found = refused(lambda resigned=resigned: contract.referee.ApplyAction(apply_request(seats.state, resigned)))  # type: ignore[misc]
        assert (found.reason, found.fields) == ("INVALID_SEAT", ("action.seat",))
        forfeit = action_pb2.Ruling(forfeit=action_pb2.Forfeit(seat=seat, cause=action_pb2.FORFEIT_CAUSE_TIME))
        won = action_pb2.Ruling(adjudication=action_pb2.Adjudication(winners=[1, seat]))
        for ruling in (forfeit, won):
            request = apply_request(seats.state, action_pb2.Action(ruling=ruling))
            assert refused(lambda request=request: contract.referee.ApplyAction(request)).reason == "INVALID_SEAT"  # type: ignore[misc]
    for cause in (0, 9):
        ruling = action_pb2.Ruling(forfeit=action_pb2.Forfeit(seat=1, cause=cause))  # type: ignore[arg-type]
        request = apply_request(seats.state, action_pb2.Action(ruling=ruling))
        found = refused(lambda request=request: contract.referee.ApplyAction(request))  # type: ignore[misc]
        assert found.reason == "INVALID_ACTION"
    for begin in (setup("hidden-hasami", first_seat=3), setup("hidden-hasami", arrangements={0: arrangement({})})):
        start = referee_service_pb2.StartMatchRequest(setup=begin)
        assert refused(lambda start=start: contract.referee.StartMatch(start)).reason == "INVALID_SEAT"  # type: ignore[misc]
    for games, reason in ((0, "INVALID_VALUE"), (top, "BUDGET_EXCEEDED")):
        playout = analysis_service_pb2.PlayoutRequest(state=wrap(seats.state), games=games)
        assert refused(lambda playout=playout: contract.analysis.Playout(playout)).reason == reason  # type: ignore[misc]
    for depth, reason in ((0, "INVALID_VALUE"), (top, "BUDGET_EXCEEDED")):
        perft = analysis_service_pb2.PerftRequest(state=wrap(seats.state), depth=depth)
        assert refused(lambda perft=perft: contract.analysis.Perft(perft)).reason == reason  # type: ignore[misc]


def test_fields_from_the_future_are_passed_over(contract: Contract) -> None:
    assert contract.raw("/shinpan.v1.RefereeService/ListGames", b"\xfa\x7f\x03abc")


def test_unknown_methods_are_the_transports(contract: Contract) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        contract.raw("/shinpan.v1.RefereeService/Nothing", b"")
    assert isinstance(caught.value, grpc.Call)
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
