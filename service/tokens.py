"""Tokens: a header of 8 bytes that says how the body is sealed, then the body.

0..3  magic "SHPN"
4     version of this layout, 1
5     algorithm: 0, the body is the engine's own encoding, unsealed; 1, it is sealed as `service.seals` tells
6..7  key id, little-endian: 0 where the algorithm needs no key
"""

from typing import Final, Protocol

HEADER: Final = b"SHPN\x01\x00\x00\x00"
"""The header of an unsealed token."""
_MAGIC: Final = HEADER[:4]
_VERSION: Final = HEADER[4]
UNSEALED: Final = HEADER[5]
SEALED: Final = 1
"""The algorithm AES-256-GCM-SIV."""


class TokenError(ValueError):
    """A token that this server does not open. `reason` is that of the API, `details` what varies in the message."""

    def __init__(self, reason: str, message: str, **details: int | str) -> None:
        super().__init__(message)
        self.reason = reason
        self.details = {name: str(value) for name, value in details.items()}


class TokenFormatError(TokenError):
    """The bytes are not a token.

    `part` says which part of the header is wrong, `value` what stands there, or "" when that is no number.
    """

    def __init__(self, part: str, value: int | str, message: str) -> None:
        super().__init__("STATE_FORMAT", message, part=part, value=value)


class Tokens(Protocol):
    """How the tokens of one caller are made and opened. Both are pure: equal bodies have equal tokens."""

    def seal(self, body: bytes, /) -> bytes:
        """The token of an encoded state, or of other bytes of the engine."""

    def unseal(self, token: bytes, /) -> bytes:
        """The body of a token; TokenError when it is none, or not for this caller."""


def seal(body: bytes) -> bytes:
    """The unsealed token of an encoded state."""
    return HEADER + body


def unseal(token: bytes) -> bytes:
    """The encoded state in an unsealed token; TokenError when it is none."""
    if token.startswith(HEADER):
        return token[len(HEADER) :]
    _, key_id = read_header(token)
    raise TokenError(
        "TOKEN_SEALED", f"The token is sealed with key {key_id}; this server holds no keys.", key_id=key_id
    )


def read_header(token: bytes) -> tuple[int, int]:
    """The algorithm and the key id of a token; TokenFormatError when its header is not one of ours."""
    if len(token) < len(HEADER) or not token.startswith(_MAGIC):
        raise TokenFormatError("magic", "", "The state does not begin with the header of a state.")
    if token[4] != _VERSION:
        raise TokenFormatError(
            "version", token[4], f"The state has token version {token[4]}; this server reads {_VERSION}."
        )
    algorithm = token[5]
    key_id = int.from_bytes(token[6:8], "little")
    if algorithm not in (UNSEALED, SEALED):
        raise TokenFormatError(
            "algorithm", algorithm, f"The state is sealed with algorithm {algorithm}, which this server lacks."
        )
    if algorithm == UNSEALED and key_id:
        raise TokenFormatError("key_id", "", "The state names a key, but is not sealed.")
    if algorithm == SEALED and not key_id:
        raise TokenFormatError("key_id", "", "The state is sealed, but names no key.")
    return algorithm, key_id


class Unsealed:
    """The tokens of a server without keys."""

    seal = staticmethod(seal)
    unseal = staticmethod(unseal)


PLAIN: Final[Tokens] = Unsealed()
