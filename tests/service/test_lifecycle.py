"""Starting, refusing to start, and stopping a server."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import grpc
import pytest
from contract import Contract, Seats, wrap
from shinpan.v1 import analysis_service_pb2, referee_service_pb2

import engine_core
from service.config import Settings, read_settings
from service.process import ServerProcess

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "service", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
        timeout=60,
    )


def test_help_lists_every_setting() -> None:
    answer = run("--help", COLUMNS="100000")
    assert answer.returncode == 0
    text = " ".join(answer.stdout.split())
    for name, field in Settings.model_fields.items():
        entry = f"{Settings.flag(name)} {field.title} {field.description} Default "
        default = str(field.default).lower() if isinstance(field.default, bool) else str(field.default) or "none"
        assert f"{entry}{default}. Environment {Settings.variable(name)}." in text


def test_flags_come_before_the_environment() -> None:
    environment = {"SHINPAN_THREADS": "2", "SHINPAN_MAX_BATCH_ITEMS": "7", "SHINPAN_REFEREE": "false"}
    settings = read_settings(["--threads", "3"], environment)
    assert (settings.threads, settings.max_batch_items, settings.referee) == (3, 7, False)
    assert settings.grpc_port == 50051


def test_kubernetes_service_variables_are_not_settings() -> None:
    assert read_settings([], {"SHINPAN_PORT": "tcp://10.0.0.1:50051"}) == read_settings([], {})


@pytest.mark.parametrize(
    ("arguments", "environment", "named"),
    [
        (["--grpc-port", "70000"], {}, "--grpc-port='70000'"),
        ([], {"SHINPAN_THREADS": "many"}, "SHINPAN_THREADS='many'"),
        (["--no-such-setting", "1"], {}, "--no-such-setting"),
        (["--drain-seconds", "inf"], {}, "--drain-seconds='inf'"),
    ],
)
def test_a_wrong_setting_is_named(arguments: list[str], environment: dict[str, str], named: str) -> None:
    answer = run(*arguments, **environment)
    assert answer.returncode == 2
    assert named in answer.stderr


@pytest.mark.parametrize("port", ["grpc_port", "admin_port", "metrics_port"])
def test_a_taken_port_is_named(transport: str, port: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        flags = {"transport": transport, "grpc_port": 0, "admin_port": 0, "metrics_port": 0, port: number}
        answer = run(*(f"{Settings.flag(name)}={value}" for name, value in flags.items()))
    assert answer.returncode == 1
    assert f"127.0.0.1:{number}" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_two_servers_do_not_share_a_port(server: ServerProcess) -> None:
    answer = run("--grpc-port", server.address.rpartition(":")[2], "--admin-port=0", "--metrics-port=0")
    assert answer.returncode == 1


def test_the_printed_line_works_as_printed() -> None:
    """From the root of the repository."""
    process = subprocess.Popen(
        [sys.executable, "-m", "service", "--grpc-port=0", "--admin-port=0", "--metrics-port=0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=ROOT,
    )
    assert process.stdout is not None
    line = next(line for line in process.stdout if line.startswith("try it"))
    command = line.removeprefix("try it").strip()
    answer = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert [game["id"] for game in json.loads(answer.stdout)["games"]] == engine_core.games()
    process.send_signal(signal.SIGINT)
    process.stdout.close()
    assert process.wait(60) == 0


def test_a_call_that_was_accepted_is_answered_after_sigterm(transport: str, seats: Seats, limit: float) -> None:
    with ServerProcess(threads=1, transport=transport) as process, grpc.insecure_channel(process.address) as channel:
        contract = Contract(channel)
        request = analysis_service_pb2.PlayoutRequest(state=wrap(seats.state), games=3000, seed=1)
        started = referee_service_pb2.ListGamesRequest()
        contract.referee.ListGames(started)
        call = contract.analysis.Playout.future(request, timeout=limit)
        waiting = [contract.referee.ListGames.future(started, timeout=limit) for _ in range(3)]
        contract.referee.ListGames(started, timeout=limit)  # one thread: the calls before it have been accepted
        process.terminate()
        assert call.result().games == 3000
        assert all(len(one.result().games) == len(engine_core.games()) for one in waiting)
        assert process.stop() == 0


DRAINING: dict[str, dict[str, Any]] = {
    "grpcio": {"max_connection_age_seconds": 1, "drain_seconds": 10},
    "native": {"drain_seconds": 1},
}
"""How the servers of the test below drain: grpcio until each connection has its age, native until its time is up."""


def test_no_call_is_lost_in_draining(transport: str, seats: Seats, limit: float, tmp_path: Path) -> None:
    """Callers that do not retry: each call is answered until its connection or the call itself is turned away."""
    callers = 8
    request = referee_service_pb2.ListLegalActionsRequest(state=wrap(seats.state), seat=1)
    # Each caller has a connection of its own, and repeats nothing, not even what was never begun.
    options = [("grpc.enable_retries", 0), ("grpc.use_local_subchannel_pool", 1)]
    ends: Counter[str] = Counter()
    answered: Counter[int] = Counter()
    busy = threading.Barrier(callers + 1)

    def call_until_refused(number: int) -> None:
        with grpc.insecure_channel(process.address, options=options) as channel:
            contract = Contract(channel)
            contract.referee.ListLegalActions(request, timeout=limit)
            busy.wait()
            while True:
                call = contract.referee.ListLegalActions.future(request, timeout=limit)
                if call.code() is not grpc.StatusCode.OK:
                    ends[f"{call.code().name} {call.details()}"] += 1
                    return
                answered[number] += 1

    log = tmp_path / "log"
    with log.open("wb") as file, ServerProcess(log=file, transport=transport, **DRAINING[transport]) as process:
        threads = [threading.Thread(target=call_until_refused, args=(number,)) for number in range(callers)]
        for thread in threads:
            thread.start()
        busy.wait()
        process.terminate()
        for thread in threads:
            thread.join()
        assert process.stop() == 0
    assert min(answered.values()) > 0
    assert sum(ends.values()) == callers
    for end in ends:
        assert end.startswith("UNAVAILABLE"), end
        told = ("Connection refused", "GOAWAY received; Error code: 0", "The server is stopping.")
        assert any(one in end for one in told), end
    worked_on = sum(json.loads(line)["event"] == "call" for line in log.read_text().splitlines())
    assert worked_on == sum(answered.values()) + callers, "what was worked on has been answered"


def test_idle_connections_do_not_hold_up_the_native_transport() -> None:
    """Nothing tells them to go, so it is enough that they are quiet."""
    with (
        ServerProcess(transport="native", drain_seconds=3600) as process,
        grpc.insecure_channel(process.address) as channel,
    ):
        Contract(channel).referee.ListGames(referee_service_pb2.ListGamesRequest())
        assert process.stop() == 0


def test_a_second_signal_does_not_wait(transport: str) -> None:
    with ServerProcess(transport=transport, unready_seconds=3600, drain_seconds=3600) as process:
        process.terminate()
        process.process.send_signal(signal.SIGINT)
        assert process.stop() == 0
