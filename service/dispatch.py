"""From the bytes of a request to the bytes of its answer: parsing, limits, deadline, errors, metrics and log.

The transport hands requests over unparsed, because what it says itself about bytes that are no message is INTERNAL.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from time import perf_counter_ns
from typing import Any, Final, NoReturn, Protocol

import grpc
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from service.access import ANYONE, Caller, Permission
from service.config import Settings
from service.errors import Refusal, code_of, status_of
from service.guard import Guard
from service.logs import AccessLog, RequestIds
from service.metrics import Metrics
from service.tokens import PLAIN, Tokens

_LOG: Final = logging.getLogger("shinpan.dispatch")
_DETAILS_KEY: Final = "grpc-status-details-bin"
_REQUEST_ID_KEY: Final = "x-request-id"
_OPEN: Final = Guard()


class _Cancelled(Exception):
    """The caller has gone away."""


class Context(Protocol):
    """What dispatch needs of a transport's context."""

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


class Call:
    """One call while it is worked on: who calls, and whether going on makes sense."""

    __slots__ = ("_answer_bytes", "_context", "_max_answer_bytes", "_used", "caller", "tokens")

    def __init__(
        self,
        context: Context,
        max_answer_bytes: int,
        caller: Caller = ANYONE,
        tokens: Tokens = PLAIN,
        used: set[Permission] | None = None,
    ) -> None:
        self._used = set() if used is None else used
        self.caller = caller
        """Who calls; asked for permissions."""
        self.tokens = tokens
        """How states are sealed for the caller."""
        self._context = context
        self._max_answer_bytes = max_answer_bytes
        self._answer_bytes = 0

    def use(self, permission: Permission) -> None:
        """Require a permission, and note its use for the log."""
        self.caller.require(permission)
        self._used.add(permission)

    def check(self) -> None:
        """Raise when the deadline has passed or the caller has gone: before the work, and between its parts."""
        remaining = self._context.time_remaining()
        if remaining is not None and remaining <= 0:
            raise Refusal("DEADLINE_EXCEEDED", "The deadline has passed.")
        if not self._context.is_active():
            raise _Cancelled

    def add_answer_bytes(self, count: int) -> None:
        """Account for a part of the answer; ANSWER_TOO_LARGE as soon as the whole cannot be sent."""
        self._answer_bytes += count
        if self._answer_bytes > self._max_answer_bytes:
            raise Refusal(
                "ANSWER_TOO_LARGE",
                f"The answer would be larger than {self._max_answer_bytes} bytes.",
                limit=self._max_answer_bytes,
            )


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


