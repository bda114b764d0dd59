"""More arrives than can be answered."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any, Final

import grpc
import pytest
from contract import Contract, arranged_state, read_error, wrap
from faults.asking import answers, healthy, well_within
from faults.table import stated_seconds
from shinpan.v1 import analysis_service_pb2
from test_admin import samples

import engine_core
from service.process import ServerProcess

pytestmark = pytest.mark.faults

LIMITS: Final[dict[str, Any]] = {"threads": 2, "max_waiting_calls": 16, "access_log": False}
ADMITTED: Final = 18
GAMES: Final = 60
"""Of a search: some milliseconds of work, so that the caller costs little beside it."""
MEASURED: Final = 200
SECONDS: Final = 4
TIMES: Final = 3
BURST: Final = 3_000
SEEDS: Final = 8


def searches() -> tuple[list[analysis_service_pb2.PlayoutRequest], list[int]]:
    """Some searches, and the plies that the engine in this process makes of each."""
    state = arranged_state("hasami-shogi").state
    requests = [analysis_service_pb2.PlayoutRequest(state=wrap(state), games=GAMES, seed=seed) for seed in range(SEEDS)]
    return requests, [engine_core.playout(state, GAMES, seed).plies for seed in range(SEEDS)]


def capacity(contract: Contract) -> float:
    """Searches a second that the server answers when it always has some to do."""
    requests, _ = searches()
    begun = monotonic()
    with ThreadPoolExecutor(4) as callers:
        list(callers.map(lambda place: contract.analysis.Playout(requests[place % SEEDS], timeout=30), range(MEASURED)))
    return MEASURED / (monotonic() - begun)


def outcome(call: Any, plies: int) -> str:
    """How a call ended; fails when its answer is wrong or its refusal does not tell when to come back."""
    error = call.exception()
    if error is None:
        assert call.result().plies == plies, "a wrong answer"
        return "OK"
    told = read_error(error)
    assert told.retry_seconds == 0.5
    return f"{told.code.name} {told.reason}"


def test_three_times_the_capacity(transport: str) -> None:
    requests, plies = searches()
    with ServerProcess(transport=transport, **LIMITS) as process, grpc.insecure_channel(process.address) as channel:
        contract = Contract(channel)
        before = capacity(contract)
        interval = 1 / (TIMES * before)
        pause, begun, sick = threading.Event(), monotonic(), 0
        calls: list[Any] = []
        while (now := monotonic() - begun) < SECONDS:
            while len(calls) * interval < now:
                calls.append(contract.analysis.Playout.future(requests[len(calls) % SEEDS], timeout=30))
            sick += not healthy(process.admin_address)
            pause.wait(interval)
        over = monotonic()
        limit = stated_seconds("faults/test_overload.py::test_three_times_the_capacity")
        well_within(limit, over, lambda: answers(process.address, timeout=limit))
        well_within(limit, over, lambda: samples(process)["shinpan_calls_in_flight", ()] == 0)
        ended = Counter(outcome(call, plies[place % SEEDS]) for place, call in enumerate(calls))
        after = capacity(contract)  # others may have begun to use the machine
    print(transport, ended, before, after)
    assert set(ended) == {"OK", "RESOURCE_EXHAUSTED OVERLOADED"}
    assert not sick
    assert ended["OK"] > 0.5 * SECONDS * min(before, after), "what it can answer it goes on answering"


def test_a_burst_is_refused_with_a_reason(transport: str) -> None:
    """Many more calls at once than are admitted: each is answered, or told why not and when to come back."""
    requests, plies = searches()
    with ServerProcess(transport=transport, **LIMITS) as process, grpc.insecure_channel(process.address) as channel:
        contract = Contract(channel)
        contract.analysis.Playout(requests[0])
        calls = [contract.analysis.Playout.future(requests[at % SEEDS], timeout=60) for at in range(BURST)]
        over = monotonic()
        limit = stated_seconds("faults/test_overload.py::test_a_burst_is_refused_with_a_reason")
        well_within(limit, over, lambda: answers(process.address, timeout=limit))
        ended = Counter(outcome(call, plies[place % SEEDS]) for place, call in enumerate(calls))
    print(transport, ended)
    assert set(ended) == {"OK", "RESOURCE_EXHAUSTED OVERLOADED"}
    assert ended["OK"] >= ADMITTED
