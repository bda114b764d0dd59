"""Sealed tokens: the header, a nonce of 12 bytes, then the body encrypted by AES-256-GCM-SIV with its tag of 16 bytes.

Header and audience are authenticated, too. The nonce is derived from the key and from all that is sealed, so that equal
states have equal tokens on every server. docs/security.md has the format byte by byte.
"""

from hashlib import blake2b
from typing import Final

from cryptography.exceptions import InvalidTag

from service.keyring import KeyRing
from service.tokens import HEADER, SEALED, UNSEALED, TokenError, read_header

_PREFIX: Final = HEADER[:5] + bytes((SEALED,))
NONCE_BYTES: Final = 12
TAG_BYTES: Final = 16
_BODY: Final = len(HEADER) + NONCE_BYTES


class SealedTokens:
    """The tokens of one audience under one key ring.

    `accept_unsealed` opens unsealed tokens, too, while they are being replaced.
    """

    def __init__(self, ring: KeyRing, audience: bytes, accept_unsealed: bool) -> None:
        self._ring = ring
        self._audience = audience
        self._accept_unsealed = accept_unsealed

    def seal(self, body: bytes, /) -> bytes:
        """The token of a body under the primary key."""
        key = self._ring.primary
        header = _PREFIX + key.id.to_bytes(2, "little")
        bound = header + self._audience
        nonce = blake2b(
            len(bound).to_bytes(2, "little") + bound + body, key=key.nonce_key, digest_size=NONCE_BYTES
        ).digest()
        return header + nonce + key.cipher.encrypt(nonce, body, bound)

    def unseal(self, token: bytes, /) -> bytes:
        """The body of a token; TokenError when it is none.

        Whatever does not authenticate gets one and the same error: changed, cut, forged, sealed for another audience.
        """
        algorithm, key_id = read_header(token)
        if algorithm == UNSEALED:
            if self._accept_unsealed:
                return token[len(HEADER) :]
            raise TokenError("TOKEN_NOT_SEALED", "The token is not sealed; this server takes sealed tokens only.")
        key = self._ring.keys.get(key_id)
        if key is None:
            raise TokenError(
                "TOKEN_KEY_UNKNOWN", f"The token is sealed with key {key_id}, which this server does not hold.",
                key_id=key_id,
            )  # fmt: skip
        try:
            return key.cipher.decrypt(token[len(HEADER) : _BODY], token[_BODY:], token[: len(HEADER)] + self._audience)
        except (InvalidTag, ValueError):  # ValueError: too short for a nonce
            raise TokenError("TOKEN_REFUSED", "The token is damaged, or was not sealed for this caller.") from None
