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
SPARE_FILES: Final = 3
"""Files that a server may have open more than before, for what it has done meanwhile."""
ENDING: Final = {
    # Long enough for connections to be cut off before they have that age.
    "grpcio": ["--max-connection-age-seconds=10", "--max-connection-age-grace-seconds=5"],
    "native": [],
}
ASKED_AGAIN: Final = {grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.UNAVAILABLE}


def test_a_tenth_of_all_packets_is_lost(transport: str) -> None:
    limit = stated_seconds("faults/test_network.py::test_a_tenth_of_all_packets_is_lost")
    with DistantServer(transport) as server, Players(server.address) as players:
        server.lose(LOST)
        players.go_on(60)
        lost = server.lost()
        server.lose(0)
        well_within(limit, monotonic(), lambda: answers(server.address))
        players.go_on(100)
        assert min(lost["INPUT"], lost["OUTPUT"]) > 0
        assert set(players.unanswered) <= ASKED_AGAIN


def test_a_partition(transport: str) -> None:
    """Callers get no answers until it is over, and then go on."""
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


def test_connections_of_callers_that_are_cut_off_are_given_up(transport: str) -> None:
    """By grpcio at their age, by native when nobody answers: nobody tells the server that they have gone."""
    limit = stated_seconds("faults/test_network.py::test_connections_of_callers_that_are_cut_off_are_given_up")
    with DistantServer(transport, *ENDING[transport]) as server, ExitStack() as connected:
        files = open_files(server.metrics_url)
        for _ in range(CONNECTIONS):
            client = connected.enter_context(RawClient(server.address))
            client.read(lambda client=client: bool(client.http2.remote_settings.max_frame_size))  # type: ignore[misc]
        server.forget(PORTS["grpc"])
        assert open_files(server.metrics_url) >= files + CONNECTIONS
        well_within(limit, monotonic(), lambda: open_files(server.metrics_url) <= files + SPARE_FILES)


def open_files(url: str) -> float:
    """How many files the server has open, among them its connections."""
    with urlopen(url) as answer:
        families = text_string_to_metric_families(answer.read().decode())
    return next(family.samples[0].value for family in families if family.name == "process_open_fds")
