"""The methods of the services by their paths."""

from collections.abc import Mapping

from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message_factory import GetMessageClass

from service.config import Settings
from service.guard import Guard
from service.handler import Handler
from service.logs import AccessLog, RequestIds
from service.method import Method
from service.metrics import Metrics


class Dispatcher:
    """The methods of the services, for a transport to call by their paths."""

    def __init__(
        self, settings: Settings, metrics: Metrics, access_log: AccessLog | None, guard: Guard | None = None
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
