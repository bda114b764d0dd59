"""Spans of calls for OpenTelemetry (the extra `tracing`): one a call, beneath the span that its caller names by W3C.

A span tells the method, the code and reason of the answer, and the game, by the name under which it is loaded. It never
tells what is in a request or an answer. Nothing of this is imported unless the settings ask for spans.
"""

from collections.abc import Callable, Iterable
from threading import Thread
from typing import Any, Final, NoReturn

import grpc
from google.rpc import error_details_pb2, status_pb2
from opentelemetry.context import Context as SpanContext
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from service.handler import Context
from service.transport import Behavior, Route

GameOf = Callable[[str, bytes, Context], str]
"""The game that a request is about, by the path of its method and its bytes; "" when it is about none."""

_OURS: Final = frozenset(
    {
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.UNIMPLEMENTED,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DATA_LOSS,
    }
)
"""Codes that are errors of the server by the semantic conventions; the others are errors of the caller."""
_W3C: Final = TraceContextTextMapPropagator()


def exporting() -> TracerProvider:
    """A provider that sends spans by OTLP over gRPC, as the variables OTEL_* of the environment say."""
    resource = Resource({"service.name": "shinpan"}).merge(OTELResourceDetector().detect())
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


class Tracing:
    """Makes a span of each call of the routes that it is given."""

    def __init__(self, provider: TracerProvider, game_of: GameOf) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("shinpan")
        self._game_of = game_of

    def route(self, path: str, route: Route) -> Route:
        """The same route with spans."""
        return Route(
            _Traced(self._tracer, path, route.answer, self._game_of),
            _Traced(self._tracer, path, route.refuse, lambda *_: ""),  # there is no time to look
        )

    def end(self, seconds: float) -> None:
        """Send what is left, if it takes no longer."""
        ending = Thread(target=self._provider.shutdown, name="tracing", daemon=True)
        ending.start()
        ending.join(seconds)


class _Traced:
    """A behavior of a method, each call with a span."""

    def __init__(self, tracer: Tracer, path: str, behavior: Behavior, game_of: GameOf) -> None:
        self._tracer = tracer
        self._path = path
        _, service, method = path.split("/")
        self._attributes = {"rpc.system": "grpc", "rpc.service": service, "rpc.method": method}
        self._behavior = behavior
        self._game_of = game_of

    def __call__(self, data: bytes, context: Context) -> bytes:
        span = self._tracer.start_span(
            self._path[1:], _parent(context.invocation_metadata()), SpanKind.SERVER, self._attributes
        )
        seen = _Watched(context)
        try:
            return self._behavior(data, seen)
        except BaseException:
            if seen.code is grpc.StatusCode.OK:  # it ended by itself, and the transport says UNKNOWN
                seen.code = grpc.StatusCode.UNKNOWN
            raise
        finally:
            if span.is_recording():
                self._tell(span, data, seen)
            span.end()

    def _tell(self, span: Span, data: bytes, seen: "_Watched") -> None:
        span.set_attribute("rpc.grpc.status_code", seen.code.value[0])
        if seen.reason:
            span.set_attribute("shinpan.reason", seen.reason)
        if game := self._game_of(self._path, data, seen):
            span.set_attribute("shinpan.game", game)
        if seen.code in _OURS:
            span.set_status(Status(StatusCode.ERROR))


def _parent(metadata: Iterable[Any]) -> SpanContext:
    """What the caller says its span is; nothing where it says nothing, or nothing that can be read."""
    carrier = {key: value for key, value in metadata if key in _W3C.fields and isinstance(value, str)}
    return _W3C.extract(carrier, SpanContext())


class _Watched:
    """A call's context that remembers how the call was ended."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.is_active = context.is_active
        self.time_remaining = context.time_remaining
        self.invocation_metadata = context.invocation_metadata
        self.code = grpc.StatusCode.OK
        self.reason = ""

    def set_trailing_metadata(self, trailing_metadata: Any, /) -> None:
        """Set what is sent after the answer; the reason of an error is in it."""
        for _, value in trailing_metadata:
            self.reason = _reason(value)
        self._context.set_trailing_metadata(trailing_metadata)

    def abort(self, code: grpc.StatusCode, details: str) -> NoReturn:
        """Raise, so that the call ends with this code and message."""
        self.code = code
        self._context.abort(code, details)


def _reason(status: bytes) -> str:
    info = error_details_pb2.ErrorInfo()
    for detail in status_pb2.Status.FromString(status).details:
        if detail.Unpack(info):
            return str(info.reason)
    return ""
