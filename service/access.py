"""Callers: who may do what, told by the bearer token in the metadata of a call."""

import tomllib
from collections.abc import Iterable
from hashlib import sha256
from hmac import compare_digest
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from service.errors import Refusal

Permission = Literal["play", "referee-view", "analyse-real-states"]
"""What a caller can be allowed: to use states; to see what the referee sees; playouts and perft of real states."""

_KEY: Final = "authorization"
_SCHEME: Final = "bearer "


class Caller(NamedTuple):
    """Who calls."""

    audience: bytes
    """For whom states are sealed: only callers of the same audience can use them."""
    permissions: frozenset[str]

    def require(self, permission: Permission) -> None:
        """Refuse a caller without this permission."""
        if permission not in self.permissions:
            raise Refusal(
                "PERMISSION_MISSING",
                f"The caller does not have the permission {permission}.",
                permission=permission,
            )


ANYONE: Final = Caller(b"", frozenset(get_args(Permission)))
"""The caller of a server without an access file."""


class AccessFileError(ValueError):
    """The text is no list of callers. The message says where."""


class AccessList:
    """The callers of an access file."""

    def __init__(self, callers: Iterable[tuple[bytes, Caller]]) -> None:
        """Callers with the SHA-256 of their bearer tokens."""
        self._callers = tuple(callers)

    def caller(self, metadata: Iterable[Any]) -> Caller:
        """The caller with this bearer token. How long it takes tells nothing about those of others."""
        value = next((value for key, value in metadata if key == _KEY), "")
        if isinstance(value, bytes) or value[: len(_SCHEME)].lower() != _SCHEME:
            raise Refusal("BEARER_MISSING", "The call has no bearer token; send one as authorization: Bearer <token>.")
        given = sha256(value[len(_SCHEME) :].strip().encode()).digest()
        found = None
        for known, caller in self._callers:  # all of them, whichever it is
            if compare_digest(known, given):
                found = caller
        if found is None:
            raise Refusal("BEARER_UNKNOWN", "The bearer token is unknown.")
        return found


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)

    bearer_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    audience: Annotated[str, Field(max_length=64)]
    permissions: list[Permission]


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)

    caller: Annotated[list[_Entry], Field(min_length=1)]


def read_access(text: str) -> AccessList:
    """The callers that a TOML text lists as `[[caller]]`; AccessFileError when it is no such list."""
    try:
        entries = _File.model_validate(tomllib.loads(text)).caller
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
        raise AccessFileError("; ".join(f"{_path(one['loc'])}: {one['msg']}" for one in problems)) from None
    except RecursionError:
        raise AccessFileError("it is not TOML that can be read: too deeply nested") from None
    except ValueError as error:  # TOMLDecodeError, or a number that is too long
        raise AccessFileError(f"it is not TOML: {error}") from None
    hashes = [bytes.fromhex(entry.bearer_sha256) for entry in entries]
    for number, one in enumerate(hashes):
        if one in hashes[:number]:
            raise AccessFileError(f"caller {number + 1}: its bearer token is that of caller {hashes.index(one) + 1}")
    return AccessList(
        (one, Caller(entry.audience.encode(), frozenset(entry.permissions)))
        for one, entry in zip(hashes, entries, strict=True)
    )


def _path(location: tuple[int | str, ...]) -> str:
    """Where in the file: `caller 2 audience` for the second table's key."""
    return " ".join(str(part + 1) if isinstance(part, int) else part for part in location)
