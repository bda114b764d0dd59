"""ApplyAction against an empty method, on each transport, and against that of a plain grpcio server."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from load.empty import EMPTY, SIZED, sized_like
from load.loaded import LoadedMethod
from load.positions import matches_under_way
from load.processes import ServerProcess
from load.requests import APPLY_ACTION, BOTH_SEATS, apply_action
from load.rounds import Effort, Taken, Turn

METHODS: Final = ("empty", "sized", "apply", "apply-updates")
"""What is called: the empty method, one with messages as long as those of the last that does nothing else, ApplyAction
without updates, and with one for each seat and legal actions."""


def method(server: ServerProcess, name: str) -> LoadedMethod:
    """One of `METHODS` of a server. ApplyAction gets a match half-way."""
    if name == "empty":
        return LoadedMethod(server, EMPTY, b"")
    if name == "sized":
        like = method(server, "apply-updates").call
        return LoadedMethod(server, SIZED, sized_like(like.request, like.answer))
    position = matches_under_way(2)[1]
    request = apply_action(position, BOTH_SEATS if name == "apply-updates" else ())
    return LoadedMethod(server, APPLY_ACTION, request.SerializeToString())


def turns(effort: Effort, servers: Mapping[str, ServerProcess]) -> Iterator[Turn]:
    """Each method of each server, as turns of a round."""
    for transport, server in servers.items():
        for name in METHODS if transport != "plain" else METHODS[:1]:
            yield partial(_load, f"service.{transport}.{name}", method(server, name), effort.load_seconds)


def _load(name: str, loaded: LoadedMethod, seconds: float) -> Taken:
    answered = loaded.load(seconds)
    return {f"{name}.rate": answered.rate, f"{name}.per-core": answered.per_core}
