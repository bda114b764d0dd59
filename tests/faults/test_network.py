"""The network between callers and server loses packets, or all of them."""

from time import monotonic
from typing import Final

import grpc
import pytest
from faults.asking import answers, well_within
from faults.network import DistantServer
from faults.players import Players
from faults.table import stated_seconds

pytestmark = pytest.mark.faults

LOST: Final = 0.1
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
