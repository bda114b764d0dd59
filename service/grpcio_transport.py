"""The transport of grpcio: complete, and the default."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import grpc
from grpc_reflection.v1alpha import reflection

from service import sockets
from service.admission import AdmissionPool
from service.config import Settings
from service.handler import Context
from service.transport import CANCEL_SECONDS, Behavior, Route

_Handlers = dict[str, "grpc.RpcMethodHandler[bytes, bytes]"]
_REFUSED_AT_ONCE: Final = 4096
"""How many calls may be under way to their refusal; further ones grpcio refuses, without a reason."""


class GrpcioTransport:
    """A `grpc.server` with a pool of threads."""

    def __init__(self, settings: Settings, routes: Mapping[str, Route], services: Sequence[str]) -> None:
        """`services` are named by reflection, where the settings ask for it on this port."""
        self._pool = AdmissionPool(settings.threads, settings.max_waiting_calls)
        self._server = grpc.server(
            self._pool,  # type: ignore[arg-type]  # it only submits
            handlers=[_Routes(routes, self._pool)],
            options=_options(settings),
            # Far above our own limits, which answer with a reason: the last line of defence.
            maximum_concurrent_rpcs=settings.threads + settings.max_waiting_calls + _REFUSED_AT_ONCE,
        )
        if settings.reflection:
            reflection.enable_server_reflection((*services, reflection.SERVICE_NAME), self._server)

    @property
    def waiting(self) -> int:
        """Calls that wait for a thread."""
        return self._pool.waiting

    def listen(self, address: str, credentials: grpc.ServerCredentials | None) -> int:
        """Take the port."""
        if credentials:
            self._port = self._server.add_secure_port(address, credentials)
        else:
            self._port = self._server.add_insecure_port(address)
        return self._port

    def start(self) -> None:
        """Answer calls."""
        self._pool.start()
        self._server.start()

    def stop_listening(self) -> bool:
        """Take no more connections."""
        return sockets.stop_listening(self._port)

    def quiet(self) -> bool:
        """Whether every connection has gone, as each does at its age.

        What grpcio does when it is stopped loses the calls that arrive before their connection has been told so.
        """
        return not sockets.connections(self._port)

    def stop(self, grace: float) -> None:
        """Stop."""
        self._server.stop(grace).wait(grace + CANCEL_SECONDS)


_PENDING = 1_000_000


def _options(settings: Settings) -> list[tuple[str, int]]:
    options = [
        ("grpc.so_reuseport", 0),  # a second server on the port must fail, not share it
        # Calls that arrive while the process stands still are refused by ours, and not cancelled at random by grpc.
        ("grpc.server.max_pending_requests", _PENDING),
        ("grpc.server.max_pending_requests_hard_limit", _PENDING),
        ("grpc.max_receive_message_length", 2 * settings.max_request_bytes),
        ("grpc.max_send_message_length", -1),
    ]
    if settings.max_connection_age_seconds:
        options += [
            ("grpc.max_connection_age_ms", round(settings.max_connection_age_seconds * 1000)),
            ("grpc.max_connection_age_grace_ms", round(settings.max_connection_age_grace_seconds * 1000)),
        ]
    return options


class _Routes(grpc.GenericRpcHandler):
    """Finds methods by path. While the pool is full, it gives out refusals instead."""

    def __init__(self, routes: Mapping[str, Route], pool: AdmissionPool) -> None:
        self._pool = pool
        # Refusals have a thread of their own, so that they do not wait behind the calls that are too many.
        refusing = ThreadPoolExecutor(1, thread_name_prefix="refusal")
        self._answers: _Handlers = {}
        self._refusals: _Handlers = {}
        for path, route in routes.items():
            self._answers[path] = grpc.unary_unary_rpc_method_handler(_Answer(route.answer, pool))
            # As if its requests were streams, which nobody reads: what is refused is not received, let alone held.
            self._refusals[path] = grpc.stream_unary_rpc_method_handler(_Refusal(route.refuse, refusing))

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes] | None":
        """The handler of a call that has arrived; None when there is no such method."""
        handlers = self._refusals if self._pool.full else self._answers
        return handlers.get(handler_call_details.method)


class _Answer:
    """A behavior that tells the pool of its request's arrival."""

    def __init__(self, answer: Behavior, pool: AdmissionPool) -> None:
        self._answer = answer
        self._arrived = pool.arrived

    def __call__(self, data: bytes, context: Context) -> bytes:
        self._arrived()
        return self._answer(data, context)


class _Refusal:
    """A refusal as a behavior that names its own pool to grpcio."""

    def __init__(self, refuse: Behavior, pool: ThreadPoolExecutor) -> None:
        self.experimental_thread_pool = pool
        self._refuse = refuse

    def __call__(self, _: Iterator[bytes], context: Context) -> bytes:
        return self._refuse(b"", context)
