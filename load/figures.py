"""Every figure by its stable name: its unit and what it says.

Names are made of the suite, what is measured, and where it varies the game, transport, method, size or load. They keep
their meaning from one version to the next, so that results can be compared.
"""

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

import engine_core
from load import batch, latency, stages, unary
from load.servers import TRANSPORTS

PLIES: Final = "plies/s of CPU"
NODES: Final = "nodes/s of CPU"
MICROS: Final = "us of CPU"
CALLS: Final = "calls/s"
CALLS_A_CORE: Final = "calls/s of server CPU"
ITEMS: Final = "items/s"
ITEMS_A_CORE: Final = "items/s of server CPU"


class Figure(NamedTuple):
    """What a figure says."""

    unit: str
    meaning: str


@cache
def figures() -> dict[str, Figure]:
    """All figures that a run of everything with all transports measures."""
    return {name: figure for suite in (_core, _service, _batch, _scale, _latency, _memory) for name, figure in suite()}


def _core() -> Iterator[tuple[str, Figure]]:
    for game in engine_core.games():
        yield f"core.playout.{game}", Figure(PLIES, f"random playouts of {game} in the core, one thread")
        yield f"core.loop.{game}", Figure(PLIES, f"{game} from Python: legal moves, choice, play, result")
        yield f"core.state-bytes.{game}", Figure("bytes", f"a state of {game} before the first move")
    yield "core.perft.start", Figure(NODES, "perft at the start")
    yield "core.perft.middle", Figure(NODES, "perft in mid-match")
    yield "core.threads.one", Figure("plies/s", "random playouts on one thread, by the clock")
    yield "core.threads.two", Figure("plies/s", "the same on two threads at once")
    yield (
        "core.request",
        Figure(MICROS, "a stateless request in process: decode, legality, move, ending, encode, two updates"),
    )
    yield "core.knowledge.kinds", Figure(MICROS, "knowledge of a state in mid-match, and all possible kinds")
    yield "core.knowledge.probabilities", Figure(MICROS, "the same, with exact counts and probabilities")
    yield "yardstick.playout.cshogi", Figure(PLIES, "random playouts of cshogi from Python")
    yield "yardstick.loop.cshogi", Figure(PLIES, "cshogi from Python: legal moves, choice, push, whether it is over")
    yield "yardstick.loop.chess", Figure(PLIES, "the same with python-chess")
    yield "yardstick.loop.open-spiel", Figure(PLIES, "the same with OpenSpiel's dark chess")
    yield "yardstick.perft.cshogi", Figure(NODES, "perft of cshogi from Python, the last ply counted in bulk")
    yield (
        "yardstick.request.cshogi",
        Figure(MICROS, "cshogi: read SFEN, legal moves, push, whether it is over, write SFEN"),
    )


def _service() -> Iterator[tuple[str, Figure]]:
    for part in stages.PARTS:
        yield f"stage.{part}", Figure(MICROS, f"{part}, of an ApplyAction call with two updates")
    yield "stage.handler", Figure(MICROS, "the whole call without its transport")
    methods = {
        "empty": "an empty method",
        "sized": "a method with messages as long as those of the last, but empty",
        "apply": "ApplyAction without updates",
        "apply-updates": "ApplyAction with two updates and legal actions",
    }
    for transport in (*TRANSPORTS, "plain"):
        for method in unary.METHODS if transport != "plain" else unary.METHODS[:1]:
            where = "a plain grpcio server" if transport == "plain" else f"our server on {transport}"
            yield f"service.{transport}.{method}.rate", Figure(CALLS, f"{methods[method]} of {where}, by the clock")
            yield f"service.{transport}.{method}.per-core", Figure(CALLS_A_CORE, f"{methods[method]} of {where}")


def _batch() -> Iterator[tuple[str, Figure]]:
    for transport in TRANSPORTS:
        yield (
            f"batch.{transport}.single.rate",
            Figure(ITEMS, f"single calls of ApplyAction on {transport}, by the clock"),
        )
        yield f"batch.{transport}.single.per-core", Figure(ITEMS_A_CORE, f"single calls of ApplyAction on {transport}")
        for size in batch.SIZES:
            meaning = f"BatchApplyActions of {size} on {transport}, two updates each"
            yield f"batch.{transport}.{size}.rate", Figure(ITEMS, f"{meaning}, by the clock")
            yield f"batch.{transport}.{size}.per-core", Figure(ITEMS_A_CORE, meaning)


def _scale() -> Iterator[tuple[str, Figure]]:
    for count, processes in (("one", "one process"), ("two", "two processes, each bound to a core,")):
        behind = f"{processes} behind a round_robin client"
        yield f"scale.batches.{count}.rate", Figure(ITEMS, f"BatchApplyActions of {behind}, by the clock")
        yield (
            f"scale.calls.{count}.per-core",
            Figure("calls/s of CPU of the busiest process", f"ApplyAction of {behind}"),
        )


def _latency() -> Iterator[tuple[str, Figure]]:
    for transport in TRANSPORTS:
        for method in latency.METHODS:
            for percent in latency.PERCENTS:
                name = f"latency.{transport}.{method}.{percent}"
                at = f"{method} on {transport} at {percent} % of capacity"
                yield f"{name}.rate", Figure(CALLS, f"calls sent: {at}")
                yield f"{name}.p50", Figure("us", f"median latency: {at}")
                yield f"{name}.p99", Figure("us", f"99th percentile of latency: {at}")


def _memory() -> Iterator[tuple[str, Figure]]:
    for transport in TRANSPORTS:
        yield f"memory.{transport}.before", Figure("MB", f"memory of our server on {transport}, warm")
        yield f"memory.{transport}.after", Figure("MB", "the same after the requests")
        yield f"memory.{transport}.requests", Figure("requests", "answered in between")
