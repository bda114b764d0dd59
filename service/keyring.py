"""The keys that seal tokens: a ring of them, of which the first is primary."""

import re
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import Final, NamedTuple

from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES: Final = 32
MAX_KEY_ID: Final = 65535
_ENTRY: Final = re.compile(r"([0-9]{1,5})\s*:\s*(\S+)")


class KeyRingError(ValueError):
    """The text is no key ring. The message says where, and never what stands there."""


@dataclass(frozen=True)
class Key:
    """One key: what encrypts, and what nonces are derived with. Neither is the key itself, and neither is printed."""

    id: int
    """From 1 to 65535; it stands in every token that is sealed with this key."""
    cipher: AESGCMSIV = field(repr=False)
    nonce_key: bytes = field(repr=False)

    @classmethod
    def of(cls, key_id: int, secret: bytes) -> "Key":
        """The key of an id and 32 secret bytes."""
        return cls(
            key_id, AESGCMSIV(_derive(secret, b"shinpan token encryption")), _derive(secret, b"shinpan token nonce")
        )


def _derive(secret: bytes, purpose: bytes) -> bytes:
    return HKDF(SHA256(), KEY_BYTES, salt=None, info=purpose).derive(secret)


class KeyRing(NamedTuple):
    """Keys by their ids. Tokens are sealed with the primary one and opened with any."""

    primary: Key
    keys: Mapping[int, Key]


def read_key_ring(text: str) -> KeyRing:
    """The ring that a text describes; KeyRingError when it describes none.

    Entries `id:key` are separated by line ends or commas; the first is primary. An id is a number from 1 to 65535, a
    key 32 bytes in base64. A line that begins with `#` is a comment.
    """
    lines = [line.strip() for line in text.splitlines()]
    entries = [entry.strip() for line in lines if not line.startswith("#") for entry in line.split(",")]
    secrets: dict[int, bytes] = {}
    for number, entry in enumerate(filter(None, entries), 1):
        key_id, secret = _read_entry(entry, f"entry {number}")
        if key_id in secrets:
            raise KeyRingError(f"entry {number}: key {key_id} is there already")
        if any(compare_digest(secret, other) for other in secrets.values()):
            raise KeyRingError(f"entry {number}: key {key_id} has the bytes of another key; draw new ones")
        secrets[key_id] = secret
    if not secrets:
        raise KeyRingError("there is no key; write at least one id:key, a number and 32 bytes in base64")
    keys = {key_id: Key.of(key_id, secret) for key_id, secret in secrets.items()}
    return KeyRing(next(iter(keys.values())), keys)


def _read_entry(entry: str, where: str) -> tuple[int, bytes]:
    found = _ENTRY.fullmatch(entry)
    if found is None:
        raise KeyRingError(f"{where}: it is not id:key, a number and 32 bytes in base64")
    key_id = int(found[1])
    if not 1 <= key_id <= MAX_KEY_ID:
        raise KeyRingError(f"{where}: the id is {key_id}; it must be from 1 to {MAX_KEY_ID}")
    try:
        secret = b64decode(found[2], validate=True)
    except ValueError:  # of letters that are not ASCII, too
        raise KeyRingError(f"{where}: key {key_id} is not base64") from None
    if len(secret) != KEY_BYTES:
        raise KeyRingError(f"{where}: key {key_id} has {len(secret)} bytes; it must have {KEY_BYTES}")
    return key_id, secret
