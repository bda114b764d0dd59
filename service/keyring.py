"""The keys that seal tokens: a ring of them, of which the first is primary."""

import re
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from hmac import compare_digest
from math import nan
from typing import Final, NamedTuple

from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES: Final = 32
MAX_KEY_ID: Final = 65535
_ENTRY: Final = re.compile(r"([0-9]{1,5})\s*:\s*(\S+)(?:\s+(\S+))?")


class KeyRingError(ValueError):
    """The text is no key ring. The message says where, and never what stands there."""


@dataclass(frozen=True)
class Key:
    """One key: what encrypts, and what nonces are derived with. Neither is the key itself, and neither is printed."""

    id: int
    """From 1 to 65535; it stands in every token that is sealed with this key."""
    cipher: AESGCMSIV = field(repr=False)
    nonce_key: bytes = field(repr=False)
    created: date | None = None
    """When it was made, as its entry says."""

    @classmethod
    def of(cls, key_id: int, secret: bytes, created: date | None = None) -> "Key":
        """The key of an id and 32 secret bytes."""
        cipher = AESGCMSIV(_derive(secret, b"shinpan token encryption"))
        return cls(key_id, cipher, _derive(secret, b"shinpan token nonce"), created)

    @property
    def created_timestamp(self) -> float:
        """Unix time at which the day began on which it was made; NaN when that is not said."""
        if self.created is None:
            return nan
        return datetime(self.created.year, self.created.month, self.created.day, tzinfo=UTC).timestamp()


def _derive(secret: bytes, purpose: bytes) -> bytes:
    return HKDF(SHA256(), KEY_BYTES, salt=None, info=purpose).derive(secret)


class KeyRing(NamedTuple):
    """Keys by their ids. Tokens are sealed with the primary one and opened with any."""

    primary: Key
    keys: Mapping[int, Key]


def read_key_ring(text: str) -> KeyRing:
    """The ring that a text describes; KeyRingError when it describes none.

    Entries `id:key` are separated by line ends or commas; the first is primary. An id is a number from 1 to 65535, a
    key 32 bytes in base64. After a space there may be the date on which the key was made, `2026-11-30`. A line that
    begins with `#` is a comment.
    """
    lines = [line.strip() for line in text.splitlines()]
    entries = [entry.strip() for line in lines if not line.startswith("#") for entry in line.split(",")]
    secrets: dict[int, bytes] = {}
    dates: dict[int, date | None] = {}
    for number, entry in enumerate(filter(None, entries), 1):
        key_id, secret, created = _read_entry(entry, f"entry {number}")
        if key_id in secrets:
            raise KeyRingError(f"entry {number}: key {key_id} is there already")
        if any(compare_digest(secret, other) for other in secrets.values()):
            raise KeyRingError(f"entry {number}: key {key_id} has the bytes of another key; draw new ones")
        secrets[key_id] = secret
        dates[key_id] = created
    if not secrets:
        raise KeyRingError("there is no key; write at least one id:key, a number and 32 bytes in base64")
    keys = {key_id: Key.of(key_id, secret, dates[key_id]) for key_id, secret in secrets.items()}
    return KeyRing(next(iter(keys.values())), keys)


def _read_entry(entry: str, where: str) -> tuple[int, bytes, date | None]:
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
    created = None
    if found[3] is not None:
        try:
            created = date.fromisoformat(found[3])
        except ValueError:
            raise KeyRingError(
                f"{where}: what follows key {key_id} is not the date it was made, as 2026-11-30"
            ) from None
    return key_id, secret, created
