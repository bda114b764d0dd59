"""The network between callers and server loses packets, or all of them."""

from contextlib import ExitStack
from time import monotonic
from typing import Final
from urllib.request import urlopen

import grpc
import pytest
from faults.asking import answers, well_within
from faults.network import PORTS, DistantServer
from faults.players import Players
from faults.table import stated_seconds
from prometheus_client.parser import text_string_to_metric_families
from raw_http2 import RawClient

pytestmark = pytest.mark.faults

LOST: Final = 0.1
CONNECTIONS: Final = 20
ASKED_AGAIN: Final = {grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE}


def test_a_tenth_of_all_packets_is_lost(transport: str) -> None:
    limit = stated_seconds("faults/test_network.py::test_a_tenth_of_all_packets_is_lost")
    with DistantServer(transport) as server, Players(server.address) as players:
        server.lose(LOST)
        players.go_on(60)
        server.lose(0)
        well_within(limit, monotonic(), lambda: answers(server.address))
        players.go_on(100)
        assert set(players.unanswered) <= ASKED_AGAIN


def test_a_partition(transport: str) -> None:
    """Callers get no answers until it is over, and then go on on the connections that they have, or on new ones."""
    limit = stated_seconds("faults/test_network.py::test_a_partition")
    with DistantServer(transport) as server, Players(server.address, timeout=1) as players:
        server.lose(1)
        players.fail_to(6)
        server.lose(0)
        healed = monotonic()
        well_within(limit, healed, lambda: answers(server.address, timeout=1))
        players.go_on(60)
        assert monotonic() - healed < limit
        assert set(players.unanswered) <= ASKED_AGAIN


def test_connections_of_callers_that_are_cut_off_are_given_up() -> None:
    """By native, whose connections have no age: nobody tells the server that they have gone."""
    limit = stated_seconds("faults/test_network.py::test_connections_of_callers_that_are_cut_off_are_given_up")
    with DistantServer("native") as server, ExitStack() as connected:
        files = open_files(server.metrics_url)
        for _ in range(CONNECTIONS):
            client = connected.enter_context(RawClient(server.address))
            client.read(lambda client=client: bool(client.http2.remote_settings.max_frame_size))  # type: ignore[misc]
        assert open_files(server.metrics_url) >= files + CONNECTIONS
        server.forget(PORTS["grpc"])
        well_within(limit, monotonic(), lambda: open_files(server.metrics_url) < files + CONNECTIONS / 2)


def open_files(url: str) -> float:
    """How many files the server has open, among them its connections."""
    with urlopen(url) as answer:
        families = text_string_to_metric_families(answer.read().decode())
    return next(family.samples[0].value for family in families if family.name == "process_open_fds")
