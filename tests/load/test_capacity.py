"""Capacity and knee, on known numbers; and a search of seconds, for real."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from loading import needs_h2load

pytest.importorskip("pytest_locust", reason="Locust is not installed; `make load` installs it")
pytest.importorskip("matplotlib", reason="matplotlib is not installed; `make bench` installs it")

from long_results import STEPS, capacity, hold, sample, step

from load import capacity_results, samples
from load.capacity import PERCENTS, summary
from load.capacity_results import Found
from load.hold import Held
from load.servers import installed_transports

ROOT = Path(__file__).resolve().parents[2]


def test_capacity_is_the_highest_load_that_keeps_the_objective() -> None:
    found = Found(per_core=2500, steps=STEPS, hold=hold())
    assert found.capacity.offered == 2000
    assert found.knee.offered == 1000


@pytest.mark.parametrize("bad", [step(3000, 1, 25.1), step(3000, 1, 1, refused=1)])
def test_neither_slow_nor_refused_calls_are_capacity(bad: Any) -> None:
    assert capacity_results.capacity((*STEPS[:2], bad)).offered == 1000


def test_a_machine_on_which_no_load_is_answered_well_is_named() -> None:
    with pytest.raises(ValueError, match=r"p99 is 26\.0 ms at best, and the objective 25 ms: the machine is too busy"):
        capacity_results.capacity([step(100, 1, 26), step(200, 1, 40)])


def test_a_hold_is_summed_up() -> None:
    slow = sample(30, 95)._replace(p50_ms=9.0, p95_ms=10.0, p99_ms=11.0, wrong=1)
    found = summary(900, 0.5, Held([sample(10, 90), sample(20, 97), slow], True, 0.25))
    assert (found.calls, found.refused, found.match_calls, found.checks, found.wrong) == (3000, 3, 120, 6, 1)
    assert (found.p50_ms, found.p95_ms, found.p99_ms, found.worst_p99_ms) == (1, 2, 3, 11)
    assert (found.memory_mb, found.generator_share) == (97, 0.25)


def test_each_fault_of_a_hold_is_enough() -> None:
    assert capacity().met
    for fault in ("refused", "match_failures", "wrong"):
        assert not capacity(**{fault: 1}).met


@needs_h2load
@pytest.mark.slow
def test_a_short_search_is_measured_and_kept(tmp_path: Path) -> None:
    """Or it says that the machine is too busy."""
    command = [sys.executable, "-m", "load.capacity", "--rounds=2", "--step-seconds=0.5", "--minutes=0.05"]
    command += ["--sample-seconds=1", "--users=2", f"--folder={tmp_path}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    if "too busy to measure on" in done.stderr:
        pytest.skip("no load is answered within the objective on this machine now")
    found = capacity_results.read(tmp_path)
    assert done.returncode == (0 if found.met else 1), done.stderr
    assert set(found.transports) == set(installed_transports())
    for transport, one in found.transports.items():
        assert len(one.steps) == len(PERCENTS)
        assert one.hold.rate == pytest.approx(0.85 * one.capacity.offered)
        assert one.hold.wrong == 0
        assert (
            sum(seen.calls for seen in samples.read(capacity_results.hold_file(tmp_path, transport))) == one.hold.calls
        )
        assert f"{transport}: capacity {one.capacity.offered:.0f} calls/s" in done.stdout
