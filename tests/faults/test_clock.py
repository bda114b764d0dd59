"""The clock of the machine jumps; libfaketime tells the server so."""

from functools import partial
from pathlib import Path
from time import monotonic, time
from typing import Final

import grpc
import pytest
from faults.asking import answers, healthy, well_within
from faults.players import Players
from faults.table import stated_seconds
from waiting import wait_for

from service.process import ServerProcess

pytestmark = pytest.mark.faults

LIBRARY: Final = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
DAY_SECONDS: Final = 86_400


def jump(clock: Path, seconds: int) -> None:
    """Set the clock so far ahead of the real one."""
    other = clock.with_suffix(".new")
    other.write_text(f"{seconds:+d}\n")
    other.replace(clock)


def has_jumped(log: Path, days: int) -> bool:
    """Whether the last whole line of the log has the time of so many days from now."""
    logged = float(log.read_text().splitlines()[-2].partition('"time":')[2].partition(",")[0])
    return abs(logged - time() - days * DAY_SECONDS) < DAY_SECONDS / 10


@pytest.mark.skipif(LIBRARY is None, reason="needs libfaketime, of `make debian-packages`")
def test_the_clock_jumps(transport: str, tmp_path: Path) -> None:
    """A day ahead, and two back. A call on its way may be told that its time is over; every answer is right."""
    clock = tmp_path / "clock"
    jump(clock, 0)
    environment = {
        "LD_PRELOAD": str(LIBRARY), "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_CACHE_DURATION": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }  # fmt: skip
    limit = stated_seconds("faults/test_clock.py::test_the_clock_jumps")
    log = tmp_path / "log"
    with log.open("wb") as file, ServerProcess(log=file, environment=environment, transport=transport) as process:
        with Players(process.address) as players:
            for days in (1, -1):
                jump(clock, days * DAY_SECONDS)
                wait_for(partial(has_jumped, log, days))
                well_within(limit, monotonic(), lambda: answers(process.address))
                players.go_on()
                assert healthy(process.admin_address)
        assert set(players.unanswered) <= {grpc.StatusCode.DEADLINE_EXCEEDED}
        assert players.unanswered.total() < 50
