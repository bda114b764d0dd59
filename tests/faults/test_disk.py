"""The log cannot be written."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Final

import pytest
from faults.asking import answers, healthy, well_within
from faults.players import Players
from faults.table import stated_seconds

from service.process import ServerProcess

pytestmark = pytest.mark.faults

DISK_BYTES: Final = 64 * 1024
CALLS: Final = 600
"""Their lines in the log are more than that."""


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB."""
    if os.geteuid() != 0:
        pytest.skip("needs root, to mount a file system")
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(disk)], check=True)
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


def calls_in(log: Path) -> int:
    """Whole lines about calls."""
    found = 0
    for line in log.read_bytes().splitlines():
        try:
            found += json.loads(line)["event"] == "call"
        except ValueError:  # cut off where the disk was full, or the rest of such a line
            continue
    return found


def test_the_disk_for_the_log_is_full(transport: str, small_disk: Path) -> None:
    """Calls are answered without their lines, and there are lines again as soon as there is room."""
    log, ballast = small_disk / "log", small_disk / "ballast"
    ballast.write_bytes(bytes(DISK_BYTES // 2))
    with log.open("ab") as file, ServerProcess(log=file, transport=transport) as process:
        with Players(process.address) as players:
            players.go_on(CALLS)
            assert os.statvfs(small_disk).f_bfree == 0, "the disk is full"
            assert healthy(process.admin_address)
            assert not players.unanswered
            written = calls_in(log)
            assert 0 < written < CALLS
            ballast.unlink()
            limit = stated_seconds("faults/test_disk.py::test_the_disk_for_the_log_is_full")
            well_within(limit, monotonic(), lambda: answers(process.address) and calls_in(log) > written)
        assert not players.unanswered


def test_every_write_of_the_log_fails(transport: str) -> None:
    """From the first line on, which is not one about a call."""
    limit = stated_seconds("faults/test_disk.py::test_every_write_of_the_log_fails")
    with open("/dev/full", "wb") as full, ServerProcess(log=full, transport=transport) as process:
        with Players(process.address, timeout=limit) as players:
            players.go_on(CALLS)
        assert not players.unanswered
        assert process.stop() == 0
