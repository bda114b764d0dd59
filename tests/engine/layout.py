"""The bytes of a state taken apart and put together again, by the published layout and not by the engine's code."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

import engine_core

NONE = 255
"""No square."""

MOVED, ENTERED, ARRIVED, UNOPPOSED = 1, 2, 4, 8
CUSTODIAL = ("hidden-hasami", "hasami-shogi", "dai-hasami-shogi", "mak-yek", "hasami-five")
"""Games that capture without battles; they count occurrences unless an option has switched it off."""
OUTCOMES = {1: "A", 2: "D", 3: "B", 5: "A!", 6: "D!", 7: "B!"}


@dataclass
class Piece:
    """One piece; `square` is NONE when it is off the board, `marks` and `able` count only when it has moved."""

    seat: int
    start: int
    kind: int
    square: int
    marks: int = 0
    able: int = 0


@dataclass
class Fields:
    """Everything that the bytes of a state hold."""

    names: list[bytes]
    digest: bytes
    match_id: bytes = b""
    version: int = 2
    flags: int = 0
    phase: int = 0
    first_seat: int = 1
    to_move: int = 0
    last_source: int = NONE
    last_target: int = NONE
    arranged: int = 0
    out: int = 0
    agreed: int = 0
    claims: int = 0
    reason: int = 0
    winners: int = 0
    ply: int = 0
    quiet: int = 0
    revision: int = 0
    owners: int = 0
    pieces: list[Piece] = field(default_factory=list)
    battles: list[tuple[int, int, int]] = field(default_factory=list)
    recent: dict[int, list[int]] = field(default_factory=dict)
    chase: dict[int, int] = field(default_factory=dict)
    history: list[int] = field(default_factory=list)

    def of_seat(self, seat: int) -> list[Piece]:
        """The pieces of a seat."""
        return [piece for piece in self.pieces if piece.seat == seat]


class Shape:
    """What the length of the parts depends on: the game and its options."""

    def __init__(self, names: list[bytes]) -> None:
        self.id, *given = [name.decode() for name in names]
        self.options = dict(text.split("=") for text in given)
        self.game = engine_core.load(self.id, **self.options)
        self.squares = len(self.game.squares)
        self.mask = (len(self.game.kinds) + 7) // 8
        self.custodial = self.id in CUSTODIAL
        self.two_squares = self.game.options.get("two_squares", "off") != "off"
        self.more_squares = self.game.options.get("more_squares", "off") == "on"
        repetition = self.custodial and self.options.get("repetition") != "off"
        self.keeps_history = repetition or self.more_squares


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.rest = data

    def take(self, size: int) -> bytes:
        part, self.rest = self.rest[:size], self.rest[size:]
        return part

    def number(self, size: int = 1) -> int:
        return int.from_bytes(self.take(size), "little")

    def bits(self, count: int) -> list[int]:
        bitmap = self.number((count + 7) // 8)
        return [bit for bit in range(count) if bitmap >> bit & 1]


BODY = [
    "flags",
    "phase",
    "first_seat",
    "to_move",
    "last_source",
    "last_target",
    "arranged",
    "out",
    "agreed",
    "claims",
    "reason",
    "winners",
]


def taken_apart(data: bytes) -> Fields:
    """The fields of a state that the engine has accepted."""
    reader = _Reader(data[:-4])
    version = reader.number()
    reader.take(2)
    names = [reader.take(reader.number()) for _ in range(reader.number())]
    shape = Shape(names)
    fields = Fields(names, reader.take(16), reader.take(reader.number()), version)
    for name in BODY:
        setattr(fields, name, reader.number())
    fields.ply, fields.quiet, fields.revision = reader.number(4), reader.number(4), reader.number(4)
    fields.owners = reader.number()
    for seat in (1, 2):
        if fields.owners >> seat & 1:
            starts = reader.bits(shape.squares)
            kinds, squares = reader.take(len(starts)), reader.take(len(starts))
            fields.pieces += [Piece(seat, *numbers) for numbers in zip(starts, kinds, squares, strict=True)]
    for index in reader.bits(len(fields.pieces)):
        fields.pieces[index].marks, fields.pieces[index].able = reader.number(), reader.number(shape.mask)
    if not shape.custodial:
        for _ in range(reader.number()):
            attacker, defender, outcome = reader.take(3)
            fields.battles.append((attacker, defender, outcome))
    for seat in (1, 2):
        if shape.two_squares:
            fields.recent[seat] = [reader.number(2) for _ in range(reader.number())]
        if shape.more_squares:
            fields.chase[seat] = int.from_bytes(reader.take(2), "little", signed=True)
    if shape.keeps_history:
        fields.history = [reader.number(2) for _ in range(reader.number(2))]
    assert not reader.rest
    return fields


def put_together(fields: Fields) -> bytes:
    """The bytes of these fields, whether they make sense or not."""
    return sealed(b"".join(_parts(fields, Shape(fields.names))))


def _parts(fields: Fields, shape: Shape) -> Iterator[bytes]:
    yield bytes((fields.version, 0, 0, len(fields.names)))
    for name in (*fields.names, None, fields.match_id):
        yield fields.digest if name is None else bytes((len(name),)) + name
    yield bytes(getattr(fields, name) for name in BODY)
    for number in (fields.ply, fields.quiet, fields.revision):
        yield number.to_bytes(4, "little")
    yield bytes((fields.owners,))
    for seat in (1, 2):
        men = fields.of_seat(seat)
        if fields.owners >> seat & 1:
            yield sum(1 << piece.start for piece in men).to_bytes((shape.squares + 7) // 8, "little")
            yield bytes(piece.kind for piece in men) + bytes(piece.square for piece in men)
    moved = [piece for piece in fields.pieces if piece.marks]
    bitmap = sum(1 << index for index, piece in enumerate(fields.pieces) if piece.marks)
    yield bitmap.to_bytes((len(fields.pieces) + 7) // 8, "little")
    for piece in moved:
        yield bytes((piece.marks,)) + piece.able.to_bytes(shape.mask, "little")
    if not shape.custodial:
        yield bytes((len(fields.battles),)) + b"".join(map(bytes, fields.battles))
    for seat in (1, 2):
        if shape.two_squares:
            yield bytes((len(fields.recent[seat]),)) + _moves(fields.recent[seat])
        if shape.more_squares:
            yield fields.chase[seat].to_bytes(2, "little", signed=True)
    if shape.keeps_history:
        yield len(fields.history).to_bytes(2, "little") + _moves(fields.history)


def _moves(moves: list[int]) -> bytes:
    return b"".join(move.to_bytes(2, "little") for move in moves)


def sealed(body: bytes) -> bytes:
    """A state without its last four bytes gets its true length and checksum."""
    total = len(body) + 4
    body = body[:1] + (total & 0xFFFF).to_bytes(2, "little") + body[3:]
    return body + zlib.crc32(body).to_bytes(4, "little")
