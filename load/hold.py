"""A server that is held at a rate for some time, sample by sample.

h2load sends the same call from an open loop and gives the latencies. Beside it users of Locust play whole matches, all
of which are checked: answers are right under that load, too.
"""

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, Self

from load import h2load
from load.latency import percentile
from load.loaded import LoadedMethod
from load.locust_process import History, LocustProcess
from load.processes import Accounts, load_core
from load.samples import Sample


class Effort(NamedTuple):
    """How long, and how many play beside."""

    minutes: float
    sample_seconds: float
    users: int
    """Of Locust; each thinks for half a second before an action, on average."""
    scenario: str = "soak"


class Held(NamedTuple):
    """What was seen."""

    samples: list[Sample]
    kept: bool
    """Whether Locust's run kept its thresholds."""
    generator_share: float
    """Of the generators' core, that Locust used."""


class _Seen(NamedTuple):
    """A sample before Locust's history is known."""

    ended: float
    """Unix time."""
    offered: h2load.Offered
    cpu_seconds: float
    """Used so far by the server."""
    waited_seconds: float
    """Of its threads, for a core, so far."""
    resident_bytes: int

    @classmethod
    def now(cls, offered: h2load.Offered, server: Accounts) -> Self:
        """With what the kernel says now."""
        return cls(time.time(), offered, server.cpu_seconds(), server.waited_seconds(), server.resident_bytes())


def hold(loaded: LoadedMethod, rate: float, effort: Effort) -> Held:
    """Send a server so many calls a second."""
    with tempfile.TemporaryDirectory() as folder:
        history = Path(folder, "run_stats_history.csv")
        flags = ["--headless", "--only-summary", f"--csv={folder}/run", "--csv-full-history", "--think-seconds=0.5"]
        flags += [f"--users={effort.users}", f"--spawn-rate={effort.users}"]
        with LocustProcess(effort.scenario, loaded.server.address, flags, load_core()) as locust:
            locust.wait_for(history)
            used = locust.accounts.cpu_seconds()
            nothing = h2load.Offered(0, 0, 0, 0, [])
            seen = [_Seen.now(nothing, loaded.server.accounts)]
            seen += _samples(loaded, rate, effort)
            used = locust.accounts.cpu_seconds() - used
            code = locust.end()
        return Held(_joined(seen, History(history)), code == 0, used / (seen[-1].ended - seen[0].ended))


def _samples(loaded: LoadedMethod, rate: float, effort: Effort) -> Iterator[_Seen]:
    """Load the server as long as was asked for, and tell of each sample."""
    started = time.time()
    while time.time() < started + 60 * effort.minutes:
        offered = h2load.offer(loaded.call, max(2, round(rate * effort.sample_seconds)), rate, load_core())
        seen = _Seen.now(offered, loaded.server.accounts)
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
                waited_share=round((now.waited_seconds - before.waited_seconds) / (now.ended - before.ended), 4),
                memory_mb=round(now.resident_bytes / 1e6, 2),
            )
        )
    return samples
