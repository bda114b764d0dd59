"""A long load on one server: whether its memory, its latency or its cost of a call drift.

The server is held at a share of its capacity, while people play matches of all games and bots batches. It is bound to
one core, the generators of load to the other.
"""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from load import conditions, h2load, soak_results
from load.drift import drift
from load.hold import Effort, hold
from load.processes import server_core
from load.samples import Sample
from load.servers import REAL_LIMITS, TRANSPORTS, server
from load.soak_results import QUIET_PERCENT, Soak
from load.unary import method

METHOD: Final = "apply-updates"
_CAPACITY_SECONDS: Final = 3.0
_ANY: Final = 1e9


class _Level(NamedTuple):
    """How a quantity that must not drift is judged."""

    most: float
    """The largest ratio of the last third to the first."""
    percent: int
    """Which percentile of their samples is compared."""


_LEVELS: Final[Mapping[str, _Level]] = {
    "memory_mb": _Level(1.05, 50),
    "cpu_us": _Level(1.15, 50),
    "p50_ms": _Level(1.25, QUIET_PERCENT),
    "p95_ms": _Level(1.5, QUIET_PERCENT),
    "p99_ms": _Level(2.0, QUIET_PERCENT),
}


def run(transport: str, share: float, effort: Effort) -> tuple[Soak, list[Sample]]:
    """Soak a fresh server at a share of its capacity."""
    begun = conditions.now()
    with server(transport, server_core(), REAL_LIMITS) as one:
        loaded = method(one, METHOD)
        capacity = loaded.load(_CAPACITY_SECONDS).per_core
        held = hold(loaded, share * capacity, effort)
    seen = held.samples
    waited = drift([one.waited_share for one in seen], _ANY)
    soak = Soak(
        **begun,
        transport=transport,
        minutes=effort.minutes,
        capacity=capacity,
        rate=share * capacity,
        users=effort.users,
        calls=sum(one.calls for one in seen),
        refused=sum(one.refused for one in seen),
        match_calls=sum(one.match_calls for one in seen),
        match_failures=sum(one.match_failures for one in seen),
        checks=sum(one.checks for one in seen),
        wrong=sum(one.wrong for one in seen),
        kept=held.kept,
        generator_share=held.generator_share,
        drifts={
            what: drift([getattr(one, what) for one in seen], level.most, level.percent)
            for what, level in _LEVELS.items()
        },
        waited=(waited.first, waited.last),
    )
    return soak, seen


def main() -> int:
    """Run from the command line; 0 when nothing drifted."""
    parser = argparse.ArgumentParser(prog="python -m load.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30, help="how long (default: %(default)g)")
    parser.add_argument("--share", type=float, default=0.3, help="of the capacity (default: %(default)g)")
    parser.add_argument("--users", type=int, default=20, help="of Locust (default: %(default)d)")
    parser.add_argument("--transport", choices=TRANSPORTS, default=TRANSPORTS[0])
    parser.add_argument("--sample-seconds", type=float, default=10, help="(default: %(default)g)")
    parser.add_argument("--folder", type=Path, default=soak_results.FOLDER, help="for soak.json and soak.csv")
    chosen = parser.parse_args()
    effort = Effort(chosen.minutes, chosen.sample_seconds, chosen.users)
    try:
        soak, seen = run(chosen.transport, chosen.share, effort)
    except (h2load.H2LoadMissing, h2load.LoadFailed) as error:
        raise SystemExit(f"load.soak: {error}") from None
    soak_results.write(chosen.folder, soak, seen)
    for what, one in soak.drifts.items():
        verdict = "no drift" if one.met else "DRIFTS"
        print(f"{what}: {one.first:.4g} at first, {one.last:.4g} at last, ratio {one.ratio:.3f}: {verdict}")
    return 0 if soak.met else 1


if __name__ == "__main__":
    sys.exit(main())
