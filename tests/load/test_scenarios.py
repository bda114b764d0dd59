"""Each scenario for a few seconds, for real; and what fails a run."""

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pytest_locust", reason="Locust is not installed; `make load` installs it")

from runs import ANYTHING, load_run, locust, thresholds
from tampering import TamperingProxy

from load.scenarios import thresholds as limits
from load.scenarios.stages import STAGES
from service.process import ServerProcess

SHORT = ("--users=4", "--think-seconds=0", "--patience=40")
CALLS = {
    "match": {"StartMatch", "ApplyAction"},
    "bots": {"StartMatch", "BatchApplyActions", "BatchPlayouts"},
    "mixed": {"StartMatch", "ApplyAction"},
    "soak": {"StartMatch", "ApplyAction", "BatchApplyActions", "BatchPlayouts"},
    "spike": {"StartMatch", "ApplyAction"},
}
CHECKS = {"match": {"match"}, "bots": {"match", "playouts"}, "mixed": {"match"}, "soak": {"match", "playouts"}}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with ServerProcess() as process:
        yield process.address


def test_every_scenario_has_thresholds_and_a_test() -> None:
    assert set(limits.read()) == set(CALLS)


@pytest.mark.parametrize(
    "scenario", ["match", "bots", *(pytest.param(name, marks=pytest.mark.slow) for name in ("mixed", "soak"))]
)
def test_a_scenario_calls_what_it_says_and_checks_it(scenario: str, tmp_path: Path) -> None:
    longer = ("--users=12", "--seconds=15") if scenario == "soak" else ("--seconds=5",)  # one user in ten is a bot
    run = load_run(scenario, tmp_path, thresholds(tmp_path, scenario), (*SHORT, *longer))
    assert run.code == 0, run.said
    assert f"{scenario}: keeps its thresholds" in run.said
    counts = run.counts()
    assert {name for kind, name in counts if kind == "gRPC"} == CALLS[scenario]
    assert {name for kind, name in counts if kind == "check"} == CHECKS[scenario]
    assert all(done > 0 and failed == 0 for done, failed in counts.values())
    for kept in ("report.html", "run_stats.csv", "run_failures.csv", "run_stats_history.csv"):
        assert (run.folder / kept).stat().st_size
    said = re.search(r"A server listens on 127\.0\.0\.1:(\d+);", run.said)
    assert said is not None
    with socket.socket() as connection:
        assert connection.connect_ex(("127.0.0.1", int(said[1]))) != 0, "the server has outlived its run"


def test_every_match_is_checked_once_whether_it_ends_or_not(server: str, tmp_path: Path) -> None:
    flags = ("--users=3", "--think-seconds=0.02", "--run-time=4s")
    counts = locust("match", server, tmp_path, thresholds(tmp_path, "match"), flags).counts()
    assert counts["check", "match"] == counts["gRPC", "StartMatch"]


@pytest.mark.parametrize("every", [0, 7])
def test_a_wrong_answer_fails_a_run(every: int, server: str, tmp_path: Path) -> None:
    with TamperingProxy(server, every) as proxy:
        flags = (*SHORT, "--run-time=4s")
        run = locust("match", proxy.address, tmp_path, thresholds(tmp_path, "match"), flags)
    done, failed = run.counts()["check", "match"]
    assert run.counts()["gRPC", "ApplyAction"][1] == 0, "to the transport, every answer is right"
    if every:
        assert proxy.tampered > 0
        assert 0 < failed <= done
        assert run.code == 1
        assert f"{failed} of {done} checks found a wrong answer" in run.said
        assert "is not that of the engine" in run.said
    else:
        assert (run.code, failed) == (0, 0), run.said


def test_a_threshold_that_is_not_kept_fails_a_run(server: str, tmp_path: Path) -> None:
    table = ANYTHING.replace("calls_per_second = 0.1", "calls_per_second = 1e9")
    run = locust("match", server, tmp_path, thresholds(tmp_path, "match", table), (*SHORT, "--run-time=4s"))
    assert run.code == 1
    assert re.search(
        r"does not keep its thresholds\n  [0-9.]+ calls a second; at least 1e\+09 are expected\n", run.said
    )


def test_a_server_that_is_not_there_fails_a_run(tmp_path: Path) -> None:
    limits = thresholds(tmp_path, "match")
    run = locust("match", "127.0.0.1:1", tmp_path, limits, ("--users=1", "--run-time=4s"))
    assert run.code == 1
    assert re.search(r"(\d+) of \1 calls failed; allowed are 0.00%", run.said)
    assert "UNAVAILABLE" in run.said


def test_an_unknown_scenario_is_named(tmp_path: Path) -> None:
    run = locust("sok", "127.0.0.1:1", tmp_path, thresholds(tmp_path, "match"))
    assert run.code != 0
    assert "LOAD_SCENARIO=sok: there are match, bots, mixed, spike, soak" in run.said


@pytest.mark.slow
def test_a_spike_has_the_users_of_its_stages(tmp_path: Path) -> None:
    """A second after a stage begins its users are there; Locust tells of them once a second."""
    run = load_run("spike", tmp_path, thresholds(tmp_path, "spike"), ("--think-seconds=1",))
    assert run.code == 0, run.said
    users = run.users()
    begun = next(time for time, there in users if there) - 1
    seen = {stage: {there for time, there in users if begun + start + 3 <= time < begun + stage.until - 2}
            for start, stage in zip((0, *(stage.until for stage in STAGES)), STAGES, strict=False)}  # fmt: skip
    assert seen == {stage: {stage.users} for stage in STAGES}
    assert {name for kind, name in run.counts() if kind == "gRPC"} == CALLS["spike"]
