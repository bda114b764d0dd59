"""Rounds in which all measurements take turns, and the statistics of what they gave.

Machines are shared and their speed drifts. A ratio is therefore taken within each round, where both sides ran next to
each other, and the median of these ratios counts, not the ratio of the medians.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

Taken = Mapping[str, float]
"""What one turn measured: figures by their stable names."""

Turn = Callable[[], Taken]


class Effort(NamedTuple):
    """How much is measured."""

    rounds: int
    """Rounds that count."""
    seconds: float
    """About how long a measurement in process takes, in seconds of CPU."""
    load_seconds: float
    """About how long a server is loaded for one measurement, in seconds."""

    def share(self, count: int) -> int:
        """`count` of something, or as much less as the load is shorter than the full one."""
        return max(1, round(count * min(1.0, self.load_seconds / FULL.load_seconds)))


FULL = Effort(rounds=5, seconds=0.15, load_seconds=1.2)
QUICK = Effort(rounds=1, seconds=0.002, load_seconds=0.02)


BUNCH = 256
"""Calls of a short work in a row: enough for caches to be warm."""


class Spread(NamedTuple):
    """The median of a few values, the lowest and the highest."""

    median: float
    low: float
    high: float


def spread(values: Sequence[float]) -> Spread:
    """The median and the range of values, of which there has to be one at least."""
    return Spread(median(values), min(values), max(values))


def ratios(of: Sequence[float], to: Sequence[float]) -> list[float]:
    """The ratio of two figures in each round; both have a value for each."""
    return [a / b for a, b in zip(of, to, strict=True)]


def take_turns(rounds: int, turns: Iterable[Turn]) -> dict[str, list[float]]:
    """The values of every figure, one a round, after a round that warms up and does not count."""
    turns = tuple(turns)
    taken: dict[str, list[float]] = {}
    for number in range(rounds + 1):
        for turn in turns:
            for name, value in turn().items():
                values = taken.setdefault(name, [])
                if number:
                    values.append(value)
    return taken


def rate(work: Callable[[int], int], seconds: float) -> float:
    """What `work` gets done for each second of CPU; it is called with 0, 1, 2, ... and returns how much it did."""
    done = calls = 0
    started = time.process_time()
    while True:
        done += work(calls)
        calls += 1
        spent = time.process_time() - started
        if spent >= seconds and spent > 0:
            return done / spent


def micros(works: Mapping[str, Callable[[int], object]], seconds: float) -> Taken:
    """Microseconds of CPU for one call of each work, which is called with 0, 1, 2, ...

    Works take turns, a bunch of calls each: for calls this short a round is long, and the clock is dear.
    """
    spent = dict.fromkeys(works, 0.0)
    calls = 0
    while min(spent.values()) < seconds or calls == 0:
        for name, work in works.items():
            started = time.process_time()
            for call in range(calls, calls + BUNCH):
                work(call)
            spent[name] += time.process_time() - started
        calls += BUNCH
    return {name: 1e6 * taken / calls for name, taken in spent.items()}
