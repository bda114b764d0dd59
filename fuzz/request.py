"""Target: request messages. The first byte of an input names the method, the rest is the request."""

import random
from collections.abc import Iterable
from typing import Any, Final, NoReturn

import grpc
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2, status_pb2
from shinpan.v1 import analysis_service_pb2, error_reason_pb2, referee_service_pb2

from fuzz import messages
from fuzz.target import Change, Target, expect
from service.analysis import Analysis
from service.config import read_settings
from service.dispatch import Dispatcher
from service.method import Method
from service.metrics import Metrics
from service.referee import Referee

MAX_BYTES: Final = 1 << 14
_BUDGETS: Final = {
    "max_playout_games": "50",
    "max_playout_plies": "2000",
    "max_samples": "4",
    "max_perft_depth": "2",
    "max_perft_nodes": "5000",
    "max_batch_items": "8",
    "max_replay_actions": "200",
}
"""Small ones: what a limit holds back at any size is not worth the time."""
_SERVICES: Final = (
    referee_service_pb2.DESCRIPTOR.services_by_name["RefereeService"],
    analysis_service_pb2.DESCRIPTOR.services_by_name["AnalysisService"],
)
_NEVER: Final = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN)


class _Aborted(Exception):
    """The call has ended with an error."""


class _Context:
    """A call as the transport tells the server about it."""

    def __init__(self) -> None:
        self.code = grpc.StatusCode.OK
        self.message = ""
        self.status = b""

    def is_active(self) -> bool:
        return True

    def time_remaining(self) -> float | None:
        return None

    def invocation_metadata(self) -> Iterable[Any]:
        return ()

    def set_trailing_metadata(self, trailing_metadata: Any, /) -> None:
        self.status = dict(trailing_metadata)["grpc-status-details-bin"]

    def abort(self, code: grpc.StatusCode, details: str) -> NoReturn:
        self.code, self.message = code, details
        raise _Aborted


class _Server:
    """The API without a transport."""

    def __init__(self) -> None:
        settings = read_settings([], {f"SHINPAN_{name.upper()}": value for name, value in _BUDGETS.items()})
        metrics = Metrics()
        dispatcher = Dispatcher(settings, metrics, None)
        self.paths: list[str] = []
        self.requests: list[type[Message]] = []
        self._answers: list[type[Message]] = []
        self._methods: list[Method] = []
        handlers = (Referee(settings, metrics).handlers(), Analysis(settings, metrics).handlers())
        for service, served_by in zip(_SERVICES, handlers, strict=True):
            dispatcher.add(service, served_by)
            for method in service.methods:
                path = f"/{service.full_name}/{method.name}"
                self.paths.append(path)
                self.requests.append(GetMessageClass(method.input_type))
                self._answers.append(GetMessageClass(method.output_type))
                self._methods.append(dispatcher.methods[path])

    def ask(self, number: int, data: bytes) -> str:
        """Call a method; the reason of its error, or ""."""
        context = _Context()
        try:
            answer = self._methods[number](data, context)
        except _Aborted:
            return self._reason(self.paths[number], context)
        self._answers[number].FromString(answer)
        return ""

    @staticmethod
    def _reason(path: str, context: _Context) -> str:
        status = status_pb2.Status.FromString(context.status)
        infos = [detail for detail in status.details if detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR)]
        expect(context.code not in _NEVER, f"{path} is never {context.code.name}")
        expect(len(infos) == 1, "an error has one ErrorInfo")
        expect(bool(context.message), "an error has a message")
        info = error_details_pb2.ErrorInfo.FromString(infos[0].value)
        names = error_reason_pb2.ErrorReason.keys()
        expect(any(name.endswith(info.reason) for name in names), f"{info.reason} is a published reason")
        return str(info.reason)


SERVER: Final = _Server()


def method_of(data: bytes) -> int:
    """The method that an input names."""
    return data[0] % len(SERVER.paths) if data else 0


def check(data: bytes) -> Iterable[str]:
    """A request is answered, or refused with a published reason."""
    number = method_of(data)
    reason = SERVER.ask(number, data[1:])
    return [f"{SERVER.paths[number]} {reason or 'answered'}"]


def mutate(data: bytes, rng: random.Random, change: Change) -> bytes:
    """A request with changed bytes, or with a changed field."""
    if len(data) < 2 or rng.random() < 0.2:
        return change(data, MAX_BYTES)
    request = SERVER.requests[method_of(data)]()
    try:
        request.ParseFromString(data[1:])
    except DecodeError:
        return change(data, MAX_BYTES)
    for _ in range(rng.choice((1, 1, 2, 4))):
        messages.mutate(request, rng, change)
    return data[:1] + request.SerializeToString(deterministic=True)


TARGET = Target("request", check, mutate, ("service",), max_bytes=MAX_BYTES)
