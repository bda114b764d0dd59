"""The servers that vectors are for: three real processes on free loopback ports.

Their keys and their bearer token are test values, open to everybody, and protect nothing.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import grpc
from shinpan import SERVICE_CONFIG, ServiceError

from conformance.vectors import Bearer, Refused, ServerName
from service.keyring import read_key_ring
from service.process import ServerProcess
from service.seals import SealedTokens

BEARER = "the-bearer-of-the-conformance-vectors"
"""Whom the guarded server knows: a caller that may play, and neither see what the referee sees nor analyse real
states."""

_SECRETS = {key_id: bytes([key_id]) * 32 for key_id in (1, 2, 3)}
TIMEOUT_SECONDS = 30.0
_OPTIONS = (("grpc.service_config", SERVICE_CONFIG),)
"""A call that comes as its connection grows too old is made once more."""

_ACCESS = f"""[[caller]]
bearer_sha256 = "{sha256(BEARER.encode()).hexdigest()}"
audience = "conformance"
permissions = ["play"]
"""
_PLAIN: Mapping[str, Any] = {"max_request_bytes": 64 * 1024, "max_answer_bytes": 64 * 1024}
"""Sizes that a small vector can be beyond."""


def keys(*ids: int) -> str:
    """The text of a key ring, its first id primary."""
    return ",".join(f"{key_id}:{b64encode(_SECRETS[key_id]).decode()}" for key_id in ids)


def sealed(body: bytes, key_id: int, audience: str = "") -> bytes:
    """The token of an encoded state under one of the keys; the sealed server has 2, its primary one, and 1."""
    return SealedTokens(read_key_ring(keys(key_id)), audience.encode(), accept_unsealed=False).seal(body)


class Servers:
    """The three servers, running while it is entered."""

    def __init__(self, *, key_ids: Sequence[int] = (2, 1), rulesets: str = "") -> None:
        """`key_ids` are the keys of the sealed server, its primary one first; `rulesets` is a folder of more games."""
        self._keys = keys(*key_ids)
        self._common: Mapping[str, Any] = {"rulesets": rulesets}

    def __enter__(self) -> Self:
        with ExitStack() as starting:  # what has started stops when another does not
            folder = Path(starting.enter_context(TemporaryDirectory()))
            (folder / "access.toml").write_text(_ACCESS, encoding="utf-8")
            processes: Mapping[ServerName, ServerProcess] = {
                "plain": ServerProcess(**_PLAIN, **self._common),
                "sealed": ServerProcess(
                    environment={"SHINPAN_TOKEN_KEYS": self._keys}, referee="false", **self._common
                ),
                "guarded": ServerProcess(access_file=str(folder / "access.toml"), **self._common),
            }
            self.addresses = {name: starting.enter_context(process).address for name, process in processes.items()}
            """`host:port` by the names of the servers."""
            self._channels = {
                name: starting.enter_context(grpc.insecure_channel(address, _OPTIONS))
                for name, address in self.addresses.items()
            }
            self._running = starting.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._running.close()

    def call(self, server: ServerName, method: str, request: bytes, bearer: Bearer = "none") -> bytes | Refused:
        """Call a method: the bytes of its answer, or its error."""
        value = {"known": BEARER, "unknown": f"{BEARER}-of-nobody"}.get(bearer)
        metadata = [] if value is None else [("authorization", f"Bearer {value}")]
        call: Any = self._channels[server].unary_unary(f"/{method}")
        try:
            answer: bytes = call(request, timeout=TIMEOUT_SECONDS, metadata=metadata)
        except grpc.RpcError as failed:
            error = ServiceError.of_rpc(failed)
            return Refused(error.code.name, error.reason)
        return answer
