"""The launcher of the example backend: it starts both processes, and neither outlives it."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import engine_core
from demo.table import BACKEND

ROOT = Path(__file__).resolve().parents[2]
FETCH = """
import os, urllib.request
print(os.environ["TABLE_URL"])
print(urllib.request.urlopen(os.environ["TABLE_URL"] + "/api/games").read().decode())
raise SystemExit(7)
"""

pytestmark = pytest.mark.skipif(
    not BACKEND.is_file() or shutil.which("node") is None,
    reason="the example backend is not built; make table builds it",
)


def listens(address: str) -> bool:
    """Whether somebody takes connections at `host:port`."""
    host, _, port = address.rpartition(":")
    with socket.socket() as probe:
        return probe.connect_ex((host, int(port))) == 0


def test_a_command_is_run_against_it_and_its_status_is_passed_on() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "demo.table", sys.executable, "-c", FETCH],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 7, done.stderr
    url, answer = done.stdout.splitlines()
    assert [game["id"] for game in json.loads(answer)["games"]] == list(engine_core.games())
    assert not listens(url.removeprefix("http://"))


def test_an_interrupt_stops_both() -> None:
    """As a terminal sends it: to all processes at once."""
    process = subprocess.Popen(
        [sys.executable, "-m", "demo.table"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    addresses = re.findall(r"127\.0\.0\.1:\d+", line)
    assert len(addresses) == 2, line
    assert all(map(listens, addresses))
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    assert not any(map(listens, addresses))
