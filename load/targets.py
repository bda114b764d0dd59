"""What has been promised, each as a bound on a figure or on the ratio of two of the same run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import engine_core
from load.positions import GAME
from load.rounds import Spread, ratios, spread


@dataclass(frozen=True, slots=True)
class Target:
    """A bound, and the figures that decide. Of several figures, the one that does worst counts."""

    name: str
    """Stable."""
    promise: str
    of: tuple[str, ...]
    to: str | None
    """The figure that `of` is divided by; None for a bound on the figure itself."""
    at_least: float | None = None
    at_most: float | None = None
    must: bool = True

    @property
    def bound(self) -> str:
        """The bound as it is printed."""
        return f">= {self.at_least:g}" if self.at_least is not None else f"<= {self.at_most:g}"

    def met(self, value: float) -> bool:
        """Whether a value keeps the bound."""
        return (self.at_least is None or value >= self.at_least) and (self.at_most is None or value <= self.at_most)

    def figures(self) -> tuple[str, ...]:
        """All figures that it takes."""
        return self.of if self.to is None else (*self.of, self.to)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A target, and what was measured of it."""

    target: Target
    of: str
    """The figure that decided."""
    value: Spread

    @property
    def met(self) -> bool:
        """Whether the median keeps the bound."""
        return self.target.met(self.value.median)


def judge(target: Target, figures: Mapping[str, Sequence[float]]) -> Verdict | None:
    """What figures, each with its values by round, say of a target; None when one of them was not measured."""
    if not all(name in figures for name in target.figures()):
        return None
    found = {}
    for name in target.of:
        values = figures[name] if target.to is None else ratios(figures[name], figures[target.to])
        found[name] = spread(values)
    worst = min if target.at_least is not None else max
    decides = worst(found, key=lambda name: found[name].median)
    return Verdict(target, decides, found[decides])


def _others(prefix: str) -> tuple[str, ...]:
    return tuple(f"{prefix}.{game}" for game in engine_core.games() if game != GAME)


TARGETS: Final = (
    Target(
        "playout", f"random playouts of {GAME} in the core, one thread, against cshogi's from Python",
        (f"core.playout.{GAME}",), "yardstick.playout.cshogi", at_least=8,
    ),
    Target(
        "playout-others", "the same for every other game",
        _others("core.playout"), "yardstick.playout.cshogi", at_least=2, must=False,
    ),
    Target(
        "loop", f"{GAME} ply by ply from Python, against cshogi",
        (f"core.loop.{GAME}",), "yardstick.loop.cshogi", at_least=3,
    ),
    Target(
        "perft", f"perft of {GAME}, against cshogi's from Python",
        ("core.perft.start", "core.perft.middle"), "yardstick.perft.cshogi", at_least=5,
    ),
    Target(
        "threads", "playouts on two threads, against one",
        ("core.threads.two",), "core.threads.one", at_least=1.8, must=False,
    ),
    Target(
        "request", "a stateless request in process: decode, move, encode, two updates; against cshogi's without views",
        ("core.request",), "yardstick.request.cshogi", at_most=0.5,
    ),
    Target(
        "state-bytes", f"bytes of a state of {GAME} with its 80 pieces at the start",
        (f"core.state-bytes.{GAME}",), None, at_most=400, must=False,
    ),
    Target(
        "kinds", "microseconds for the possible kinds of all hidden pieces in mid-match",
        ("core.knowledge.kinds",), None, at_most=100, must=False,
    ),
    Target(
        "probabilities", "microseconds for exact counts and probabilities of all hidden pieces in mid-match",
        ("core.knowledge.probabilities",), None, at_most=2000, must=False,
    ),
    Target(
        "apply-grpcio", "ApplyAction with two updates and legal actions, against the empty method, on grpcio",
        ("service.grpcio.apply-updates.per-core",), "service.grpcio.empty.per-core", at_least=0.8,
    ),
    Target(
        "apply-native", "the same on native",
        ("service.native.apply-updates.per-core",), "service.native.empty.per-core", at_least=0.5,
    ),
    Target(
        "native-plain", "the same call on native, against the empty method of a plain grpcio server",
        ("service.native.apply-updates.per-core",), "service.plain.empty.per-core", at_least=2.5,
    ),
    Target(
        "batch", "items of BatchApplyActions of 256, against single calls, on grpcio",
        ("batch.grpcio.256.per-core",), "batch.grpcio.single.per-core", at_least=20,
    ),
    Target(
        "scale-batches", "two processes on two cores behind a round_robin client against one: batches, by the clock",
        ("scale.batches.two.rate",), "scale.batches.one.rate", at_least=1.8, must=False,
    ),
    Target(
        "scale-calls", "the same with single calls, by the CPU of the busiest process",
        ("scale.calls.two.per-core",), "scale.calls.one.per-core", at_least=1.8, must=False,
    ),
    Target(
        "latency-grpcio", "ApplyAction on grpcio at half its capacity: 99th percentile against median",
        ("latency.grpcio.apply-updates.50.p99",), "latency.grpcio.apply-updates.50.p50", at_most=3, must=False,
    ),
    Target(
        "latency-native", "the same on native",
        ("latency.native.apply-updates.50.p99",), "latency.native.apply-updates.50.p50", at_most=3, must=False,
    ),
    Target(
        "memory-grpcio", "memory after a million requests, against before, on grpcio",
        ("memory.grpcio.after",), "memory.grpcio.before", at_most=1.05, must=False,
    ),
    Target(
        "memory-native", "the same on native",
        ("memory.native.after",), "memory.native.before", at_most=1.05, must=False,
    ),
)  # fmt: skip
"""All of them, in the order in which they are printed."""
