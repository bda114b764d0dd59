"""The admin port and the metrics."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from urllib.request import urlopen

import grpc
import pytest
from contract import METHODS, SPECTATOR, Contract, Seats, apply_request, move, named, refused, resign, wrap
from google.protobuf.descriptor_pool import DescriptorPool
from grpc_channelz.v1 import channelz_pb2, channelz_pb2_grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from prometheus_client.parser import text_string_to_metric_families
from raw_http2 import RawClient
from shinpan.v1 import referee_service_pb2
from waiting import wait_for

from service.process import ServerProcess

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


@pytest.fixture
def fresh(transport: str) -> Iterator[ServerProcess]:
    """A server that nothing else calls."""
    with ServerProcess(transport=transport) as process:
        yield process


def samples(process: ServerProcess) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    with urlopen(process.metrics_url) as answer:
        text = answer.read().decode()
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def labels(**names: str) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(names.items()))


@pytest.mark.parametrize("service", ["liveness", "readiness", ""])
def test_health(server: ServerProcess, service: str) -> None:
    with grpc.insecure_channel(server.admin_address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        assert stub.Check(health_pb2.HealthCheckRequest(service=service)).status == SERVING
        with pytest.raises(grpc.RpcError):
            stub.Check(health_pb2.HealthCheckRequest(service="other"))


def test_health_is_answered_beside_what_holds_threads(server: ServerProcess) -> None:
    """Open streams of reflection and half requests hold a thread each; probes wait for two seconds."""
    with ExitStack() as open_things:
        channel = open_things.enter_context(grpc.insecure_channel(server.admin_address))
        reflection = reflection_pb2_grpc.ServerReflectionStub(channel)
        for _ in range(20):
            questions = SimpleQueue[reflection_pb2.ServerReflectionRequest]()
            questions.put(reflection_pb2.ServerReflectionRequest(list_services="*"))
            answers = reflection.ServerReflectionInfo(iter(questions.get, None), timeout=30)
            open_things.callback(answers.cancel)
            assert next(answers).list_services_response.service
        for _ in range(20):
            client = open_things.enter_context(RawClient(server.admin_address))
            client.open("/grpc.health.v1.Health/Check")
            client.flush()
        for service in ("liveness", "readiness"):
            request = health_pb2.HealthCheckRequest(service=service)
            assert health_pb2_grpc.HealthStub(channel).Check(request, timeout=2).status == SERVING


def test_readiness_goes_off_first(transport: str, seats: Seats) -> None:
    """While it is off, calls are answered, and liveness stays on."""
    with ServerProcess(transport=transport, unready_seconds=3600) as process:
        with grpc.insecure_channel(process.admin_address) as admin, grpc.insecure_channel(process.address) as channel:
            stub = health_pb2_grpc.HealthStub(admin)
            statuses = stub.Watch(health_pb2.HealthCheckRequest(service="readiness"), timeout=60)
            assert next(statuses).status == SERVING
            process.terminate()
            assert next(statuses).status == NOT_SERVING
            assert stub.Check(health_pb2.HealthCheckRequest(service="liveness")).status == SERVING
            look = referee_service_pb2.GetUpdateRequest(state=wrap(seats.state), viewers=named(SPECTATOR))
            assert Contract(channel).referee.GetUpdate(look).updates
            statuses.cancel()
        process.terminate()
        assert process.stop() == 0


def test_reflection_describes_both_services(server: ServerProcess) -> None:
    with grpc.insecure_channel(server.admin_address) as channel:
        database = ProtoReflectionDescriptorDatabase(channel)
        assert {"shinpan.v1.RefereeService", "shinpan.v1.AnalysisService"} <= set(database.get_services())
        service = DescriptorPool(database).FindServiceByName("shinpan.v1.RefereeService")
        assert service.methods_by_name["ApplyAction"].input_type.full_name == "shinpan.v1.ApplyActionRequest"


def test_reflection_on_the_api_port_is_asked_for(server: ServerProcess) -> None:
    with grpc.insecure_channel(server.address) as channel, pytest.raises(grpc.RpcError):
        ProtoReflectionDescriptorDatabase(channel).get_services()
    with ServerProcess(reflection=True) as process, grpc.insecure_channel(process.address) as channel:
        names = ProtoReflectionDescriptorDatabase(channel).get_services()
        assert "shinpan.v1.AnalysisService" in names


def channelz(process: ServerProcess) -> dict[str, tuple[Any, Any]]:
    """What channelz says of each server with one connection, by its address: its data, and that of the connection."""
    found = {}
    with grpc.insecure_channel(process.admin_address) as channel:
        stub = channelz_pb2_grpc.ChannelzStub(channel)
        for one in stub.GetServers(channelz_pb2.GetServersRequest()).server:
            wanted = channelz_pb2.GetServerSocketsRequest(server_id=one.ref.server_id)
            (ref,) = stub.GetServerSockets(wanted).socket_ref
            held = stub.GetSocket(channelz_pb2.GetSocketRequest(socket_id=ref.socket_id)).socket
            found[f"127.0.0.1:{held.local.tcpip_address.port}"] = one.data, held.data
    return found


def test_channelz(transport: str, fresh: ServerProcess) -> None:
    """The server of the API with its calls and connections, which grpcio knows; the admin port itself on either."""
    with grpc.insecure_channel(fresh.address) as channel:
        contract = Contract(channel)
        for _ in range(2):
            contract.referee.ListGames(referee_service_pb2.ListGamesRequest())
        refused(lambda: contract.raw(METHODS[0], b"\xff"))
        assert set(channelz(fresh)) == {fresh.admin_address} | ({fresh.address} if transport == "grpcio" else set())
        if transport == "grpcio":
            wait_for(lambda: channelz(fresh)[fresh.address][0].calls_failed == 1)  # it counts after the answer
            calls, connection = channelz(fresh)[fresh.address]
            assert (calls.calls_started, calls.calls_succeeded) == (3, 2)
            assert (connection.streams_started, connection.messages_received) == (3, 3)


def test_metrics_count_what_happened(fresh: ServerProcess, seats: Seats) -> None:
    before = samples(fresh)
    for path in METHODS:
        _, service, method = path.split("/")
        name = labels(grpc_type="unary", grpc_service=service, grpc_method=method)
        assert before["grpc_server_started_total", name] == 0
    with grpc.insecure_channel(fresh.address) as channel:
        contract = Contract(channel)
        first = seats.state.legal_moves()[0]
        for _ in range(3):
            contract.referee.ApplyAction(apply_request(seats.state, move(1, int(first))))
        contract.referee.ApplyAction(apply_request(seats.state, resign(1)))
        refused(lambda: contract.referee.ApplyAction(apply_request(seats.state, move(2, 0))))
        items = [apply_request(seats.state, resign(2)), apply_request(seats.state, move(1, "zz"))]
        contract.referee.BatchApplyActions(referee_service_pb2.BatchApplyActionsRequest(items=items))
    after = samples(fresh)
    apply = {"grpc_type": "unary", "grpc_service": "shinpan.v1.RefereeService", "grpc_method": "ApplyAction"}
    assert after["grpc_server_started_total", labels(**apply)] == 5
    assert after["grpc_server_handled_total", labels(**apply, grpc_code="OK")] == 4
    assert after["grpc_server_handled_total", labels(**apply, grpc_code="FailedPrecondition")] == 1
    assert after["grpc_server_handling_seconds_count", labels(**apply)] == 5
    assert after["shinpan_actions_total", labels(game="hidden-hasami")] == 5
    assert after["shinpan_matches_ended_total", labels(game="hidden-hasami", reason="resigned")] == 2
    assert after["shinpan_errors_total", labels(reason="NOT_YOUR_TURN")] == 1
    assert after["shinpan_errors_total", labels(reason="MALFORMED_MOVE")] == 1
    assert after["shinpan_batch_items_total", labels(grpc_method="BatchApplyActions")] == 2
    assert after["shinpan_waiting_calls", ()] == 0


def test_labels_hold_names_only(server: ServerProcess, contract: Contract, seats: Seats) -> None:
    contract.referee.ApplyAction(apply_request(seats.state, resign(1)))
    allowed = {"grpc_type", "grpc_service", "grpc_method", "grpc_code", "game", "reason", "le"}
    for (name, pairs), _ in samples(server).items():
        assert {key for key, _ in pairs} <= allowed, name


def test_buf_curl_asks_the_admin_port(server: ServerProcess) -> None:
    """With reflection alone, without any file."""
    buf = Path(sys.executable).parent / "buf"
    answer = subprocess.run(
        [
            *(buf, "curl", "--http2-prior-knowledge", "--protocol", "grpc", "-d", '{"service":"readiness"}'),
            f"http://{server.admin_address}/grpc.health.v1.Health/Check",
        ],
        capture_output=True,
        text=True,
        check=True,
        env=dict(os.environ),
        timeout=60,
    )
    assert '"SERVING"' in answer.stdout


def test_scrapes_do_not_disturb_calls(server: ServerProcess, contract: Contract) -> None:
    errors: list[Exception] = []

    def scrape() -> None:
        try:
            for _ in range(5):
                samples(server)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=scrape) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(50):
        contract.referee.ListGames(referee_service_pb2.ListGamesRequest())
    for thread in threads:
        thread.join()
    assert not errors
