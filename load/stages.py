"""Where the time of an ApplyAction call goes: its parts, timed one after the other in process.

What is not among them is the rest of the service: dispatch, limits, permissions, and joining the answer.
"""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from time import thread_time_ns
from typing import Final

from shinpan.v1 import referee_service_pb2

import engine_core
from load.in_process import method
from load.positions import matches_under_way
from load.requests import APPLY_ACTION, BOTH_SEATS, apply_action
from load.rounds import Effort, Taken, Turn, micros
from service import requests, updates
from service.metrics import CallCounters, Metrics
from service.tokens import PLAIN

REQUESTS: Final = 64
PARTS: Final = ("parse", "decode", "apply", "encode", "updates", "metrics")
"""The parts: request bytes to message; token to state; legality, move, events and ending; state to token; updates;
the counters of a call."""

_VIEWERS: Final = tuple((viewer, seat) for seat, viewer in enumerate(BOTH_SEATS, 1))


def turns(effort: Effort) -> Iterator[Turn]:
    """All parts and the whole, as one turn of a round."""
    yield partial(_stages, effort)


def _stages(effort: Effort) -> Taken:
    sent = [apply_action(one, BOTH_SEATS).SerializeToString() for one in matches_under_way(effort.share(REQUESTS))]
    answer = method(APPLY_ACTION)
    whole = micros(lambda call: answer(sent[call % len(sent)]), effort.seconds)
    repeats = max(1, round(1e6 * effort.seconds / whole))
    spent = [0] * len(PARTS)
    clock = 0
    metrics = Metrics()
    counters = metrics.counters("shinpan.v1.RefereeService", "ApplyAction")
    for call in range(repeats):
        for part, nanos in enumerate(_parts(sent[call % len(sent)], metrics, counters)):
            spent[part] += nanos
        before = thread_time_ns()
        clock += thread_time_ns() - before
    taken = {f"stage.{name}": (nanos - clock) / repeats / 1000 for name, nanos in zip(PARTS, spent, strict=True)}
    return {**taken, "stage.handler": whole}


def _parts(request: bytes, metrics: Metrics, counters: CallCounters) -> list[int]:
    """Nanoseconds of CPU for each part of one call, reading the clock included."""
    at = [thread_time_ns()]
    message = referee_service_pb2.ApplyActionRequest.FromString(request)
    at.append(thread_time_ns())
    state = engine_core.decode(PLAIN.unseal(message.state.token))
    at.append(thread_time_ns())
    turn = requests.apply(state, message.action)
    at.append(thread_time_ns())
    PLAIN.seal(turn.state.to_bytes())
    at.append(thread_time_ns())
    updates.updates(turn.state, _VIEWERS, (turn,), False)
    at.append(thread_time_ns())
    counters.started.inc()
    metrics.action_applied(state.game.id)
    counters.succeeded.inc()
    counters.seconds.observe(1e-4)
    at.append(thread_time_ns())
    return [end - start for start, end in pairwise(at)]
