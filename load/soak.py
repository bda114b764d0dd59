"""A long load on one server: whether its memory, its latency or its cost of a call drift.

h2load sends the same call at a fixed rate from an open loop and gives the latencies, sample by sample; beside it users
of Locust play whole matches of all games, and bots batches, all of which are checked. The server is bound to one core,
both generators to the other.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from load import h2load, machine, soak_results
from load.drift import drift
from load.latency import percentile
from load.loaded import LoadedMethod
from load.locust_process import History, LocustProcess
from load.processes import ServerProcess, load_core, server_core
from load.servers import REAL_LIMITS, TRANSPORTS, server
from load.soak_results import Sample, Soak
from load.unary import method

_METHOD: Final = "apply-updates"
_CAPACITY_SECONDS: Final = 3.0
_MOST: Final[Mapping[str, float]] = {"memory_mb": 1.05, "cpu_us": 1.15, "p50_ms": 1.25, "p95_ms": 1.5, "p99_ms": 2.0}
"""Of each quantity that must not drift, the largest ratio of the last third to the first."""


class _Seen(NamedTuple):
    """A sample before Locust's history is known."""

    ended: float
    """Unix time."""
    offered: h2load.Offered
    cpu_seconds: float
    """Used so far."""
    resident_bytes: int


class Effort(NamedTuple):
    """How long and how much."""

    minutes: float
    sample_seconds: float
    share: float
    """Of the capacity."""
    users: int
    """Of Locust."""


def run(transport: str, effort: Effort) -> tuple[Soak, list[Sample]]:
    """Soak a fresh server at a share of its capacity."""
    busy, commit = machine.busy(), machine.commit()
    with tempfile.TemporaryDirectory() as folder, server(transport, server_core(), REAL_LIMITS) as one:
        loaded = method(one, _METHOD)
        capacity = loaded.load(_CAPACITY_SECONDS).per_core
        name = Path(folder, "locust")
        flags = ["--headless", "--only-summary", f"--csv={name}", "--csv-full-history", f"--users={effort.users}"]
        flags += [f"--spawn-rate={effort.users}", "--think-seconds=0.5"]
        history = Path(f"{name}_stats_history.csv")
        with LocustProcess("soak", one.address, flags, load_core()) as locust:
            locust.wait_for(history)
            seen = [_Seen(time.time(), h2load.Offered(0, 0, 0, []), one.cpu_seconds(), one.resident_bytes())]
            seen += _samples(one, loaded, effort.share * capacity, effort)
            generator = locust.accounts.cpu_seconds()
            code = locust.end()
        samples = _joined(seen, History(history))
    return (
        Soak(
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            commit=commit,
            machine=machine.machine(),
            versions=machine.versions(),
            busy=busy,
            niceness=os.nice(0),
            transport=transport,
            minutes=effort.minutes,
            capacity=capacity,
            rate=effort.share * capacity,
            users=effort.users,
            calls=sum(sample.calls for sample in samples),
            refused=sum(sample.refused for sample in samples),
            match_calls=sum(sample.match_calls for sample in samples),
            match_failures=sum(sample.match_failures for sample in samples),
            checks=sum(sample.checks for sample in samples),
            wrong=sum(sample.wrong for sample in samples),
            kept=code == 0,
            generator_share=generator / (seen[-1].ended - seen[0].ended),
            drifts={what: drift([getattr(one, what) for one in samples], most) for what, most in _MOST.items()},
        ),
        samples,
    )


def _samples(one: ServerProcess, loaded: LoadedMethod, rate: float, effort: Effort) -> Iterator[_Seen]:
    """Load the server at a rate for as long as was asked for, and tell of each sample."""
    started = time.time()
    while time.time() < started + 60 * effort.minutes:
        offered = h2load.offer(loaded.call, round(rate * effort.sample_seconds), rate, load_core())
        seen = _Seen(time.time(), offered, one.cpu_seconds(), one.resident_bytes())
        p99 = percentile([took for _, took in offered.rows], 99) / 1000
        print(
            f"{seen.ended - started:5.0f} s: {offered.requests - offered.answered} of {offered.requests} refused, "
            f"p99 {p99:.1f} ms, {seen.resident_bytes / 1e6:.1f} MB",
            file=sys.stderr, flush=True,
        )  # fmt: skip
        yield seen


def _joined(seen: Sequence[_Seen], history: History) -> list[Sample]:
    """Samples with what Locust did meanwhile."""
    samples = []
    for before, now in pairwise(seen):
        earlier, later = history.at(before.ended), history.at(now.ended)
        took = [micros for _, micros in now.offered.rows]
        cpu, match_calls = now.cpu_seconds - before.cpu_seconds, later.calls - earlier.calls
        samples.append(
            Sample(
                second=round(now.ended - seen[0].ended, 1),
                calls=now.offered.requests,
                refused=now.offered.requests - now.offered.answered,
                p50_ms=round(percentile(took, 50) / 1000, 3),
                p95_ms=round(percentile(took, 95) / 1000, 3),
                p99_ms=round(percentile(took, 99) / 1000, 3),
                match_calls=match_calls,
                match_failures=later.failed - earlier.failed,
                checks=later.checks - earlier.checks,
                wrong=later.wrong - earlier.wrong,
                cpu_us=round(1e6 * cpu / (now.offered.requests + match_calls), 1),
                cpu_share=round(cpu / (now.ended - before.ended), 4),
                memory_mb=round(now.resident_bytes / 1e6, 2),
            )
        )
    return samples


def main() -> int:
    """Run from the command line; 0 when nothing drifted."""
    parser = argparse.ArgumentParser(prog="python -m load.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30, help="how long (default: %(default)g)")
    parser.add_argument("--share", type=float, default=0.3, help="of the capacity (default: %(default)g)")
    parser.add_argument("--users", type=int, default=20, help="of Locust (default: %(default)d)")
    parser.add_argument("--transport", choices=TRANSPORTS, default=TRANSPORTS[0])
    parser.add_argument("--folder", type=Path, default=soak_results.FOLDER, help="for soak.json and soak.csv")
    parser.add_argument("--sample-seconds", type=float, default=10, help="(default: %(default)g)")
    chosen = parser.parse_args()
    effort = Effort(chosen.minutes, chosen.sample_seconds, chosen.share, chosen.users)
    try:
        soak, samples = run(chosen.transport, effort)
    except (h2load.H2LoadMissing, h2load.LoadFailed) as error:
        raise SystemExit(f"load.soak: {error}") from None
    soak_results.write(chosen.folder, soak, samples)
    for what, one in soak.drifts.items():
        verdict = "no drift" if one.met else "DRIFTS"
        print(f"{what}: {one.first:.4g} at first, {one.last:.4g} at last, ratio {one.ratio:.3f}: {verdict}")
    return 0 if soak.met else 1


if __name__ == "__main__":
    sys.exit(main())
