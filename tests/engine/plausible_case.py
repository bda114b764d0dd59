"""A state taken apart, with the rules it is under, for the checks of `plausible`."""

from functools import cache

import oracle

from .layout import NONE, Fields, Piece, Shape
from .plausible_moves import Ground
from .scripted import rules_of

PLAY, ENDED = 1, 2
BY_DECISION = ("resigned", "time", "abandonment", "ruling", "adjudicated", "agreed-draw")
REASONS = (
    "",
    "objective-captured",
    "capture-threshold",
    "no-legal-move",
    "flag-captured",
    "flag-reached",
    "headquarters-entered",
    "repetition",
    "line-of-five",
    "resigned",
    "agreed-draw",
    "ply-limit",
    "eliminated",
    "time",
    "abandonment",
    "ruling",
    "adjudicated",
)


class Case:
    """A state with the rules it is under, and what follows from its numbers."""

    def __init__(self, fields: Fields) -> None:
        self.fields = fields
        self.shape = Shape(fields.names)
        self.rules: oracle.Rules = rules_of(self.shape.id, tuple(self.shape.game.options.items()))
        self.ground = ground_of(self.rules)
        self.kinds = ("", *self.shape.game.kinds)
        self.loaded, self.begun = bool(fields.flags & 1), bool(fields.flags & 2)
        self.reason = REASONS[fields.reason]
        self.ply, self.quiet = fields.ply, fields.quiet
        self.owner = [0] * self.shape.squares
        self.at: dict[int, Piece] = {}
        for piece in fields.pieces:
            if piece.square != NONE:
                self.owner[piece.square] = piece.seat
                self.at[piece.square] = piece

    def mover(self, ply: int) -> int:
        """Who makes a ply, counted from 1."""
        return self.fields.first_seat if ply % 2 else 3 - self.fields.first_seat

    def moves_made(self, seat: int) -> int:
        return (self.ply + (seat == self.fields.first_seat)) // 2

    def kind(self, piece: Piece) -> str:
        return self.kinds[piece.kind]

    @property
    def last_attacker(self) -> Piece | None:
        """The piece that made the last move, when it was a battle."""
        if self.quiet or not self.fields.battles:
            return None
        return self.fields.pieces[self.fields.battles[-1][0]]


@cache
def ground_of(rules: oracle.Rules) -> Ground:
    return Ground(rules)
