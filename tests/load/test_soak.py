"""A soak of seconds: what is measured of it, and kept; and what its verdict goes by."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from loading import needs_h2load

pytest.importorskip("pytest_locust", reason="Locust is not installed; `make load` installs it")

from load import soak_results
from load.drift import Drift
from load.soak_results import Soak

ROOT = Path(__file__).resolve().parents[2]


def soak(**changes: Any) -> Soak:
    """One that is well."""
    level = Drift(first=100, last=104, most=1.05)
    values: dict[str, Any] = {
        "at": "2026-01-02T03:04:05+00:00", "commit": "0123456789ab", "machine": {}, "versions": {}, "busy": 0.5,
        "niceness": 0, "transport": "grpcio", "minutes": 30, "capacity": 1000, "rate": 300, "users": 20,
        "calls": 10_000, "refused": 10, "match_calls": 500, "match_failures": 0, "checks": 50, "wrong": 0,
        "kept": True, "generator_share": 0.2, "drifts": {"memory_mb": level, "p50_ms": level},
    }  # fmt: skip
    return Soak(**{**values, **changes})


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


@needs_h2load
@pytest.mark.slow
def test_a_short_soak_is_measured_and_kept(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "load.soak", "--minutes=0.2", "--sample-seconds=2", "--users=3", "--share=0.1"]
    done = subprocess.run(
        [*command, f"--folder={tmp_path}"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )
    summary, samples = soak_results.read(tmp_path)
    assert done.returncode == (0 if summary.met else 1), done.stderr
    assert len(samples) >= 4
    assert summary.wrong == 0
    assert summary.calls == sum(one.calls for one in samples) > 0
    assert summary.match_calls == sum(one.match_calls for one in samples) > 0
    assert set(summary.drifts) == {"memory_mb", "cpu_us", "p50_ms", "p95_ms", "p99_ms"}
    for one in samples:
        assert 0 < one.p50_ms <= one.p95_ms <= one.p99_ms
        assert one.memory_mb > 10
        assert 0 < one.cpu_share < 2
    for what in summary.drifts:
        assert f"\n{what}: " in "\n" + done.stdout
