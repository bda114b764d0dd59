"""Hypothetical states: who has to expect them, what follows from them, and playouts of them and of real ones."""

import json
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from bot_requests import knowledge, playout, sample
from contract import (
    REFEREE,
    SEED,
    SERVICES,
    SPECTATOR,
    Contract,
    Seats,
    apply_request,
    arranged_state,
    move,
    named,
    refused,
    resign,
    unwrap,
    wrap,
)
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from guarded import BACKEND, OTHER_BACKEND, bearing, sealed, tokens
from in_process import InProcess
from shinpan.v1 import analysis_service_pb2, knowledge_pb2, referee_service_pb2, state_pb2, update_pb2

import engine_core
from service.tokens import seal

ANALYSIS = analysis_service_pb2


@pytest.fixture(scope="module")
def drawn(contract: Contract, seats: Seats) -> state_pb2.State:
    """A hypothetical state of seat 1 of the match."""
    return wrap(sample(contract, seats.state, 1, 1)[0])


FILLED: dict[str, dict[str, Any]] = {
    "ApplyAction": {"action": resign(1), "viewers": named(1, SPECTATOR)},
    "GetUpdate": {"viewers": named(1, SPECTATOR)},
    "ListLegalActions": {"seat": 1},
    "ReplayMatch": {"actions": [resign(1)], "viewers": named(2)},
    "Playout": {"games": 1},
    "Perft": {"depth": 1},
}
"""What requests need beside the state."""


METHODS = [
    (method.name, GetMessageClass(method.input_type))
    for service in SERVICES
    for method in service.methods
    if "state" in method.input_type.fields_by_name
]
"""Every method whose request has a state, with that request."""


def statuses(message: Message) -> Iterator[update_pb2.Status]:
    """Every Status in an answer."""
    for field, value in message.ListFields():
        if field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for one in value if field.is_repeated else [value]:
                if isinstance(one, update_pb2.Status):
                    yield one
                else:
                    yield from statuses(one)


def test_the_methods_with_states() -> None:
    names = {name for name, _ in METHODS}
    assert set(FILLED) <= names
    assert names - set(FILLED) == {"DescribeState", "ResealState"}


@pytest.mark.parametrize(("name", "request_type"), METHODS)
def test_hypothetical_states_have_to_be_expected(
    contract: Contract, seats: Seats, drawn: state_pb2.State, name: str, request_type: Any
) -> None:
    stub = contract.referee if hasattr(contract.referee, name) else contract.analysis
    call = getattr(stub, name)
    fields = FILLED.get(name, {})
    error = refused(lambda: call(request_type(state=drawn, **fields)))
    assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "HYPOTHETICAL_STATE")
    error = refused(lambda: call(request_type(state=wrap(seats.state), expect_hypothetical=True, **fields)))
    assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "REAL_STATE")
    answer = call(request_type(state=drawn, expect_hypothetical=True, **fields))
    assert all(status.hypothetical for status in statuses(answer))
    real = call(request_type(state=wrap(seats.state), **fields))
    assert not any(status.hypothetical for status in statuses(real))
    told = 1 if name == "DescribeState" else len(fields.get("viewers", ()))
    assert len(list(statuses(answer))) == len(list(statuses(real))) == told
    if hasattr(answer, "state"):
        assert unwrap(answer.state).hypothetical
        assert not unwrap(real.state).hypothetical


def test_what_follows_from_a_sample_stays_hypothetical(contract: Contract, drawn: state_pb2.State) -> None:
    """Also after a whole match, in its updates, and in knowledge of it, which can be deduced and sampled from again."""
    state = drawn
    for _ in range(4):
        now = unwrap(state)
        mover = now.to_move
        assert mover is not None
        action = move(mover, str(now.legal_moves()[0]))
        request = apply_request(now, action, expect_hypothetical=True, viewers=named(2), include_knowledge=True)
        answer = contract.referee.ApplyAction(request)
        state = answer.state
        assert answer.updates[0].status.hypothetical
        held = answer.updates[0].knowledge
        again = contract.analysis.SampleStates(ANALYSIS.SampleStatesRequest(knowledge=held, count=2))
        assert all(unwrap(one).hypothetical for one in again.states)
        assert contract.analysis.Deduce(ANALYSIS.DeduceRequest(knowledge=held)).pieces
    error = refused(lambda: contract.referee.ApplyAction(apply_request(unwrap(state), resign(1))))
    assert error.reason == "HYPOTHETICAL_STATE"


def test_playouts_of_samples_need_no_permission(
    contract: Contract, private: Contract, seats: Seats, drawn: state_pb2.State
) -> None:
    request = playout(drawn, 3, hypothetical=True)
    assert private.analysis.Playout(request) == contract.analysis.Playout(request)
    perft = ANALYSIS.PerftRequest(state=drawn, depth=2, expect_hypothetical=True)
    assert private.analysis.Perft(perft).nodes == engine_core.perft(seats.state, 2)
    real = playout(wrap(seats.state), 3)
    assert refused(lambda: private.analysis.Playout(real)).reason == "REFEREE_DISABLED"
    batch = private.analysis.BatchPlayouts(ANALYSIS.BatchPlayoutsRequest(items=[request, real]))
    assert batch.items[0].result == contract.analysis.Playout(request)
    assert "REFEREE_DISABLED" in str(batch.items[1].error.details)


