"""Results of runs of minutes, made up."""

from typing import Any

from load.capacity_results import Capacity, Found, Hold, Step
from load.drift import Drift
from load.report import LongRuns
from load.samples import Sample
from load.soak_results import Soak

CONDITIONS: dict[str, Any] = {
    "at": "2026-01-02T03:04:05+00:00", "commit": "0123456789ab", "machine": {}, "versions": {}, "busy": 0.5,
    "niceness": 3,
}  # fmt: skip


def step(offered: float, mean_ms: float, p99_ms: float = 1.0, refused: int = 0) -> Step:
    """A load of which every call is answered that is not refused."""
    return Step(
        offered=offered, answered=offered - refused, refused=refused, mean_ms=mean_ms, p50_ms=mean_ms,
        p95_ms=mean_ms, p99_ms=p99_ms, cpu_share=0.5, generator_share=0.05,
    )  # fmt: skip


def hold(**changes: Any) -> Hold:
    """A server that was held without a fault."""
    values: dict[str, Any] = {
        "rate": 1700, "minutes": 3, "calls": 306_000, "refused": 0, "p50_ms": 1.5, "p95_ms": 4, "p99_ms": 8,
        "worst_p99_ms": 19, "cpu_share": 0.8, "generator_share": 0.21, "memory_mb": 97, "match_calls": 3000,
        "match_failures": 0, "checks": 31, "wrong": 0,
    }  # fmt: skip
    return Hold(**{**values, **changes})


STEPS = (step(500, 1), step(1000, 1.5, 9), step(1500, 2.5, 20), step(2000, 8, 24.9), step(2500, 90, 400, 12))
"""Power is 500, 667, 600, 250 and 28."""


def capacity(**changes: Any) -> Capacity:
    """One transport."""
    found = Found(per_core=2500, steps=STEPS, hold=hold(**changes))
    return Capacity(**CONDITIONS, rounds=5, step_seconds=4, transports={"grpcio": found})


def soak(**changes: Any) -> Soak:
    """One that is well."""
    level = Drift(first=100, last=104, most=1.05)
    values: dict[str, Any] = {
        **CONDITIONS, "transport": "grpcio", "minutes": 30, "capacity": 1000, "rate": 300, "users": 20,
        "calls": 10_000, "refused": 10, "match_calls": 500, "match_failures": 0, "checks": 50, "wrong": 0,
        "kept": True, "generator_share": 0.2, "drifts": {"memory_mb": level, "p50_ms": level},
        "waited": (0.12, 0.43),
    }  # fmt: skip
    return Soak(**{**values, **changes})


def sample(second: float, memory_mb: float) -> Sample:
    """A stretch of a run."""
    return Sample(second, 1000, 1, 1.0, 2.0, 3.0, 40, 0, 2, 0, 300.0, 0.3, memory_mb, 0.1)


SAMPLES = (sample(10.0, 90.0), sample(20.5, 91.5))


def runs() -> LongRuns:
    """All of them."""
    return LongRuns(capacity(), (soak(), SAMPLES))
