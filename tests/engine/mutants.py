"""Ways to damage the bytes of a state; length and checksum are made right again afterwards."""

import random
from collections.abc import Callable

from .layout import NONE, Fields, put_together, sealed, taken_apart

Mutate = Callable[[bytearray, int, random.Random, bytes], None]


def _byte(body: bytearray, at: int, rng: random.Random, other: bytes) -> None:
    body[at] = rng.randrange(256)


def _bit(body: bytearray, at: int, rng: random.Random, other: bytes) -> None:
    body[at] ^= 1 << rng.randrange(8)


def _little(body: bytearray, at: int, rng: random.Random, other: bytes) -> None:
    body[at] = (body[at] + rng.choice((-2, -1, 1, 2))) % 256


def _swap(body: bytearray, at: int, rng: random.Random, other: bytes) -> None:
    second = min(len(body) - 1, at + rng.choice((1, 1, 2, 3, 9, 20)))
    body[at], body[second] = body[second], body[at]


def _delete(body: bytearray, at: int, rng: random.Random, other: bytes) -> None:
    del body[at : at + rng.choice((1, 2, 3))]


def _insert(body: bytearray, at: int, rng: random.Random, other: bytes) -> None:
    body[at:at] = rng.randbytes(rng.choice((1, 2, 3)))


def _slice(body: bytearray, at: int, rng: random.Random, other: bytes) -> None:
    size = rng.choice((1, 2, 4, 12, 40))
    start = at if rng.random() < 0.7 else rng.randrange(len(other))
    part = other[start : min(start + size, len(other) - 4)]
    body[at : at + len(part)] = part


def _extreme(body: bytearray, at: int, rng: random.Random, other: bytes) -> None:
    body[at : at + 4] = rng.choice((b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f"))[: len(body) - at]


BYTES: tuple[Mutate, ...] = (_byte, _bit, _bit, _little, _little, _swap, _delete, _insert, _slice, _slice, _extreme)


def damaged(data: bytes, names_end: int, other: bytes, rng: random.Random) -> bytes:
    """A state with some of its bytes changed, mostly behind the names of game and options."""
    body = bytearray(data[:-4])
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        first = names_end if rng.random() < 0.93 else 0
        if len(body) > first:
            rng.choice(BYTES)(body, rng.randrange(first, len(body)), rng, other)
    return sealed(bytes(body))


def _numbers(fields: Fields, rng: random.Random) -> None:
    name = rng.choice(("ply", "quiet", "revision"))
    setattr(fields, name, max(0, getattr(fields, name) + rng.choice((-2, -1, 1, 2, 7))))
    if rng.random() < 0.7:
        fields.revision = max(fields.revision, fields.ply + 2) + rng.choice((0, 0, 1, 2))


def _two_plies(fields: Fields, rng: random.Random) -> None:
    step = rng.choice((-2, 2, 4))
    fields.ply, fields.revision = max(0, fields.ply + step), max(0, fields.revision + step)
    if rng.random() < 0.5:
        fields.quiet = max(0, fields.quiet + step)


def _last(fields: Fields, rng: random.Random) -> None:
    if fields.ply:
        name = rng.choice(("last_source", "last_target"))
        setattr(fields, name, max(0, getattr(fields, name) + rng.choice((-9, -1, 1, 7, 10))) % 256)


def _move(fields: Fields, rng: random.Random) -> None:
    standing = [piece for piece in fields.pieces if piece.square != NONE]
    if standing:
        piece = rng.choice(standing)
        piece.square = max(0, piece.square + rng.choice((-9, -8, -7, -1, 1, 7, 8, 9, 10))) % 255


def _kinds(fields: Fields, rng: random.Random) -> None:
    men = fields.of_seat(rng.choice((1, 2)))
    if len(men) > 1:
        one, two = rng.sample(men, 2)
        one.kind, two.kind = two.kind, one.kind
        if rng.random() < 0.5:
            one.able, two.able = two.able, one.able


def _squares(fields: Fields, rng: random.Random) -> None:
    if len(fields.pieces) > 1:
        one, two = rng.sample(fields.pieces, 2)
        one.square, two.square = two.square, one.square
        if rng.random() < 0.5:
            one.marks, one.able, two.marks, two.able = two.marks, two.able, one.marks, one.able


def _marks(fields: Fields, rng: random.Random) -> None:
    if fields.pieces:
        piece = rng.choice(fields.pieces)
        piece.marks ^= rng.choice((1, 2, 4, 8, 12))
        if piece.marks and not piece.able:
            piece.able = next((other.able for other in fields.pieces if other.able), 1 << (piece.kind - 1))


def _able(fields: Fields, rng: random.Random) -> None:
    moved = [piece for piece in fields.pieces if piece.marks]
    if len(moved) > 1:
        one, two = rng.sample(moved, 2)
        one.able = rng.choice((two.able, one.able & two.able, one.able | two.able, one.able ^ 1 << rng.randrange(16)))
        one.able &= (1 << 8 * (2 if max(piece.kind for piece in fields.pieces) > 8 else 1)) - 1


def _battle(fields: Fields, rng: random.Random) -> None:
    if fields.battles:
        index = rng.randrange(len(fields.battles))
        attacker, defender, outcome = fields.battles[index]
        fields.battles[index] = rng.choice(
            ((defender, attacker, outcome), (attacker, defender, outcome ^ 3), fields.battles[0])
        )
        if rng.random() < 0.3:
            del fields.battles[index]


def _revive(fields: Fields, rng: random.Random) -> None:
    for piece in fields.pieces:
        if piece.square == NONE and rng.random() < 0.3:
            piece.square = piece.start


def _history(fields: Fields, rng: random.Random) -> None:
    kept = rng.choice([fields.history, *fields.recent.values()])
    if kept:
        index = rng.randrange(len(kept))
        kept[index] = (kept[index] + rng.choice((-256, -1, 1, 256, 257))) % 65536
        if rng.random() < 0.3:
            del kept[:2]
            fields.quiet = max(0, fields.quiet - 2)


def _end(fields: Fields, rng: random.Random) -> None:
    fields.phase, fields.to_move, fields.agreed, fields.claims = 2, 0, 0, 0
    fields.reason, fields.winners = rng.randrange(1, 17), rng.choice((0, 2, 4))
    fields.revision += rng.choice((0, 1, 2))


def _resume(fields: Fields, rng: random.Random) -> None:
    fields.phase, fields.reason, fields.winners = 1, 0, 0
    fields.to_move = fields.first_seat if fields.ply % 2 == 0 else 3 - fields.first_seat
    fields.claims = rng.choice((0, 0, 2, 4))


def _offer(fields: Fields, rng: random.Random) -> None:
    fields.agreed = rng.choice((0, 2, 4))
    fields.claims = rng.choice((0, 0, 2, 4))


def _seats(fields: Fields, rng: random.Random) -> None:
    fields.first_seat = 3 - fields.first_seat
    if fields.to_move and rng.random() < 0.7:
        fields.to_move = 3 - fields.to_move


MEANINGS: tuple[Callable[[Fields, random.Random], None], ...] = (
    _numbers,
    _two_plies,
    _last,
    _move,
    _kinds,
    _squares,
    _marks,
    _able,
    _battle,
    _revive,
    _history,
    _history,
    _end,
    _resume,
    _offer,
    _seats,
)


def misstated(data: bytes, rng: random.Random) -> bytes:
    """A state of which some facts are changed, each written as the format wants it."""
    fields = taken_apart(data)
    for _ in range(rng.choice((1, 1, 2, 3))):
        rng.choice(MEANINGS)(fields, rng)
    return put_together(fields)
