"""The service without a transport: the bytes of a request in, those of its answer out."""

from collections.abc import Callable, Iterable
from typing import NoReturn

import grpc
from shinpan.v1 import referee_service_pb2

from service.config import read_settings
from service.dispatch import Dispatcher
from service.metrics import Metrics
from service.referee import Referee


class CallFailed(RuntimeError):
    """A call of a benchmark was answered with an error."""


class _Context:
    """A call without deadline and metadata."""

    def is_active(self) -> bool:
        return True

    def time_remaining(self) -> float | None:
        return None

    def invocation_metadata(self) -> Iterable[tuple[str, str]]:
        return ()

    def set_trailing_metadata(self, trailing_metadata: object, /) -> None: ...

    def abort(self, code: grpc.StatusCode, details: str) -> NoReturn:
        raise CallFailed(f"{code.name}: {details}")


def method(path: str) -> Callable[[bytes], bytes]:
    """A method of RefereeService by its path, as the transport calls it; CallFailed when its answer is an error."""
    settings = read_settings(["--access-log=false"], {})
    metrics = Metrics()
    dispatcher = Dispatcher(settings, metrics, None)
    service = referee_service_pb2.DESCRIPTOR.services_by_name["RefereeService"]
    dispatcher.add(service, Referee(settings, metrics).handlers())
    call = dispatcher.methods.get(path)
    if call is None:
        raise ValueError(f"RefereeService has no method {path}")
    return lambda request: call(request, _Context())
