"""State tokens: a header of 8 bytes that says how the body is sealed, then the body.

0..3  magic "SHPN"
4     version of this layout, 1
5     algorithm: 0, the body is the engine's own encoding, unsealed
6..7  key id, little-endian: 0 where the algorithm needs no key
"""

from typing import Final

HEADER: Final = b"SHPN\x01\x00\x00\x00"
_MAGIC: Final = HEADER[:4]
_VERSION: Final = HEADER[4]


class TokenFormatError(ValueError):
    """The bytes are not a token that this server can open.

    `part` says which part of the header is wrong, `value` what stands there, or "" when that is no number.
    """

    def __init__(self, part: str, value: int | str, message: str) -> None:
        super().__init__(message)
        self.part = part
        self.value = str(value)


def seal(body: bytes) -> bytes:
    """The token of an encoded state."""
    return HEADER + body


def unseal(token: bytes) -> bytes:
    """The encoded state in a token; TokenFormatError when its header is not one of ours."""
    if token.startswith(HEADER):
        return token[len(HEADER) :]
    if len(token) < len(HEADER) or not token.startswith(_MAGIC):
        raise TokenFormatError("magic", "", "The state does not begin with the header of a state.")
    if token[4] != _VERSION:
        raise TokenFormatError(
            "version", token[4], f"The state has token version {token[4]}; this server reads {_VERSION}."
        )
    if token[5] != 0:
        raise TokenFormatError(
            "algorithm", token[5], f"The state is sealed with algorithm {token[5]}, which this server lacks."
        )
    raise TokenFormatError("key_id", "", "The state names a key, but is not sealed.")
