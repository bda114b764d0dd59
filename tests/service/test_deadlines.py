"""A deadline that has passed, or a caller that has gone, ends the work: before it begins, and between its parts."""

from collections.abc import Callable
from typing import Any

import grpc
import pytest
from contract import Aborted, Contract, Seats, Silent, apply_request, resign, wrap
from shinpan.v1 import analysis_service_pb2, referee_service_pb2

from service.config import read_settings
from service.logs import RequestIds
from service.method import Method
from service.metrics import Metrics
from service.referee import Referee


def method_of(name: str, request: Any, applied: list[object], monkeypatch: pytest.MonkeyPatch) -> Method:
    """A method of the servicer without a transport, which notes each action that it applies."""
    settings, metrics = read_settings([], {}), Metrics()
    monkeypatch.setattr(metrics, "actions_applied", applied.append)
    handler: Callable[..., Any] = Referee(settings, metrics).handlers()[name]
    return Method("shinpan.v1.RefereeService", name, request, handler, settings, metrics, RequestIds(), None)


@pytest.mark.parametrize("checks", [0, 1, 2, 3])
def test_a_batch_stops_at_the_deadline(seats: Seats, checks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    applied: list[object] = []
    method = method_of("BatchApplyActions", referee_service_pb2.BatchApplyActionsRequest, applied, monkeypatch)
    items = [apply_request(seats.state, resign(1))] * 5
    context = Silent(0.0, checks)
    with pytest.raises(Aborted, match="DEADLINE_EXCEEDED"):
        method(referee_service_pb2.BatchApplyActionsRequest(items=items).SerializeToString(), context)
    assert len(applied) == max(0, checks - 1)
    assert context.status.code == grpc.StatusCode.DEADLINE_EXCEEDED.value[0]


def test_a_replay_stops_at_the_deadline(seats: Seats, monkeypatch: pytest.MonkeyPatch) -> None:
    method = method_of("ReplayMatch", referee_service_pb2.ReplayMatchRequest, [], monkeypatch)
    request = referee_service_pb2.ReplayMatchRequest(state=wrap(seats.state), actions=[resign(1)])
    with pytest.raises(Aborted, match="DEADLINE_EXCEEDED"):
        method(request.SerializeToString(), Silent(-0.5, checks=1))


def test_nothing_is_done_for_a_caller_that_has_gone(seats: Seats, monkeypatch: pytest.MonkeyPatch) -> None:
    applied: list[object] = []
    method = method_of("ApplyAction", referee_service_pb2.ApplyActionRequest, applied, monkeypatch)
    with pytest.raises(Aborted, match="CANCELLED"):
        method(apply_request(seats.state, resign(1)).SerializeToString(), Silent(None, active=False))
    assert not applied


def test_a_call_that_waited_too_long_is_not_worked_on(strict: Contract, seats: Seats) -> None:
    """One thread is busy; a call whose deadline passes meanwhile gets no answer."""
    long = analysis_service_pb2.PlayoutRequest(state=wrap(seats.state), games=4000, seed=1)
    short = referee_service_pb2.DescribeStateRequest(state=wrap(seats.state))
    strict.referee.DescribeState(short)  # connected: what follows keeps its order
    busy = strict.analysis.Playout.future(long)
    late = strict.referee.DescribeState.future(short, timeout=0.05)
    assert late.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    assert busy.result().games == 4000
