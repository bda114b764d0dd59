"""Two processes, each bound to a core, behind a client that balances by round_robin, against one.

By the clock with batches, which cost a client little beside the server. And by CPU with single calls: what the busiest
process spends is what limits them.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Final

import grpc

from load.h2load import LoadFailed
from load.positions import matches_under_way
from load.processes import TICK_SECONDS, ServerProcess, load_core, server_core
from load.requests import APPLY_ACTION, BATCH_APPLY_ACTIONS, BOTH_SEATS, apply_action, batch_apply_actions
from load.rounds import Effort, Taken, Turn
from load.servers import server

BATCH_ITEMS: Final = 64
CALLERS: Final = 8
BATCHES: Final = 600
CALLS: Final = 3000
_ROUND_ROBIN: Final = json.dumps({"loadBalancingConfig": [{"round_robin": {}}]})


@contextmanager
def running() -> Iterator[Sequence[ServerProcess]]:
    """Two servers on grpcio, each bound to a core of its own where there are two."""
    with ExitStack() as stack:
        yield [stack.enter_context(server("grpcio", core)) for core in (server_core(), load_core())]


def turns(effort: Effort, servers: Sequence[ServerProcess]) -> Iterator[Turn]:
    """One process and two, loaded with batches and with single calls, as turns of a round."""
    positions = matches_under_way(BATCH_ITEMS)
    batch = batch_apply_actions(positions, BATCH_ITEMS).SerializeToString()
    call = apply_action(positions[-1], BOTH_SEATS).SerializeToString()
    for name, chosen in (("one", servers[:1]), ("two", servers)):
        yield partial(_batches, f"scale.batches.{name}", chosen, batch, effort.share(BATCHES))
        yield partial(_calls, f"scale.calls.{name}", chosen, call, effort.share(CALLS))


def _batches(name: str, servers: Sequence[ServerProcess], request: bytes, count: int) -> Taken:
    with _balanced(servers, BATCH_APPLY_ACTIONS) as call:
        started = time.perf_counter()
        _send(call, request, count)
        return {f"{name}.rate": BATCH_ITEMS * count / (time.perf_counter() - started)}


def _calls(name: str, servers: Sequence[ServerProcess], request: bytes, count: int) -> Taken:
    with _balanced(servers, APPLY_ACTION) as call:
        before = [one.accounts.cpu_seconds() for one in servers]
        _send(call, request, count)
        busiest = max(one.accounts.cpu_seconds() - used for one, used in zip(servers, before, strict=True))
        return {f"{name}.per-core": count / max(TICK_SECONDS, busiest)}


@contextmanager
def _balanced(servers: Sequence[ServerProcess], path: str) -> Iterator[Callable[[bytes], bytes]]:
    """A method of all servers behind one channel, which is connected to each of them."""
    addresses = "ipv4:" + ",".join(one.address for one in servers)
    options = [("grpc.service_config", _ROUND_ROBIN)]
    with grpc.insecure_channel(addresses, options) as channel:
        grpc.channel_ready_future(channel).result()
        call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(path)
        yield call


def _send(call: Callable[[bytes], bytes], request: bytes, count: int) -> None:
    """Call so many times from a few threads; LoadFailed when an answer is empty."""
    lock = threading.Lock()
    left = count

    def caller() -> None:
        nonlocal left
        while True:
            with lock:
                if not left:
                    return
                left -= 1
            if not call(request):
                raise LoadFailed("a server behind round_robin answered nothing")

    with ThreadPoolExecutor(CALLERS) as pool:
        for done in [pool.submit(caller) for _ in range(CALLERS)]:
            done.result()
