"""The tables of the report and of docs/performance.md: each a function from results to lines of Markdown."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from load import batch, latency, stages, unary
from load.results import Results
from load.servers import TRANSPORTS
from load.table import number, verdict

_METHODS: Final = {
    "empty": "empty method",
    "sized": "as many bytes as the last, not looked at",
    "apply": "ApplyAction, no updates",
    "apply-updates": "ApplyAction, two updates and legal actions",
}
_PARTS: Final = {
    "decode": "decode and check the state",
    "apply": "legality, move, events, ending",
    "encode": "encode the state",
    "updates": "two updates, one with legal actions",
    "metrics": "metrics",
}


def rows(head: Sequence[str], body: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table; all columns but the first to the right."""
    yield "| " + " | ".join(head) + " |"
    yield "|---|" + "---:|" * (len(head) - 1)
    for row in body:
        yield "| " + " | ".join(row) + " |"


def targets(results: Results) -> Iterator[str]:
    """Every target with what was measured."""
    body = []
    for judged in results.targets.values():
        value = judged.value
        told = ("-", "") if value is None else (number(value.median), f"{number(value.low)} … {number(value.high)}")
        promise = f"**{judged.promise}**" if judged.must else judged.promise
        decided = "" if judged.of is None else f"`{judged.of}`" + ("" if judged.to is None else f" / `{judged.to}`")
        body.append((promise, judged.bound.replace("<=", "≤").replace(">=", "≥"), *told, verdict(judged), decided))
    yield from rows(("", "target", "median", "range", "", "decided by"), body)


def games(results: Results) -> Iterator[str]:
    """Each game: in the core and from Python, against cshogi, and the size of its states."""
    body = []
    for name in results.figures:
        if name.startswith("core.playout."):
            game = name.removeprefix("core.playout.")
            body.append((game, *_against(results, name, "yardstick.playout.cshogi"),
                         *_against(results, f"core.loop.{game}", "yardstick.loop.cshogi"),
                         number(_median(results, f"core.state-bytes.{game}"))))  # fmt: skip
    for yardstick, label in (
        ("cshogi", "*cshogi*"),
        ("open-spiel", "*OpenSpiel, dark chess*"),
        ("chess", "*python-chess*"),
    ):
        playout = results.median(f"yardstick.playout.{yardstick}")
        told = "-" if playout is None else number(playout)
        body.append((label, told, "", *_against(results, f"yardstick.loop.{yardstick}", "yardstick.loop.cshogi"), ""))
    yield from rows(("", "playouts, plies/s", "/ cshogi", "from Python, plies/s", "/ cshogi", "state, bytes"), body)


def calls(results: Results) -> Iterator[str]:
    """Each method on each transport: by the clock and by CPU, against the empty method and the plain server's."""
    body = []
    for transport in ("plain", *TRANSPORTS):
        for method in unary.METHODS:
            name = f"service.{transport}.{method}"
            per_core = results.median(f"{name}.per-core")
            if per_core is not None:
                where = "plain grpcio server" if transport == "plain" else transport
                body.append((
                    f"{where}: {_METHODS[method]}", number(_median(results, f"{name}.rate")), number(per_core),
                    number(1e6 / per_core), number(per_core / _median(results, f"service.{transport}.empty.per-core")),
                    number(per_core / _median(results, "service.plain.empty.per-core")),
                ))  # fmt: skip
    head = ("", "calls/s by the clock", "calls/s of CPU", "µs of CPU", "/ empty", "/ plain empty")
    yield from rows(head, body)


def breakdown(results: Results) -> Iterator[str]:
    """Where the CPU of an ApplyAction call goes on each transport; the parts add up to the whole call."""
    transports = [name for name in TRANSPORTS if f"service.{name}.empty.per-core" in results.figures]
    parts = {name: _median(results, f"stage.{name}") for name in stages.PARTS}
    handler = _median(results, "stage.handler")
    empty = [1e6 / _median(results, f"service.{name}.empty.per-core") for name in transports]
    sized = [1e6 / _median(results, f"service.{name}.sized.per-core") for name in transports]
    whole = [1e6 / _median(results, f"service.{name}.apply-updates.per-core") for name in transports]
    body = [("transport: a call of the empty method", empty)]
    body.append(("transport: messages as long as these", [a - b for a, b in zip(sized, empty, strict=True)]))
    body += [(_PARTS[name], [micros] * len(transports)) for name, micros in parts.items()]
    body.append(
        (
            "the rest of the service: read, dispatch, limits, digest, write",
            [handler - sum(parts.values())] * len(transports),
        )
    )
    body.append(("beyond the sum: threads, caches",
                 [all_of_it - (bare + handler) for all_of_it, bare in zip(whole, sized, strict=True)]))  # fmt: skip
    body.append(("**a call, as the kernel counts it**", whole))
    yield from rows(
        ("µs of server CPU", *transports), ((label, *(f"{micros:.1f}" for micros in values)) for label, values in body)
    )


def sizes(results: Results) -> Iterator[str]:
    """Batches by size."""
    transports = [name for name in TRANSPORTS if f"batch.{name}.single.per-core" in results.figures]
    body = []
    for size in ("single", *batch.SIZES):
        row = ["single call" if size == "single" else f"batch of {size}"]
        for transport in transports:
            items = _median(results, f"batch.{transport}.{size}.per-core")
            row += [
                number(items),
                number(1e6 / items),
                number(items / _median(results, f"batch.{transport}.single.per-core")),
            ]
        body.append(row)
    columns = (f"{transport}: {column}" for transport in transports for column in ("items/s of CPU", "µs", "/ single"))
    yield from rows(("", *columns), body)


def latencies(results: Results) -> Iterator[str]:
    """Latency by load, in milliseconds."""
    shown = [
        (transport, method)
        for transport in TRANSPORTS
        for method in latency.METHODS
        if f"latency.{transport}.{method}.50.p50" in results.figures
    ]
    body = []
    for percent in latency.PERCENTS:
        row = [f"{percent} %"]
        for transport, method in shown:
            name = f"latency.{transport}.{method}.{percent}"
            p50, p99, rate = (_median(results, f"{name}.{what}") for what in ("p50", "p99", "rate"))
            row.append(f"{number(p50 / 1000)} / {number(p99 / 1000)} ms at {number(rate)}/s")
        body.append(row)
    yield from rows(("load", *(f"{transport}, {method}: p50 / p99" for transport, method in shown)), body)


def sizing(results: Results) -> Iterator[str]:
    """What one core answers, and what a process holds."""
    body = []
    for transport in TRANSPORTS:
        if f"service.{transport}.empty.per-core" in results.figures:
            body.append((
                transport,
                number(_median(results, f"service.{transport}.apply-updates.per-core")),
                number(_median(results, f"batch.{transport}.{batch.SIZES[-1]}.per-core")),
                f"{_median(results, f'memory.{transport}.after'):.0f} MB",
            ))  # fmt: skip
    head = ("transport", "ApplyAction with two updates, calls/s", f"in batches of {batch.SIZES[-1]}, items/s", "memory")
    yield from rows(head, body)


def _median(results: Results, name: str) -> float:
    return results.figures[name].spread.median


def _against(results: Results, name: str, yardstick: str) -> tuple[str, str]:
    """A figure, and how many times the yardstick it is."""
    value = _median(results, name)
    return number(value), number(value / _median(results, yardstick))
