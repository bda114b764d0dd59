"""The native transport: HTTP/2 in Rust, outside the GIL, by the package pygrpc-native (the extra `fast`).

Of that package this uses the low-level interface, which hands calls over in batches: one thread takes them and puts
them before those that answer. It costs half of what its `grpc.server` costs, whose pool makes a future of each call.
"""

import logging
from collections.abc import Iterable, Mapping
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Any, Final, NoReturn

import grpc
from pygrpc_native import EVENT_CANCEL, NativeGrpcFront

from service import sockets
from service.config import Settings
from service.transport import CANCEL_SECONDS, FLUSH_SECONDS, Behavior, Route

_LOG: Final = logging.getLogger("shinpan.native")
_BATCH: Final = 256
"""Most calls that are taken at once."""
_KEEPALIVE_MS: Final = 15_000
"""A connection that is silent for so long is asked whether somebody is there, and closed after as long again."""
_POLL_SECONDS: Final = 0.02
_QUIET_SECONDS: Final = 1.0
"""Without a call for that long, whoever balances calls has gone elsewhere."""
_FLUSHED_POLLS: Final = 3
_STOPPING: Final = "The server is stopping."


class _AbortedError(Exception):
    """Ends a call whose status has been set."""


class NativeContext:
    """One call as its method sees it."""

    __slots__ = ("_deadline", "_metadata", "active", "code", "message", "trailing")

    def __init__(self, metadata: Iterable[tuple[str, str | bytes]], remaining: float | None) -> None:
        self._metadata = metadata
        self._deadline = None if remaining is None else monotonic() + remaining
        self.active = True
        """Whether the caller still waits."""
        self.code = grpc.StatusCode.OK
        self.message = ""
        self.trailing: list[tuple[str, str | bytes]] = []

    def is_active(self) -> bool:
        """Whether the caller still waits."""
        return self.active

    def time_remaining(self) -> float | None:
        """Seconds until the deadline; None without one."""
        return None if self._deadline is None else self._deadline - monotonic()

    def invocation_metadata(self) -> Iterable[Any]:
        """The caller's metadata, pairs of key and value."""
        return self._metadata

    def set_trailing_metadata(self, trailing_metadata: Iterable[tuple[str, str | bytes]], /) -> None:
        """Set what is sent after the answer."""
        self.trailing = list(trailing_metadata)

    def abort(self, code: grpc.StatusCode, details: str) -> NoReturn:
        """Raise, so that the call ends with this code and message."""
        self.code, self.message = code, details
        raise _AbortedError


class NativeTransport:
    """A port of pygrpc-native, a thread that takes calls, and threads that answer them."""

    def __init__(self, settings: Settings, routes: Mapping[str, Route]) -> None:
        self._paths = list(routes)
        self._routes = list(routes.values())
        self._threads = settings.threads
        self._admitted = settings.threads + settings.max_waiting_calls
        self._calls: dict[int, NativeContext] = {}
        """Calls that wait or are worked on, by the front's ids. What is done to it is atomic under the GIL."""
        self._taken: SimpleQueue[tuple[Behavior, int, bytes, NativeContext] | None] = SimpleQueue()
        self._last_call = monotonic()
        self._stopping = False

    @property
    def waiting(self) -> int:
        """Calls that wait for a thread."""
        return max(0, len(self._calls) - self._threads)

    def listen(self, address: str, credentials: grpc.ServerCredentials | None) -> int:
        """Take the port; ValueError with credentials, which the settings refuse before."""
        if credentials:
            raise ValueError("the native transport has no TLS")
        self._front = NativeGrpcFront(
            address,
            [(path, False) for path in self._paths],
            call_details=True,
            keepalive_time_ms=_KEEPALIVE_MS,
            keepalive_timeout_ms=_KEEPALIVE_MS,
        )
        self._port = self._front.bound_port
        return self._port

    def start(self) -> None:
        """Answer calls."""
        self._front.start()
        for number in range(self._threads):
            Thread(target=self._work, name=f"call-{number}", daemon=True).start()
        Thread(target=self._take, name="taking", daemon=True).start()

    def stop_listening(self) -> bool:
        """Take no more connections. The front then tries in vain to take some, and its complaints are dropped."""
        logging.getLogger("pygrpc_native.server").addFilter(lambda record: "accept failed" not in record.getMessage())
        return sockets.stop_listening(self._port)

    def quiet(self) -> bool:
        """Whether every connection has gone, or none has brought a call for a while: nothing tells them to go."""
        if not sockets.connections(self._port):
            return True
        return not self._calls and monotonic() - self._last_call > _QUIET_SECONDS

    def stop(self, grace: float) -> None:
        """Stop. The front drops what it has when it is closed, so that all of it is answered and sent before."""
        self._stopping = True
        pause = Event()
        if not self._finished(monotonic() + grace, pause):
            for call in list(self._calls.values()):
                call.active = False
            self._finished(monotonic() + CANCEL_SECONDS, pause)
        deadline, flushed = monotonic() + FLUSH_SECONDS, 0
        while flushed < _FLUSHED_POLLS and monotonic() < deadline:
            pause.wait(_POLL_SECONDS)
            flushed = 0 if sockets.unsent_bytes(self._port) else flushed + 1
        self._front.close()
        for _ in range(self._threads):
            self._taken.put(None)

    def _finished(self, deadline: float, pause: Event) -> bool:
        """Whether no call is left, at the latest at the deadline."""
        while self._calls and monotonic() < deadline:
            pause.wait(_POLL_SECONDS)
        return not self._calls

    def _take(self) -> None:
        """Take calls until the front is closed: queue them or refuse them, and note which callers have gone."""
        front, calls, routes = self._front, self._calls, self._routes
        while (events := front.recv_batch_details(_BATCH)) is not None:
            for kind, call_id, method, data, _, details in events:
                if kind == EVENT_CANCEL or data is None or details is None:
                    cancelled = calls.get(call_id)
                    if cancelled is not None:
                        cancelled.active = False
                    continue
                self._last_call = monotonic()
                if self._stopping:
                    front.fail(call_id, grpc.StatusCode.UNAVAILABLE.value[0], _STOPPING)
                    continue
                context = NativeContext(details[0], details[2])
                if len(calls) >= self._admitted:
                    self._answer(routes[method].refuse, call_id, data, context)
                    continue
                calls[call_id] = context
                self._taken.put((routes[method].answer, call_id, data, context))

    def _work(self) -> None:
        """Answer calls until told to end."""
        while (taken := self._taken.get()) is not None:
            self._answer(*taken)
            self._calls.pop(taken[1], None)

    def _answer(self, behavior: Behavior, call_id: int, data: bytes, context: NativeContext) -> None:
        try:
            answer = behavior(data, context)
        except _AbortedError:
            self._front.fail(call_id, context.code.value[0], context.message, context.trailing)
        except Exception:
            _LOG.exception("failed")
            self._front.fail(call_id, grpc.StatusCode.UNKNOWN.value[0], "The server failed.")
        else:
            self._front.respond(call_id, answer)
