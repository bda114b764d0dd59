"""The API without sockets: calls as the transport hands them over, and all that leaves the server for each."""

import io
import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, NoReturn

import grpc
from contract import SERVICES, Aborted
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from service.analysis import Analysis
from service.config import read_settings
from service.dispatch import Dispatcher
from service.guard import Guard
from service.logs import AccessLog
from service.metrics import Metrics
from service.referee import Referee
from service.request_game import RequestGame
from service.tracing import Tracing
from service.transport import Behavior, Route

BACKEND_ONLY = (
    "shinpan.v1.StartMatchResponse.state",
    "shinpan.v1.StartMatchResponse.digest",
    "shinpan.v1.ApplyActionResponse.state",
    "shinpan.v1.ApplyActionResponse.digest",
    "shinpan.v1.ReplayMatchResponse.state",
    "shinpan.v1.ReplayMatchResponse.digest",
    "shinpan.v1.DescribeStateResponse.digest",
    "shinpan.v1.ResealStateResponse.state",
    "shinpan.v1.ResealStateResponse.digest",
)
"""Fields whose bytes are for the backend alone. How many they are is compared all the same."""

TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
"""The span of whoever calls."""

TIMES = ("time", "micros")
"""What a line of the log has of the clock."""


class Told(NamedTuple):
    """All that leaves the server for one call."""

    code: str
    message: str
    trailing: tuple[tuple[str, bytes], ...]
    body: bytes
    """The answer, with zeros in place of what is for the backend only."""
    log: str
    """The line in the log, without its times."""
    span: str
    """What is told to OpenTelemetry, without its times and the ids that it draws."""


class _Context:
    """A call as the transport tells the server about it."""

    def __init__(self) -> None:
        self.code = grpc.StatusCode.OK
        self.message = ""
        self.trailing: tuple[tuple[str, bytes], ...] = ()

    def is_active(self) -> bool:
        return True

    def time_remaining(self) -> float | None:
        return None

    def invocation_metadata(self) -> Iterable[tuple[str, str]]:
        return (("x-request-id", "one-of-a-pair"), ("traceparent", TRACEPARENT))

    def set_trailing_metadata(self, metadata: Iterable[tuple[str, bytes]], /) -> None:
        self.trailing = tuple(metadata)

    def abort(self, code: grpc.StatusCode, details: str) -> NoReturn:
        self.code, self.message = code, details
        raise Aborted(code)


class InProcess:
    """One server without its transport."""

    def __init__(self) -> None:
        settings = read_settings([], {})
        self.metrics = Metrics()
        self._log = io.StringIO()
        dispatcher = Dispatcher(settings, self.metrics, AccessLog(self._log))
        handlers = (Referee(settings, self.metrics).handlers(), Analysis(settings, self.metrics).handlers())
        self._spans = InMemorySpanExporter()
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(self._spans))
        tracing = Tracing(provider, RequestGame(SERVICES, Guard(), settings.max_request_bytes))
        self._methods: dict[str, Behavior] = {}
        self._answers: dict[str, type[Message]] = {}
        for descriptor, served_by in zip(SERVICES, handlers, strict=True):
            dispatcher.add(descriptor, served_by)
            for method in descriptor.methods:
                path = f"/{descriptor.full_name}/{method.name}"
                method_of = dispatcher.methods[path]
                self._methods[path] = tracing.route(path, Route(method_of, method_of.overloaded)).answer
                self._answers[path] = GetMessageClass(method.output_type)

    def call(self, path: str, request: Message) -> tuple[Told, Any]:
        """Call a method by its path; what leaves the server, and the answer as a message, None for an error."""
        context = _Context()
        self._log.seek(0)
        self._log.truncate()
        body, answer = b"", None
        try:
            body = self._methods[path](request.SerializeToString(), context)
        except Aborted:
            pass
        else:
            answer = self._answers[path].FromString(body)
            body = _without_secrets(body, answer)
        line = json.loads(self._log.getvalue())
        log = json.dumps({key: value for key, value in line.items() if key not in TIMES})
        (span,) = self._spans.get_finished_spans()
        self._spans.clear()
        return Told(context.code.name, context.message, context.trailing, body, log, _told(span)), answer

    def counted(self) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
        """Every counter of the metrics by its name and labels, but for what the clock or the process decide."""
        return {
            (sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in self.metrics.registry.collect()
            if not family.name.startswith("process_") and family.name != "grpc_server_handling_seconds"
            for sample in family.samples
            if not sample.name.endswith("_created")
        }


def _told(span: ReadableSpan) -> str:
    parts = json.loads(span.to_json(indent=None))
    for drawn in ("start_time", "end_time", "context", "resource"):
        del parts[drawn]
    return json.dumps(parts)


def _without_secrets(body: bytes, answer: Message) -> bytes:
    for secret in _secrets(answer):
        body = body.replace(secret, bytes(len(secret)))
    return body


def _secrets(message: Message) -> Iterator[bytes]:
    """The values of all fields that are for the backend only."""
    for field, value in message.ListFields():
        if field.full_name in BACKEND_ONLY:
            yield value if isinstance(value, bytes) else value.token
        elif field.full_name.endswith("Response.items"):
            for item in value:
                if item.HasField("result"):
                    yield from _secrets(item.result)
