"""States in vectors, in the form and under the key that a server uses now.

The bytes of a state are opaque and may change; the state may not. ResealState says how a server writes it today.
"""

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from typing import Any

from shinpan.v1 import referee_service_pb2 as messages
from shinpan.v1 import state_pb2

from conformance.methods import Method
from conformance.servers import Servers
from conformance.vectors import ServerName, Vector

_STATE = "shinpan.v1.State"
_RESEAL = "shinpan.v1.RefereeService/ResealState"
_DIGEST_BYTES = 16


def resealed(servers: Servers, vector: Vector, method: Method) -> Vector:
    """The vector with the states of its answer, and their digests, as its server would write them."""
    assert isinstance(vector.outcome, bytes)
    answer = method.response.FromString(vector.outcome)
    for owner, state in _states(answer):
        state.token = _written(servers, vector.server, state.token)
        if "digest" in owner.DESCRIPTOR.fields_by_name:
            owner.digest = sha256(state.token).digest()[:_DIGEST_BYTES]
    return replace(vector, outcome=answer.SerializeToString(deterministic=True))


def _states(message: Any) -> Iterator[tuple[Any, Any]]:
    """Every state in a message, with the message that holds it."""
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        for one in value if field.is_repeated else (value,):
            if field.message_type.full_name == _STATE:
                yield message, one
            else:
                yield from _states(one)


def _written(servers: Servers, server: ServerName, token: bytes) -> bytes:
    """The token of a state as a server writes it, or as it is when the server refuses it."""
    for hypothetical in (False, True):
        request = messages.ResealStateRequest(state=state_pb2.State(token=token), expect_hypothetical=hypothetical)
        outcome = servers.call(server, _RESEAL, request.SerializeToString())
        if isinstance(outcome, bytes):
            return messages.ResealStateResponse.FromString(outcome).state.token
    return token
