"""Spans: one a call, beneath its caller's, with method, code, reason and game and no more; none unless asked for."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import pytest
from contract import Contract, Seats, apply_request, move, refused, setup, wrap
from guarded import keys, sealed, written
from in_process import TRACEPARENT
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2_grpc import (
    TraceServiceServicer,
    add_TraceServiceServicer_to_server,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from opentelemetry.proto.trace.v1.trace_pb2 import Status as SpanStatus
from shinpan.v1 import analysis_service_pb2, referee_service_pb2
from waiting import wait_for

from service.process import ServerProcess

REFEREE = "shinpan.v1.RefereeService"
TRACE_ID, PARENT_ID = (bytes.fromhex(part) for part in TRACEPARENT.split("-")[1:3])


class Collector(TraceServiceServicer):
    """What a span is sent to."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.resources: list[dict[str, str]] = []

    def Export(self, request: ExportTraceServiceRequest, context: Any) -> ExportTraceServiceResponse:
        for sent in request.resource_spans:
            self.resources.append({one.key: one.value.string_value for one in sent.resource.attributes})
            for scope in sent.scope_spans:
                self.spans += scope.spans
        return ExportTraceServiceResponse()

    def attributes(self) -> list[Mapping[str, str | int]]:
        """Those of every span, in the order of their ends."""
        return [
            {one.key: getattr(one.value, one.value.WhichOneof("value") or "") for one in span.attributes}
            for span in self.spans
        ]


class Collected(NamedTuple):
    """A collector and the environment of a server that sends it spans soon."""

    collector: Collector
    environment: Mapping[str, str]


