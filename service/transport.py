"""What a transport is: it brings calls from a port to the methods and their answers back.

`grpcio_transport` has everything; `native_transport` takes less of the processor, for plain-text ports in a cluster.
"""

from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

import grpc

from service.handler import Context

CANCEL_SECONDS: Final = 5.0
"""How long calls that outlast the grace are waited for after they have been cancelled."""
FLUSH_SECONDS: Final = 5.0
"""How long clients may take to read the last answers, where a transport has to wait for that."""

Behavior = Callable[[bytes, Context], bytes]
"""Takes the bytes of a request; returns those of its answer, or ends the call through the context."""


class Route(NamedTuple):
    """What becomes of the calls of one method."""

    answer: Behavior
    """In one of the threads, in the order of arrival."""
    refuse: Behavior
    """Instead and at once, when as many calls as may wait are waiting; the bytes may be none, of a request not read."""


class Transport(Protocol):
    """One port and its threads. `listen`, then `start`, then `stop`, each once."""

    @property
    def waiting(self) -> int:
        """Calls that wait for a thread."""

    def listen(self, address: str, credentials: grpc.ServerCredentials | None) -> int:
        """Take a port, `host:port`, where 0 is a free one; the port, or RuntimeError or OSError when it is taken."""

    def start(self) -> None:
        """Answer calls."""

    def stop_listening(self) -> bool:
        """Take no more connections, but go on answering on those that are open; False when that cannot be done."""

    def quiet(self) -> bool:
        """After `stop_listening`: whether to stop now would disturb nobody."""

    def stop(self, grace: float) -> None:
        """Take no more calls, wait at most `grace` seconds for the others, cancel those that are left, and end."""
