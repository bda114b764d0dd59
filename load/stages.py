"""Where the time of an ApplyAction call goes: its parts in process.

The engine's parts are timed one after the other, as a call has them; what updates cost is the difference between a call
with and without them. What is in none of the parts is the rest of the service: reading the request, dispatch, limits,
permissions, the digest, and writing the answer.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from statistics import median
from time import process_time, thread_time_ns
from typing import Final

import engine_core
from load.in_process import method
from load.positions import Position, matches_under_way
from load.requests import APPLY_ACTION, BOTH_SEATS, apply_action
from load.rounds import Effort, Taken, Turn
from service.metrics import Metrics

REQUESTS: Final = 64
PARTS: Final = ("decode", "apply", "encode", "updates", "metrics")
"""The parts: bytes to state; legality, move, events and ending; state to bytes; updates; the counters of a call."""


def turns(effort: Effort) -> Iterator[Turn]:
    """All parts and the whole, as one turn of a round."""
    yield partial(_stages, effort)


def _stages(effort: Effort) -> Taken:
    positions = matches_under_way(effort.share(REQUESTS))
    answer, counted = method(APPLY_ACTION), Metrics()
    calls = [_Timed(one, answer, counted) for one in positions]
    started = process_time()
    taken: list[list[int]] = []
    while process_time() - started < effort.seconds or len(taken) < len(calls):
        taken.append(calls[len(taken) % len(calls)].nanos())
    clock, decode, apply, encode, metrics, _, whole = (median(nanos) for nanos in zip(*taken, strict=True))
    parts = {"decode": decode, "apply": apply, "encode": encode, "metrics": metrics, "handler": whole}
    micros = {name: (nanos - clock) / 1000 for name, nanos in parts.items()}
    micros["updates"] = median(nanos[-1] - nanos[-2] for nanos in taken) / 1000
    return {f"stage.{name}": micros[name] for name in (*PARTS, "handler")}


class _Timed:
    """One call, with and without updates, and its parts."""

    def __init__(self, position: Position, answer: Callable[[bytes], bytes], metrics: Metrics) -> None:
        self._answer = answer
        self._metrics = metrics
        self._counters = metrics.counters("shinpan.v1.RefereeService", "ApplyAction")
        self._body = position.state.to_bytes()
        self._move = position.move.source << 8 | position.move.target
        self._game = position.state.game.id
        self._bare = apply_action(position).SerializeToString()
        self._whole = apply_action(position, BOTH_SEATS).SerializeToString()

    def nanos(self) -> list[int]:
        """Nanoseconds of CPU that it takes to read the clock, for each part in turn, for all without updates, for all.

        Each but the first has the reading of the clock in it.
        """
        at = [thread_time_ns(), thread_time_ns()]
        state = engine_core.decode(self._body)
        at.append(thread_time_ns())
        turn = state.play(self._move)
        at.append(thread_time_ns())
        turn.state.to_bytes()
        at.append(thread_time_ns())
        self._counters.started.add()
        self._metrics.actions_applied(self._game)
        self._counters.succeeded.add()
        self._counters.took.add(100_000)
        at.append(thread_time_ns())
        self._answer(self._bare)
        at.append(thread_time_ns())
        self._answer(self._whole)
        at.append(thread_time_ns())
        return [end - start for start, end in pairwise(at)]
