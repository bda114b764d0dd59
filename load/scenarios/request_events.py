"""Calls of a channel as Locust's request events: a row of its tables for each method."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

import grpc
from google.protobuf.message import Message

CALL: Final = "gRPC"
"""The type of request, in Locust's tables, of a call."""
CHECK: Final = "check"
"""The type of a comparison with the engine."""

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")


class RequestEvents(grpc.UnaryUnaryClientInterceptor):
    """Tells Locust of each call: how long it took, how long its answer was, and its error."""

    def __init__(self, fire: Callable[..., None]) -> None:
        """`fire` is that of Locust's event of requests."""
        self._fire = fire

    def intercept_unary_unary(
        self,
        continuation: "Callable[[grpc.ClientCallDetails, _Request], grpc._CallFuture[_Response]]",
        client_call_details: grpc.ClientCallDetails,
        request: _Request,
    ) -> "grpc._CallFuture[_Response]":
        """Make the call; a blocking stub has its answer when the continuation returns."""
        started = time.perf_counter()
        outcome = continuation(client_call_details, request)
        error = outcome.exception()
        answer = None if error else outcome.result()
        self._fire(
            request_type=CALL,
            name=client_call_details.method.rpartition("/")[2],
            response_time=1000 * (time.perf_counter() - started),
            response_length=answer.ByteSize() if isinstance(answer, Message) else 0,
            exception=_status(error),
            context={},
        )
        return outcome


def _status(error: Exception | None) -> Exception | None:
    """An error as one line that is the same for every call that fails so."""
    if isinstance(error, grpc.RpcError):
        return RuntimeError(f"{error.code().name}: {error.details()}")
    return error
