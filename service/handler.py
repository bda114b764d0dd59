"""What the method of a servicer is, and what it knows of the transport that a call came by."""

from collections.abc import Callable, Iterable
from typing import Any, NoReturn, Protocol

import grpc
from google.protobuf.message import Message

from service.call import Call


class Context(Protocol):
    """What a method needs of a transport's context."""

    def is_active(self) -> bool:
        """Whether the caller still waits."""

    def time_remaining(self) -> float | None:
        """Seconds until the deadline; None without one."""

    def invocation_metadata(self) -> Iterable[Any]:
        """The caller's metadata, pairs of key and value."""

    def set_trailing_metadata(self, trailing_metadata: Any, /) -> None:
        """Set what is sent after the answer."""

    def abort(self, code: grpc.StatusCode, details: str) -> NoReturn:
        """Raise, so that the call ends with this code and message."""


Handler = Callable[[Any, Call], Message | bytes]
"""A method of a servicer: takes its request message, returns its answer or the bytes of it, raises Refusal."""


class Direct:
    """A handler that answers some requests from their bytes: those that are usual, and are not refused."""

    def __init__(self, plain: Callable[[bytes, Call], bytes | None], other: Handler) -> None:
        self.plain = plain
        """Takes the bytes of a request, returns those of its answer; None when it is for the other."""
        self.other = other

    def __call__(self, request: Any, call: Call) -> Message | bytes:
        """Answer a message."""
        return self.other(request, call)
