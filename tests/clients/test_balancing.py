"""A client of several servers: calls take turns, and no call fails when one of the servers is killed."""

import json
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from shinpan import SERVICE_CONFIG, Referee
from shinpan.v1 import analysis_service_pb2, referee_service_pb2

from service.process import ServerProcess

CALLS = 200


@pytest.fixture
def servers() -> Iterator[list[ServerProcess]]:
    with ExitStack() as running:
        yield [running.enter_context(ServerProcess()) for _ in range(2)]


def target(servers: list[ServerProcess]) -> str:
    """One name for all of them."""
    return "ipv4:" + ",".join(server.address for server in servers)


def answered(server: ServerProcess) -> int:
    """Calls of ListGames that a server has answered, by its own count."""
    with urllib.request.urlopen(server.metrics_url) as page:
        lines: list[str] = page.read().decode().splitlines()
    return sum(
        int(float(line.rpartition(" ")[2]))
        for line in lines
        if line.startswith("grpc_server_handled_total") and 'grpc_method="ListGames"' in line
    )


def test_calls_take_turns(servers: list[ServerProcess]) -> None:
    with Referee(target(servers)) as referee:
        for server in servers:  # until there are connections to both
            while not answered(server):
                referee.games()
        before = [answered(server) for server in servers]
        for _ in range(CALLS):
            referee.games()
        after = [answered(server) for server in servers]
    assert [later - earlier for earlier, later in zip(before, after, strict=True)] == [CALLS // 2, CALLS // 2]


def test_no_call_fails_when_a_server_is_killed(servers: list[ServerProcess]) -> None:
    with Referee(target(servers)) as referee:
        for server in servers:
            while not answered(server):
                referee.games()
        for number in range(CALLS):
            if number == CALLS // 4:
                servers[0].process.kill()
            assert referee.games()


def test_every_method_may_be_tried_again() -> None:
    named = {entry["service"] for method in json.loads(SERVICE_CONFIG)["methodConfig"] for entry in method["name"]}
    files = (referee_service_pb2, analysis_service_pb2)
    services = {service.full_name for file in files for service in file.DESCRIPTOR.services_by_name.values()}
    assert named == services
