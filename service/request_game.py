"""The game that a request is about, for spans: read beside the method that answers, which knows nothing of spans."""

from collections.abc import Iterable
from typing import Any

from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import DecodeError
from google.protobuf.message_factory import GetMessageClass

import engine_core
from service import contents
from service.errors import Refusal
from service.guard import Guard
from service.handler import Context
from service.tokens import Tokens


class RequestGame:
    """Reads requests of some services as their methods do: with the caller's tokens, and none that is too large."""

    def __init__(self, services: Iterable[ServiceDescriptor], guard: Guard, max_request_bytes: int) -> None:
        self._types = {
            f"/{service.full_name}/{method.name}": GetMessageClass(method.input_type)
            for service in services
            for method in service.methods
        }
        self._guard = guard
        self._max_request_bytes = max_request_bytes

    def __call__(self, path: str, data: bytes, context: Context) -> str:
        """The id of a loaded game, in batches that of the first item; "" for a request that names or opens none."""
        if len(data) > self._max_request_bytes or path not in self._types:
            return ""
        try:
            request = self._types[path].FromString(data)
            return _game(request, self._guard.admit(context).tokens)
        except (DecodeError, Refusal, engine_core.RefereeError):
            return ""


def _game(request: Any, tokens: Tokens) -> str:
    fields = request.DESCRIPTOR.fields_by_name
    if "items" in fields:
        return _game(request.items[0], tokens) if request.items else ""
    if "knowledge" in fields:
        return contents.knowledge_of(request.knowledge, tokens).game.id
    if "setup" in fields and request.HasField("setup"):
        return _game(request.setup, tokens)
    if "state" in fields and request.HasField("state"):
        return contents.state_of(request.state, tokens, getattr(request, "expect_hypothetical", False)).game.id
    if "game" in fields and request.game:
        return engine_core.load(request.game).id  # not the caller's word for it
    return ""
