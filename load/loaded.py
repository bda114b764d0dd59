"""A method of a running server under load: its rate by the clock, and by the CPU that the server spends.

Where the generator or a neighbour takes time from the server, the clock says little: then calls for each second of the
server's CPU decide, which are what one core to itself answers.
"""

from typing import NamedTuple

import grpc

from load import h2load
from load.processes import TICK_SECONDS, ServerProcess, load_core

SAMPLE_CALLS = 16
_FIRST_REQUESTS = 256


class Answered(NamedTuple):
    """What a server answered in one run."""

    rate: float
    """Requests a second by the clock."""
    per_core: float
    """Requests for each second of the server's CPU."""


class LoadedMethod:
    """A method of a server with the one request that it is loaded with; made, it has answered a sample rightly."""

    def __init__(self, server: ServerProcess, path: str, request: bytes) -> None:
        self.server = server
        self.call = h2load.Call(server.address, path, request, sampled_answer(server.address, path, request))
        self._expected: float | None = None

    def load(self, seconds: float) -> Answered:
        """Send as much as it answers, for about some seconds."""
        if self._expected is None:
            first = max(1, round(_FIRST_REQUESTS * min(1, seconds)))
            self._expected = h2load.closed(self.call, first, load_core()).rate
        requests = max(1, round(self._expected * seconds))
        before = self.server.accounts.cpu_seconds()
        done = h2load.closed(self.call, requests, load_core())
        spent = max(TICK_SECONDS, self.server.accounts.cpu_seconds() - before)
        self._expected = done.rate
        return Answered(done.rate, requests / spent)


def sampled_answer(address: str, path: str, request: bytes) -> bytes:
    """The answer to a request by a real client: the same each time, and OK; LoadFailed when it is not."""
    with grpc.insecure_channel(address) as channel:
        call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(path)
        try:
            answers = {call(request) for _ in range(SAMPLE_CALLS)}
        except grpc.RpcError as error:
            raise h2load.LoadFailed(f"{path} answers a real client with an error: {error}") from error
    if len(answers) != 1:
        raise h2load.LoadFailed(f"{path} answers the same request in {len(answers)} ways")
    return answers.pop()
