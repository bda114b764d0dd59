"""The process dies."""

from time import monotonic

import pytest
from faults.asking import answers, well_within
from faults.players import Players
from faults.table import stated_seconds

from service.process import ServerProcess

pytestmark = pytest.mark.faults


def test_kill_9_and_another_in_its_place(transport: str) -> None:
    """Players go on where they were: what they were answered is theirs, what they were not they ask again."""
    limit = stated_seconds("faults/test_processes.py::test_kill_9_and_another_in_its_place")
    with ServerProcess(transport=transport) as first, Players(first.address) as players:
        port = first.address.rpartition(":")[2]
        killed = monotonic()
        first.process.kill()
        assert first.process.wait() == -9
        players.fail_to()
        with ServerProcess(transport=transport, grpc_port=port) as second:
            well_within(limit, killed, lambda: answers(second.address))
            players.go_on(200)
            players.check()
