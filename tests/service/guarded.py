"""A server with keys and callers: its files, tokens made beside it, and channels that carry a bearer token."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import grpc
from contract import Contract
from shinpan.v1 import state_pb2

import engine_core
from service.keyring import read_key_ring
from service.seals import SealedTokens

SECRETS: Mapping[int, bytes] = {
    1: bytes(range(32)),
    2: bytes(range(32, 64)),
    513: bytes(range(64, 96)),
}
"""Keys by their ids; never used anywhere else."""
BEARERS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "the-bearer-of-a-backend": ("arena", ("play",)),
    "the-bearer-of-an-arbiter": ("arena", ("play", "referee-view")),
    "the-bearer-of-an-analyst": ("arena", ("analyse-real-states",)),
    "the-bearer-of-another-backend": ("ladder", ("play", "referee-view", "analyse-real-states")),
}
"""Bearer tokens with the audiences and permissions of their callers."""
BACKEND, ARBITER, ANALYST, OTHER_BACKEND = BEARERS


def keys(*ids: int) -> str:
    """The text of a key ring, its first id primary."""
    return "\n".join(f"{key_id}:{b64encode(SECRETS[key_id]).decode()}" for key_id in ids)


def tokens(*ids: int, audience: str = "") -> SealedTokens:
    """Tokens under these keys, as a server makes them."""
    return SealedTokens(read_key_ring(keys(*ids)), audience.encode(), accept_unsealed=False)


def sealed(state: engine_core.State, *ids: int, audience: str = "") -> state_pb2.State:
    """A state as such a server answers it."""
    return state_pb2.State(token=tokens(*ids, audience=audience).seal(state.to_bytes()))


def access(bearers: Mapping[str, tuple[str, tuple[str, ...]]] = BEARERS) -> str:
    """The text of an access file."""
    return "\n".join(
        f'[[caller]]\nbearer_sha256 = "{sha256(bearer.encode()).hexdigest()}"\n'
        f'audience = "{audience}"\npermissions = {list(permissions)}\n'
        for bearer, (audience, permissions) in bearers.items()
    )


def written(folder: Path, name: str, text: str) -> str:
    """The path of a file with this text, which takes the place of an older one at once."""
    path = folder / name
    other = folder / f"{name}.new"
    other.write_text(text, encoding="utf-8")
    other.replace(path)
    return str(path)


class _Bearing(grpc.UnaryUnaryClientInterceptor):
    """Puts a value of `authorization` into the metadata of every call."""

    def __init__(self, value: str) -> None:
        self._value = value

    def intercept_unary_unary(self, continuation: Callable[..., Any], details: Any, request: Any) -> Any:
        metadata = [*(details.metadata or ()), ("authorization", self._value)]
        return continuation(details._replace(metadata=metadata), request)


def bearing(channel: grpc.Channel, bearer: str) -> Contract:
    """The API as the caller with this bearer token calls it."""
    return Contract(grpc.intercept_channel(channel, _Bearing(f"Bearer {bearer}")))
