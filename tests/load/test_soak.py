"""A soak of seconds: what is measured of it, and kept; and what its verdict goes by."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from loading import needs_h2load

pytest.importorskip("pytest_locust", reason="Locust is not installed; `make load` installs it")

pytest.importorskip("matplotlib", reason="matplotlib is not installed; `make bench` installs it")

from long_results import sample, soak

from load import samples, soak_results
from load.drift import Drift

ROOT = Path(__file__).resolve().parents[2]


def test_one_refused_call_in_a_thousand_is_within_the_objective() -> None:
    assert soak().met


@pytest.mark.parametrize(
    "wrong",
    [
        {"refused": 11},
        {"wrong": 1},
        {"kept": False},
        {"drifts": {"memory_mb": Drift(first=100, last=105.1, most=1.05)}},
    ],
)
def test_each_fault_is_enough(wrong: dict[str, Any]) -> None:
    assert not soak(**wrong).met


def test_samples_are_read_as_they_were_written(tmp_path: Path) -> None:
    seen = [sample(10.0, 90.25), sample(20.5, 91.5)]
    samples.write(tmp_path / "new" / "samples.csv", seen)
    assert samples.read(tmp_path / "new" / "samples.csv") == seen


@needs_h2load
@pytest.mark.slow
def test_a_short_soak_is_measured_and_kept(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "load.soak", "--minutes=0.2", "--sample-seconds=2", "--users=3", "--share=0.1"]
    done = subprocess.run(
        [*command, f"--folder={tmp_path}"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )
    summary, seen = soak_results.read(tmp_path)
    assert done.returncode == (0 if summary.met else 1), done.stderr
    assert len(seen) >= 4
    assert summary.wrong == 0
    assert summary.calls == sum(one.calls for one in seen) > 0
    assert summary.match_calls == sum(one.match_calls for one in seen) > 0
    assert set(summary.drifts) == {"memory_mb", "cpu_us", "p50_ms", "p95_ms", "p99_ms"}
    for one in seen:
        assert 0 < one.p50_ms <= one.p95_ms <= one.p99_ms
        assert one.memory_mb > 10
        assert 0 < one.cpu_share < 2
    for what in summary.drifts:
        assert f"\n{what}: " in "\n" + done.stdout
