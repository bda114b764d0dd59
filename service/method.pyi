from typing import final

from google.protobuf.message import Message

from service.config import Settings
from service.guard import Guard
from service.handler import Context, Handler
from service.logs import AccessLog, RequestIds
from service.metrics import Metrics

@final
class Method:
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
        guard: Guard | None = None,
    ) -> None: ...
    @property
    def path(self) -> str: ...
    def __call__(self, data: bytes, context: Context) -> bytes: ...
    def overloaded(self, _: bytes, context: Context) -> bytes: ...
