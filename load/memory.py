"""Whether a server's memory grows with what it answers: a million requests, most of them in batches."""

from typing import Final

from load import h2load
from load.loaded import LoadedMethod
from load.positions import matches_under_way
from load.processes import ServerProcess, load_core
from load.requests import BATCH_APPLY_ACTIONS, batch_apply_actions
from load.rounds import Effort, Taken
from load.unary import method

REQUESTS: Final = 1_000_000
WARMUP_REQUESTS: Final = 100_000
SINGLE_REQUESTS: Final = 20_000
"""Of the requests, those that are calls of their own."""
BATCH_ITEMS: Final = 256
MATCHES: Final = 64
CONNECTIONS: Final = 4
"""As many calls at a time as a server has threads, so that what waits in queues is not counted as growth."""


def measure(effort: Effort, name: str, server: ServerProcess) -> Taken:
    """Megabytes that a server holds after it has warmed up, and after the requests."""
    singles = method(server, "apply-updates")
    request = batch_apply_actions(matches_under_way(MATCHES), BATCH_ITEMS).SerializeToString()
    batches = LoadedMethod(server, BATCH_APPLY_ACTIONS, request)
    _answer(singles, batches, effort.share(WARMUP_REQUESTS))
    before = server.accounts.resident_bytes()
    requests = _answer(singles, batches, effort.share(REQUESTS))
    after = server.accounts.resident_bytes()
    return {
        f"memory.{name}.before": before / 1e6,
        f"memory.{name}.after": after / 1e6,
        f"memory.{name}.requests": requests,
    }


def _answer(singles: LoadedMethod, batches: LoadedMethod, count: int) -> int:
    """Have so many requests answered, or a few more; returns how many."""
    single = max(1, count * SINGLE_REQUESTS // REQUESTS)
    calls = -(-(count - single) // BATCH_ITEMS) or 1
    for call, requests in ((singles.call, single), (batches.call, calls)):
        h2load.closed(call, requests, load_core(), CONNECTIONS, 1)
    return single + calls * BATCH_ITEMS
