"""The capacity of a server: calls at rising rates from an open loop, then 85 % of what it can do for some minutes.

The server is bound to one core and h2load to the other. Each rate has several turns, of which the one with the lowest
p99 counts: neighbours on the machine only ever make it worse. While the server is held at 85 %, users of Locust play
whole matches besides, and each is checked.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Final, NamedTuple

from load import capacity_results, conditions, h2load
from load.capacity_results import HELD_SHARE, Capacity, Found, Hold, Step, capacity
from load.hold import Effort, Held, hold
from load.latency import percentile
from load.loaded import LoadedMethod
from load.processes import load_core, server_core
from load.samples import Sample
from load.servers import REAL_LIMITS, installed_transports, server
from load.unary import method

METHOD: Final = "apply-updates"
PERCENTS: Final = (10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110)
"""Loads, in per cent of what a second of the server's CPU answers."""
_SATURATED_SECONDS: Final = 3.0
_WARMUP_SHARE: Final = 0.1
"""Of the calls of a step, those sent first do not count: connections are still being made."""


class Ladder(NamedTuple):
    """How long and how often each load is offered."""

    rounds: int
    step_seconds: float


def run(ladder: Ladder, effort: Effort) -> tuple[Capacity, dict[str, list[Sample]]]:
    """Find the capacity of each transport, on a fresh server."""
    begun = conditions.now()
    transports, holds = {}, {}
    for transport in installed_transports():
        with server(transport, server_core(), REAL_LIMITS) as one:
            loaded = method(one, METHOD)
            per_core = loaded.load(_SATURATED_SECONDS).per_core
            steps = _climb(transport, loaded, per_core, ladder)
            rate = HELD_SHARE * capacity(steps).offered
            print(f"{transport}: held at {rate:.0f} calls/s", file=sys.stderr, flush=True)
            held = hold(loaded, rate, effort)
        transports[transport] = Found(per_core=per_core, steps=tuple(steps), hold=summary(rate, effort.minutes, held))
        holds[transport] = held.samples
    found = Capacity(**begun, rounds=ladder.rounds, step_seconds=ladder.step_seconds, transports=transports)
    return found, holds


def _climb(transport: str, loaded: LoadedMethod, per_core: float, ladder: Ladder) -> Sequence[Step]:
    """Each load in turn, several times; of each the best turn."""
    rates = [per_core * percent / 100 for percent in PERCENTS]
    turns = []
    for number in range(ladder.rounds):
        turns.append([_step(loaded, rate, ladder.step_seconds) for rate in rates])
        line = ", ".join(f"{step.offered:.0f}/s {step.p99_ms:.1f}" for step in turns[-1])
        print(f"{transport}, round {number + 1} of {ladder.rounds}, p99 in ms: {line}", file=sys.stderr, flush=True)
    return [min(steps, key=lambda step: step.p99_ms) for steps in zip(*turns, strict=True)]


def _step(loaded: LoadedMethod, rate: float, seconds: float) -> Step:
    before = loaded.server.accounts.cpu_seconds()
    offered = h2load.offer(loaded.call, max(10, round(rate * seconds)), rate, load_core())
    cpu = loaded.server.accounts.cpu_seconds() - before
    took = [micros for _, micros in offered.rows[round(_WARMUP_SHARE * len(offered.rows)) :]]
    return Step(
        offered=rate,
        answered=offered.answered / offered.seconds,
        refused=offered.requests - offered.answered,
        mean_ms=fmean(took) / 1000,
        p50_ms=percentile(took, 50) / 1000,
        p95_ms=percentile(took, 95) / 1000,
        p99_ms=percentile(took, 99) / 1000,
        cpu_share=cpu / offered.seconds,
        generator_share=offered.cpu_seconds / offered.seconds,
    )


def summary(rate: float, minutes: float, held: Held) -> Hold:
    """Of the samples of a hold."""
    seen = held.samples
    return Hold(
        rate=rate,
        minutes=minutes,
        calls=sum(one.calls for one in seen),
        refused=sum(one.refused for one in seen),
        p50_ms=median(one.p50_ms for one in seen),
        p95_ms=median(one.p95_ms for one in seen),
        p99_ms=median(one.p99_ms for one in seen),
        worst_p99_ms=max(one.p99_ms for one in seen),
        cpu_share=median(one.cpu_share for one in seen),
        generator_share=held.generator_share,
        memory_mb=max(one.memory_mb for one in seen),
        match_calls=sum(one.match_calls for one in seen),
        match_failures=sum(one.match_failures for one in seen),
        checks=sum(one.checks for one in seen),
        wrong=sum(one.wrong for one in seen),
    )


def main() -> int:
    """Run from the command line; 0 when servers that were held kept the objective and nothing failed or was wrong."""
    parser = argparse.ArgumentParser(prog="python -m load.capacity", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="turns of each load (default: %(default)d)")
    parser.add_argument("--step-seconds", type=float, default=1.5, help="of each turn (default: %(default)g)")
    parser.add_argument("--minutes", type=float, default=3, help="at 85 %% of the capacity (default: %(default)g)")
    parser.add_argument("--users", type=int, default=10, help="of Locust (default: %(default)d)")
    parser.add_argument("--sample-seconds", type=float, default=10, help="while it is held (default: %(default)g)")
    parser.add_argument("--folder", type=Path, default=capacity_results.FOLDER, help="for the results")
    chosen = parser.parse_args()
    effort = Effort(chosen.minutes, chosen.sample_seconds, chosen.users, "match")
    try:
        found, holds = run(Ladder(chosen.rounds, chosen.step_seconds), effort)
    except (h2load.H2LoadMissing, h2load.LoadFailed, ValueError) as error:
        raise SystemExit(f"load.capacity: {error}") from None
    capacity_results.write(chosen.folder, found, holds)
    for transport, one in found.transports.items():
        print(
            f"{transport}: capacity {one.capacity.offered:.0f} calls/s, knee {one.knee.offered:.0f}; held at "
            f"{one.hold.rate:.0f}: p50 {one.hold.p50_ms:.2f} ms, p95 {one.hold.p95_ms:.2f}, p99 {one.hold.p99_ms:.2f}"
        )
    return 0 if found.met else 1


if __name__ == "__main__":
    sys.exit(main())
