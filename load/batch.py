"""BatchApplyActions by size: items for each second of the server's CPU."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from load.loaded import LoadedMethod
from load.positions import matches_under_way
from load.processes import ServerProcess
from load.requests import BATCH_APPLY_ACTIONS, batch_apply_actions
from load.rounds import Effort, Taken, Turn
from load.servers import TRANSPORTS
from load.unary import method

SIZES: Final = (1, 4, 16, 64, 256)
MATCHES: Final = 64


def turns(effort: Effort, servers: Mapping[str, ServerProcess]) -> Iterator[Turn]:
    """A single call and each size of batch on each transport, as turns of a round.

    Items are of different matches, each with two updates.
    """
    seconds = effort.load_seconds
    positions = matches_under_way(effort.share(MATCHES))
    for transport in TRANSPORTS:
        if transport in servers:
            yield partial(_load, f"batch.{transport}.single", method(servers[transport], "apply-updates"), 1, seconds)
            for size in SIZES:
                request = batch_apply_actions(positions, size).SerializeToString()
                loaded = LoadedMethod(servers[transport], BATCH_APPLY_ACTIONS, request)
                yield partial(_load, f"batch.{transport}.{size}", loaded, size, seconds)


def _load(name: str, loaded: LoadedMethod, size: int, seconds: float) -> Taken:
    answered = loaded.load(seconds)
    return {f"{name}.rate": size * answered.rate, f"{name}.per-core": size * answered.per_core}