@pytest.fixture
def collected() -> Iterator[Collected]:
    """A collector that listens."""
    collector, server = Collector(), grpc.server(ThreadPoolExecutor(1))
    add_TraceServiceServicer_to_server(collector, server)  # type: ignore[no-untyped-call]
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield Collected(
        collector, {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{port}", "OTEL_BSP_SCHEDULE_DELAY": "50"}
    )
    server.stop(None).wait()


def told(method: str, code: int, **others: str) -> dict[str, str | int]:
    """The attributes of a span of RefereeService."""
    ours = {f"shinpan.{name}": value for name, value in others.items()}
    rpc: dict[str, str | int] = {
        "rpc.system": "grpc",
        "rpc.service": REFEREE,
        "rpc.method": method,
        "rpc.grpc.status_code": code,
    }
    return {**rpc, **ours}


def test_a_span_tells_method_code_reason_and_game(transport: str, seats: Seats, collected: Collected) -> None:
    first = str(seats.state.legal_moves()[0])
    items = [apply_request(seats.state, move(1, first))] * 2
    with (
        ServerProcess(environment=collected.environment, transport=transport, tracing=True) as process,
        grpc.insecure_channel(process.address) as channel,
    ):
        referee = Contract(channel).referee
        referee.ListGames(referee_service_pb2.ListGamesRequest())
        begin = setup("hasami-shogi", match_id=b"secret-match")
        referee.StartMatch(referee_service_pb2.StartMatchRequest(setup=begin))
        referee.ApplyAction(items[0])
        referee.BatchApplyActions(referee_service_pb2.BatchApplyActionsRequest(items=items))
        refused(lambda: referee.ApplyAction(apply_request(seats.state, move(2, first))))
        refused(lambda: referee.GetGame(referee_service_pb2.GetGameRequest(game="text-of-a-caller")))
        refused(lambda: Contract(channel).raw(f"/{REFEREE}/DescribeState", b"\xff"))
        wait_for(lambda: len(collected.collector.spans) == 7)
    assert collected.collector.attributes() == [
        told("ListGames", 0),
        told("StartMatch", 0, game="hasami-shogi"),
        told("ApplyAction", 0, game="hidden-hasami"),
        told("BatchApplyActions", 0, game="hidden-hasami"),
        told("ApplyAction", 9, reason="NOT_YOUR_TURN", game="hidden-hasami"),
        told("GetGame", 3, reason="UNKNOWN_GAME"),
        told("DescribeState", 3, reason="MALFORMED_REQUEST"),
    ]
    spans = collected.collector.spans
    assert {span.name for span in spans[:2]} == {f"{REFEREE}/ListGames", f"{REFEREE}/StartMatch"}
    assert {span.kind for span in spans} == {Span.SPAN_KIND_SERVER}
    assert {span.status.code for span in spans} == {SpanStatus.STATUS_CODE_UNSET}, "the callers' own mistakes"
    assert not any(span.events or span.links or span.status.message or span.parent_span_id for span in spans)
    assert {one["service.name"] for one in collected.collector.resources} == {"shinpan"}


def test_a_span_goes_beneath_its_callers(transport: str, collected: Collected) -> None:
    broken = TRACEPARENT.replace("-b7", "-x7")
    environment = {**collected.environment, "OTEL_SERVICE_NAME": "referee-of-the-arena"}
    with (
        ServerProcess(environment=environment, transport=transport, tracing=True) as process,
        grpc.insecure_channel(process.address) as channel,
    ):
        referee, request = Contract(channel).referee, referee_service_pb2.ListGamesRequest()
        for sent in ([("traceparent", TRACEPARENT)], [("traceparent", broken)], []):
            referee.ListGames(request, metadata=sent)
        referee.ListGames(request, metadata=[("traceparent", TRACEPARENT[:-1] + "0")])  # not sampled
        referee.ListGames(request)
        wait_for(lambda: len(collected.collector.spans) == 4)
    beneath, *others = collected.collector.spans
    assert (beneath.trace_id, beneath.parent_span_id) == (TRACE_ID, PARENT_ID)
    for span in others:
        assert span.trace_id != TRACE_ID
        assert not span.parent_span_id
    assert {one["service.name"] for one in collected.collector.resources} == {"referee-of-the-arena"}


def test_refusals_for_overload_and_sealed_states_have_spans(
    transport: str, seats: Seats, collected: Collected, tmp_path: Path
) -> None:
    state = sealed(seats.state, 1)
    limits: dict[str, Any] = {
        "threads": 1,
        "max_waiting_calls": 1,
        "token_keys_file": written(tmp_path, "keys", keys(1)),
    }
    with (
        ServerProcess(environment=collected.environment, transport=transport, tracing=True, **limits) as process,
        grpc.insecure_channel(process.address) as channel,
    ):
        analysis = Contract(channel).analysis
        request = analysis_service_pb2.PlayoutRequest(state=state, games=2000, seed=1)
        calls = [analysis.Playout.future(request) for _ in range(8)]
        codes = sorted(call.code().value[0] for call in calls)
        foreign = analysis_service_pb2.PlayoutRequest(state=wrap(seats.state), games=1)
        refused(lambda: analysis.Playout(foreign))
        wait_for(lambda: len(collected.collector.spans) == 9)
    spans = collected.collector.attributes()
    assert 8 in codes
    told = [(span["rpc.grpc.status_code"], span.get("shinpan.reason"), span.get("shinpan.game")) for span in spans]
    expected = [(0, None, "hidden-hasami") if code == 0 else (8, "OVERLOADED", None) for code in codes]
    assert sorted(told[:-1], key=repr) == sorted(expected, key=repr)
    assert told[-1] == (9, "TOKEN_NOT_SEALED", None)


def test_a_server_ends_though_nobody_takes_its_spans(transport: str) -> None:
    nowhere = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}
    with ServerProcess(environment=nowhere, transport=transport, tracing=True) as process:
        with grpc.insecure_channel(process.address) as channel:
            assert Contract(channel).referee.ListGames(referee_service_pb2.ListGamesRequest()).games
        assert process.stop() == 0


def test_nothing_of_it_is_imported_unless_asked_for() -> None:
    program = (
        "import sys; from service.config import read_settings; from service.server import Server;"
        "Server(read_settings(sys.argv[1:], {}));"
        "print(any(name.split('.')[0] == 'opentelemetry' for name in sys.modules), 'service.tracing' in sys.modules)"
    )
    for flag, imported in (("--tracing=false", "False False"), ("--tracing=true", "True True")):
        done = subprocess.run(
            [sys.executable, "-c", program, flag], capture_output=True, text=True, check=True, timeout=60
        )
        assert done.stdout.split("\n")[0] == imported
