"""Clients that go away in the middle, or come in thousands and do nothing."""

import resource
import socket
from contextlib import ExitStack, suppress
from time import monotonic
from typing import Any, Final

import grpc
import pytest
from contract import Contract, Seats, arranged_state, read_error, wrap
from faults.asking import SERVING, answers, healthy, well_within
from faults.table import stated_seconds
from grpc_health.v1 import health_pb2
from h2.settings import SettingCodes, Settings
from raw_http2 import PREFACE, RawClient, frame, message
from shinpan.v1 import analysis_service_pb2, referee_service_pb2
from test_admin import samples

from service.process import ServerProcess

pytestmark = pytest.mark.faults

DESCRIBE: Final = "/shinpan.v1.RefereeService/DescribeState"
PLAYOUT: Final = "/shinpan.v1.AnalysisService/Playout"
WATCH: Final = "/grpc.health.v1.Health/Watch"
CLIENTS: Final = 40
SPARE_FILES: Final = 3
"""Files that a server may have open more than before, for what it has done meanwhile."""
CONNECTIONS: Final = 10_000
HALF_REQUESTS: Final = 516
"""That grpcio holds at most, by the defaults of --threads and --max-waiting-calls: 4 + 2 * 256."""
BATCH: Final = 43
LASTING: Final[dict[str, dict[str, Any]]] = {"grpcio": {"max_connection_age_seconds": 0}, "native": {}}
"""Connections that the server does not end by itself."""
OVERLOADED: Final = (grpc.StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED", 0.5)
SETTINGS: Final = 4
WINDOW: Final = 16
"""Bytes of an answer that its client takes."""


@pytest.fixture
def seats() -> Seats:
    return arranged_state("hidden-hasami")


def open_files(process: ServerProcess) -> float:
    return samples(process)["process_open_fds", ()]


def settled(process: ServerProcess, files: float) -> bool:
    """Whether nothing is under way and no connection is left over."""
    return samples(process)["shinpan_calls_in_flight", ()] == 0 and open_files(process) <= files + SPARE_FILES


def half_a_request(client: RawClient, seats: Seats) -> None:
    stream = client.open(DESCRIBE)
    whole = message(referee_service_pb2.DescribeStateRequest(state=wrap(seats.state)).SerializeToString())
    client.http2.send_data(stream, whole[: len(whole) // 2])
    client.flush()


def a_call_under_way(client: RawClient, seats: Seats) -> None:
    request = analysis_service_pb2.PlayoutRequest(state=wrap(seats.state), games=200, seed=1)
    client.call(PLAYOUT, request.SerializeToString())
    client.flush()


def half_an_answer(client: RawClient, seats: Seats) -> None:
    request = referee_service_pb2.DescribeStateRequest(state=wrap(seats.state)).SerializeToString()
    stream = client.call(DESCRIBE, request)
    client.flush()
    client.read(lambda: client.has(stream, WINDOW))
    assert 0 < len(client.streams[stream].data) <= WINDOW


@pytest.mark.parametrize("begin", [half_a_request, a_call_under_way, half_an_answer])
def test_clients_vanish_in_mid_call(transport: str, seats: Seats, begin: Any) -> None:
    """Many at once; nothing of theirs stays, and others are answered before and after."""
    with ServerProcess(transport=transport, access_log=False) as process:
        assert answers(process.address)
        files = open_files(process)
        with ExitStack() as connected:
            for _ in range(CLIENTS):
                client = connected.enter_context(RawClient(process.address, greet=False))
                client.http2.local_settings = Settings(initial_values={SettingCodes.INITIAL_WINDOW_SIZE: WINDOW})
                client.http2.initiate_connection()
                begin(client, seats)
            assert answers(process.address, timeout=30)
        limit = stated_seconds("faults/test_clients.py::test_clients_vanish_in_mid_call")
        well_within(limit, monotonic(), lambda: settled(process, files) and answers(process.address))


def test_half_requests_hold_up_nobody(transport: str, seats: Seats) -> None:
    """Many more than there are threads, which stay as they are."""
    with ServerProcess(transport=transport, access_log=False) as process, ExitStack() as connected:
        for _ in range(CLIENTS):
            half_a_request(connected.enter_context(RawClient(process.address)), seats)
        begun = monotonic()
        limit = stated_seconds("faults/test_clients.py::test_half_requests_hold_up_nobody")
        well_within(limit, begun, lambda: answers(process.address, timeout=limit))
        with grpc.insecure_channel(process.address) as channel:
            for _ in range(100):
                Contract(channel).referee.ListGames(referee_service_pb2.ListGamesRequest(), timeout=limit)


def is_full(contract: Contract, seats: Seats, seconds: float, patience: float) -> bool:
    """Whether all calls of so many seconds are refused for load, each before its patience is at an end."""
    request = referee_service_pb2.ListLegalActionsRequest(state=wrap(seats.state), seat=1)
    until = monotonic() + seconds
    while monotonic() < until:
        try:
            contract.referee.ListLegalActions(request, timeout=patience)
        except grpc.RpcError as error:
            told = read_error(error)
            assert (told.code, told.reason, told.retry_seconds) == OVERLOADED
        else:
            return False
    return True


def refused_half_requests(process: ServerProcess) -> float:
    return sum(
        value
        for (name, labels), value in samples(process).items()
        if name == "grpc_server_handled_total"
        and {("grpc_method", "DescribeState"), ("grpc_code", "ResourceExhausted")} <= set(labels)
    )


def test_more_half_requests_than_are_held(transport: str, seats: Seats) -> None:
    """grpcio then refuses everybody until they go; native has them outside."""
    limit = stated_seconds("faults/test_clients.py::test_more_half_requests_than_are_held")
    with ServerProcess(transport=transport, access_log=False, **LASTING[transport]) as process:
        with grpc.insecure_channel(process.address) as channel, ExitStack() as connected:
            contract, sent = Contract(channel), 0
            while sent < HALF_REQUESTS or (transport == "grpcio" and not is_full(contract, seats, limit, patience=30)):
                client = connected.enter_context(RawClient(process.address))
                for _ in range(BATCH):
                    half_a_request(client, seats)
                sent += BATCH
            assert is_full(contract, seats, limit, patience=limit) == (transport == "grpcio")
            assert sent - refused_half_requests(process) == HALF_REQUESTS
            assert healthy(process.admin_address)
        well_within(limit, monotonic(), lambda: answers(process.address, timeout=limit))


def test_half_requests_end_with_their_connection(seats: Seats) -> None:
    """On grpcio, where it has an age and a grace for what is under way."""
    limit = stated_seconds("faults/test_clients.py::test_half_requests_end_with_their_connection")
    short: dict[str, Any] = {"max_connection_age_seconds": 1, "max_connection_age_grace_seconds": 1}
    with ServerProcess(transport="grpcio", access_log=False, **short) as process:
        with RawClient(process.address) as client:
            half_a_request(client, seats)
            with suppress(ConnectionResetError):
                while client.socket.recv(65_536):
                    pass
        well_within(limit, monotonic(), lambda: answers(process.address, timeout=limit))


def watch_readiness(client: RawClient) -> None:
    stream = client.call(WATCH, health_pb2.HealthCheckRequest(service="readiness").SerializeToString())
    client.flush()
    told = message(health_pb2.HealthCheckResponse(status=SERVING).SerializeToString())
    client.read(lambda: client.has(stream, len(told)))
    assert client.streams[stream].data == told
    assert not client.ended(stream)


def test_clients_vanish_in_mid_stream(transport: str) -> None:
    """The streams that the admin port has: watching health. All are open before the first is dropped."""
    with ServerProcess(transport=transport) as process:
        assert healthy(process.admin_address)
        files = open_files(process)
        with ExitStack() as connected:
            for _ in range(CLIENTS):
                watch_readiness(connected.enter_context(RawClient(process.admin_address)))
            assert open_files(process) >= files + CLIENTS
            assert healthy(process.admin_address)
        limit = stated_seconds("faults/test_clients.py::test_clients_vanish_in_mid_stream")
        well_within(limit, monotonic(), lambda: settled(process, files) and healthy(process.admin_address))


def test_ten_thousand_idle_connections(transport: str) -> None:
    """They hold files and memory and nothing else: others are answered while they come, stay and go."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < CONNECTIONS * 1.1:
        pytest.skip(f"a process may have {most} files here; this needs {CONNECTIONS * 1.1:.0f}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    greeting = PREFACE + frame(SETTINGS, 0, 0, b"")
    with ServerProcess(log=None, environment=None, transport=transport, **LASTING[transport]) as process:
        host, port = process.address.split(":")
        files, before = open_files(process), samples(process)["process_resident_memory_bytes", ()]
        with ExitStack() as connected:
            for number in range(CONNECTIONS):
                one = connected.enter_context(socket.create_connection((host, int(port)), 60))
                one.sendall(greeting)
                if number % 1000 == 0:
                    assert answers(process.address)
            well_within(60, monotonic(), lambda: open_files(process) >= files + CONNECTIONS)
            grown = samples(process)["process_resident_memory_bytes", ()] - before
            with grpc.insecure_channel(process.address) as channel:
                for _ in range(100):
                    Contract(channel).referee.ListGames(referee_service_pb2.ListGamesRequest(), timeout=5)
            assert healthy(process.admin_address)
        print(f"{transport}: {grown / CONNECTIONS / 1024:.1f} KiB a connection")
        limit = stated_seconds("faults/test_clients.py::test_ten_thousand_idle_connections")
        well_within(limit, monotonic(), lambda: settled(process, files) and answers(process.address))