def test_knowledge_and_samples_are_sealed_for_their_audience(guarded: grpc.Channel, seats: Seats) -> None:
    """A caller of it who may not analyse real states analyses samples; one of another audience reads nothing."""
    backend, other = bearing(guarded, BACKEND), bearing(guarded, OTHER_BACKEND)
    look = referee_service_pb2.GetUpdateRequest(
        state=sealed(seats.state, 1, audience="arena"), viewers=named(1), include_knowledge=True
    )
    held = backend.referee.GetUpdate(look).updates[0].knowledge
    assert held.token == tokens(1, audience="arena").seal(seats.state.knowledge(1).to_bytes())
    assert backend.analysis.Deduce(ANALYSIS.DeduceRequest(knowledge=held)).exact
    wanted = ANALYSIS.SampleStatesRequest(knowledge=held, count=1, seed=SEED)
    state = backend.analysis.SampleStates(wanted).states[0]
    assert state == sealed(seats.state.sample(1, 1, SEED)[0], 1, audience="arena")
    assert backend.analysis.Playout(playout(state, 2, hypothetical=True)).games == 2
    real = playout(look.state, 2)
    assert refused(lambda: backend.analysis.Playout(real)).reason == "PERMISSION_MISSING"
    assert refused(lambda: other.analysis.SampleStates(wanted)).reason == "TOKEN_REFUSED"
    plain = ANALYSIS.DeduceRequest(knowledge=knowledge_pb2.Knowledge(token=seal(seats.state.knowledge(1).to_bytes())))
    assert refused(lambda: backend.analysis.Deduce(plain)).reason == "TOKEN_NOT_SEALED"


def test_batches_of_playouts(contract: Contract, strict: Contract, seats: Seats, drawn: state_pb2.State) -> None:
    items = [playout(wrap(seats.state), 4), playout(drawn, 2, hypothetical=True), playout(drawn, 2)]
    answer = contract.analysis.BatchPlayouts(ANALYSIS.BatchPlayoutsRequest(items=items))
    assert [item.result for item in answer.items[:2]] == [contract.analysis.Playout(item) for item in items[:2]]
    assert "HYPOTHETICAL_STATE" in str(answer.items[2].error.details)
    too_many = ANALYSIS.BatchPlayoutsRequest(items=items * 2)
    error = refused(lambda: strict.analysis.BatchPlayouts(too_many))
    assert (error.reason, error.metadata["limit"]) == ("BATCH_TOO_LARGE", "3")
    too_long = ANALYSIS.BatchPlayoutsRequest(items=[playout(drawn, 6_000), playout(drawn, 4_001)])
    error = refused(lambda: contract.analysis.BatchPlayouts(too_long))
    assert (error.reason, error.metadata["limit"]) == ("BUDGET_EXCEEDED", "10000")


def test_the_plies_of_a_batch_are_counted_together(contract: Contract) -> None:
    """Matches without a limit last some hundred plies: 2 million do for one item of 4,000 games, not for both."""
    state = wrap(arranged_state("luzhanqi-mini").state)
    items = [playout(state, 4_000), playout(state, 4_000), playout(state, 1)]
    answer = contract.analysis.BatchPlayouts(ANALYSIS.BatchPlayoutsRequest(items=items))
    assert answer.items[0].result.plies > 1_000_000
    for item in answer.items[1:]:
        assert "BUDGET_EXCEEDED" in str(item.error.details)


def test_knowledge_is_no_state(contract: Contract, seats: Seats) -> None:
    held = knowledge(contract, seats.state, 1).token
    for name, request_type in METHODS:
        stub: Any = contract.referee if hasattr(contract.referee, name) else contract.analysis
        request: Any = request_type(state=state_pb2.State(token=held), **FILLED.get(name, {}))
        error = refused(lambda stub=stub, name=name, request=request: getattr(stub, name)(request))  # type: ignore[misc]
        assert (error.reason, error.message) == ("STATE_FORMAT", "state.token is knowledge, not a state.")
        assert error.metadata["part"] == "content"


def test_uses_of_what_only_the_referee_may_see_are_logged(seats: Seats) -> None:
    """As the name of the permission and nothing more; looks of players and playouts of samples are not."""
    server = InProcess()
    state, drawn = wrap(seats.state), wrap(seats.state.sample(1, 1, SEED)[0])
    looks = [
        referee_service_pb2.GetUpdateRequest(state=state, viewers=named(viewer)) for viewer in (1, SPECTATOR, REFEREE)
    ]
    items = [playout(state, 1), playout(drawn, 1, hypothetical=True)]
    asked = [
        *(("RefereeService/GetUpdate", look, "referee-view" if look.viewers[0] == REFEREE else "") for look in looks),
        ("RefereeService/BatchGetUpdates", referee_service_pb2.BatchGetUpdatesRequest(items=looks), "referee-view"),
        ("AnalysisService/Playout", items[0], "analyse-real-states"),
        ("AnalysisService/Playout", items[1], ""),
        ("AnalysisService/Perft", ANALYSIS.PerftRequest(state=state, depth=1), "analyse-real-states"),
        ("AnalysisService/BatchPlayouts", ANALYSIS.BatchPlayoutsRequest(items=items), "analyse-real-states"),
        ("AnalysisService/BatchPlayouts", ANALYSIS.BatchPlayoutsRequest(items=items[1:]), ""),
        ("AnalysisService/Deduce", ANALYSIS.DeduceRequest(), ""),
    ]
    for path, request, used in asked:
        answered, _ = server.call(f"/shinpan.v1.{path}", request)
        assert json.loads(answered.log)["used"] == used, path
