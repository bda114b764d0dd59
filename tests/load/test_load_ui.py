"""Locust's page: a run that is started there is checked and judged as any other."""

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

pytest.importorskip("pytest_locust", reason="Locust is not installed; `make load` installs it")

from runs import ROOT, thresholds

FORM = {"user_count": 2, "spawn_rate": 2, "think_seconds": 0, "game": "mak-yek", "patience": 30, "seed": 3}


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def listens(port: int) -> bool:
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.slow
def test_a_run_from_the_page(tmp_path: Path) -> None:
    port = free_port()
    page = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "load.run", "match", "--ui", f"--ui-port={port}", f"--folder={tmp_path}"]
    environment = {**os.environ, "LOAD_THRESHOLDS": str(thresholds(tmp_path, "match"))}
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stderr is not None
        try:
            while not listens(port):
                assert process.poll() is None
            with urllib.request.urlopen(page) as answer:
                assert "<title>Locust</title>" in answer.read().decode()
            form = urllib.parse.urlencode(FORM).encode()
            with urllib.request.urlopen(f"{page}/swarm", form) as answer:
                assert json.load(answer)["success"] is True
            checks = 0
            while checks < 2:
                with urllib.request.urlopen(f"{page}/stats/requests") as answer:
                    stats = json.load(answer)["stats"]
                checks = sum(one["num_requests"] for one in stats if one["method"] == "check")
        finally:
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        said = process.stderr.readlines()
    assert process.returncode == 0, "".join(said)
    assert "match: keeps its thresholds\n" in said
    assert not any("Traceback" in line for line in said)
