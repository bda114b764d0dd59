"""Latency against load: requests that are sent at a stated rate, whatever comes back."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from statistics import quantiles
from typing import Final

from load import h2load
from load.loaded import LoadedMethod
from load.processes import ServerProcess, load_core
from load.rounds import Effort, Taken, Turn
from load.servers import TRANSPORTS
from load.unary import method

PERCENTS: Final = (10, 25, 50, 75, 90)
"""Loads, in per cent of what the server answered just before when it was sent as much as it could."""

METHODS: Final = ("empty", "apply-updates")
_WARMUP_SHARE: Final = 0.2
"""Of the requests of a run, those sent first do not count: connections are still being made."""

_ATTEMPTS: Final = 4


def turns(effort: Effort, servers: Mapping[str, ServerProcess]) -> Iterator[Turn]:
    """Each load of each method on each transport, as turns of a round."""
    for transport in TRANSPORTS:
        if transport in servers:
            for name in METHODS:
                yield partial(_curve, f"latency.{transport}.{name}", method(servers[transport], name), effort)


def _curve(name: str, loaded: LoadedMethod, effort: Effort) -> Taken:
    """The whole curve; once more when neighbours slowed the server down so much meanwhile that it refused calls."""
    for _ in range(_ATTEMPTS - 1):
        try:
            return _points(name, loaded, effort)
        except h2load.NotAllAnswered as error:
            print(f"{name}: {error}; measured again", file=sys.stderr)
    return _points(name, loaded, effort)


def _points(name: str, loaded: LoadedMethod, effort: Effort) -> Taken:
    capacity = loaded.load(effort.load_seconds).rate
    taken: dict[str, float] = {}
    for percent in PERCENTS:
        rate = capacity * percent / 100
        rows = h2load.open_loop(loaded.call, max(10, round(rate * effort.load_seconds)), rate, load_core())
        p50, p99 = percentiles([took for _, took in rows[round(_WARMUP_SHARE * len(rows)) :]])
        taken |= {f"{name}.{percent}.rate": rate, f"{name}.{percent}.p50": p50, f"{name}.{percent}.p99": p99}
    return taken


def percentiles(values: Sequence[int]) -> tuple[float, float]:
    """The median and the 99th percentile of two values or more."""
    return percentile(values, 50), percentile(values, 99)


def percentile(values: Sequence[float], percent: int) -> float:
    """A percentile, from the 1st to the 99th, of two values or more."""
    return quantiles(values, n=100, method="inclusive")[percent - 1]
