"""States and knowledge in bytes, changed so that length and checksum are right again."""

import random
import zlib

from fuzz.target import Change

MAX_BYTES = 1 << 12
_DIGEST = 16
_CHECKSUM = 4


def framed(content: bytes) -> bytes:
    """The bytes of a state or of knowledge with the length and the checksum that belong to them."""
    head = content[:1] + (len(content) + _CHECKSUM).to_bytes(2, "little") + content[3:]
    return head + zlib.crc32(head).to_bytes(_CHECKSUM, "little")


def names_end(data: bytes) -> int:
    """Where the names of game and options and the digest end; 0 when they are cut short."""
    place = 4
    for _ in range(data[3] if len(data) > 3 else 0):
        place += 1 + data[place] if place < len(data) else 0
    place += _DIGEST
    return place if place < len(data) - _CHECKSUM else 0


def mutate(data: bytes, rng: random.Random, change: Change) -> bytes:
    """Other bytes in the same frame: mostly behind the names, mostly as many."""
    kept = names_end(data) if rng.random() < 0.95 else 0
    head, body = data[:kept] or data[:3], data[kept or 3 : -_CHECKSUM]
    changed = body
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        changed = change(changed, MAX_BYTES - len(head) - _CHECKSUM)
    if rng.random() < 0.6:
        changed = (changed + body[len(changed) :])[: len(body)]
    return framed(head + changed)