class Method:
    """One method as the transport calls it: bytes in, bytes out."""

    def __init__(
        self,
        service: str,
        name: str,
        request: type[Message],
        handler: Handler,
        settings: Settings,
        metrics: Metrics,
        ids: RequestIds,
        access_log: AccessLog | None,
        guard: Guard = _OPEN,
    ) -> None:
        self.path = f"/{service}/{name}"
        self._service = service
        self._name = name
        self._request = request
        self._handler = handler
        self._plain = handler.plain if isinstance(handler, Direct) else None
        self._settings = settings
        self._metrics = metrics
        self._counters = metrics.counters(service, name)
        self._ids = ids
        self._access_log = access_log
        self._guard = guard

    def __call__(self, data: bytes, context: Context) -> bytes:
        """Answer a call, or abort it with the status of its error."""
        started = perf_counter_ns()
        used: set[Permission] = set()
        self._counters.started.add()
        try:
            answer = self._answer(data, context, used)
        except Refusal as error:
            refusal = error
        except _Cancelled:
            self._metrics.failed(self._service, self._name, "Canceled")
            self._finish(context, started, "Canceled", "", used)
            context.abort(grpc.StatusCode.CANCELLED, "")
        except Exception:
            request_id = self._request_id(context)
            _LOG.exception("failed in %s, request id %s", self.path, request_id)
            refusal = Refusal(
                "SERVER_FAULT",
                f"The server failed; its log has the details under request id {request_id}.",
                request_id=request_id,
            )
        else:
            self._counters.succeeded.add()
            self._finish(context, started, "OK", "", used)
            return answer
        return self._abort(refusal, context, started, used)

    def overloaded(self, _: bytes, context: Context) -> bytes:
        """Refuse a call because too many are waiting."""
        started = perf_counter_ns()
        self._counters.started.add()
        limit = self._settings.max_waiting_calls
        refusal = Refusal(
            "OVERLOADED",
            f"More than {limit} calls are waiting.",
            retry_after=self._settings.overload_retry_seconds,
            limit=limit,
        )
        return self._abort(refusal, context, started, set())

    def _answer(self, data: bytes, context: Context, used: set[Permission]) -> bytes:
        admitted = self._guard.admit(context)
        call = Call(context, self._settings.max_answer_bytes, admitted.caller, admitted.tokens, used)
        call.check()
        limit = self._settings.max_request_bytes
        if len(data) > limit:
            raise Refusal(
                "MESSAGE_TOO_LARGE",
                f"The request has {len(data)} bytes; the limit is {limit}.",
                size=len(data),
                limit=limit,
            )
        answer = None if self._plain is None else self._plain(data, call)
        if answer is None:
            answer = self._answer_message(data, call)
        if len(answer) > self._settings.max_answer_bytes:
            call.add_answer_bytes(len(answer))
        return answer

    def _answer_message(self, data: bytes, call: Call) -> bytes:
        try:
            request = self._request.FromString(data)
        except DecodeError:
            message = self._request.DESCRIPTOR.full_name
            raise Refusal("MALFORMED_REQUEST", f"The request is not a {message}.", message=message) from None
        answer = self._handler(request, call)
        return answer if isinstance(answer, bytes) else answer.SerializeToString(deterministic=True)

    def _abort(self, refusal: Refusal, context: Context, started: int, used: set[Permission]) -> NoReturn:
        code = code_of(refusal.reason)
        spelled = code.name.title().replace("_", "")
        self._metrics.failed(self._service, self._name, spelled)
        self._metrics.refused(refusal.reason)
        self._finish(context, started, spelled, refusal.reason, used)
        status = status_of(refusal)
        context.set_trailing_metadata(((_DETAILS_KEY, status.SerializeToString(deterministic=True)),))
        context.abort(code, status.message)

    def _finish(self, context: Context, started: int, code: str, reason: str, used: set[Permission]) -> None:
        nanos = perf_counter_ns() - started
        self._counters.took.add(nanos)
        if self._access_log is not None:
            seen_by = " ".join(sorted(used))
            self._access_log.write(self._request_id(context), self.path, code, reason, seen_by, nanos // 1000)

    def _request_id(self, context: Context) -> str:
        wanted = next((value for key, value in context.invocation_metadata() if key == _REQUEST_ID_KEY), None)
        return self._ids.choose(wanted)


class Dispatcher:
    """The methods of the services, for a transport to call by their paths."""

    def __init__(
        self, settings: Settings, metrics: Metrics, access_log: AccessLog | None, guard: Guard = _OPEN
    ) -> None:
        self._settings = settings
        self._metrics = metrics
        self._guard = guard
        self._access_log = access_log
        self._ids = RequestIds()
        self.methods: dict[str, Method] = {}
        """By path, `/package.Service/Method`."""

    def add(self, service: ServiceDescriptor, handlers: Mapping[str, Handler]) -> None:
        """Add a service with a handler for each of its methods, by name; KeyError when one is missing."""
        for method in service.methods:
            served = Method(
                service.full_name,
                method.name,
                GetMessageClass(method.input_type),
                handlers[method.name],
                self._settings,
                self._metrics,
                self._ids,
                self._access_log,
                self._guard,
            )
            self.methods[served.path] = served
