"""What a move does to the pieces that it meets."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from .position import Position

Matrix = Mapping[tuple[str, str], str]
"""Combat letter for (attacking kind, attacked kind)."""


class Turn(NamedTuple):
    """One completed move as the referee sees it."""

    seat: int
    origin: int
    target: int
    kind: str
    outcome: str
    captured: tuple[int, ...] = ()
    fallen: tuple[str, ...] = ()
    """The kinds of the captured pieces, in the same order."""
    defender: str | None = None
    enemy: int = 0
    """The seat that was attacked."""
    marks: tuple[str, ...] = ()
    """Words for what is worth noting of how this came about."""

    @property
    def survived(self) -> bool:
        return self.outcome in ("move", "capture", "A", "A!")

    @property
    def quiet(self) -> bool:
        return self.outcome == "move"

    @property
    def losses(self) -> list[tuple[int, str]]:
        """Seat and kind of all pieces that fell in a battle."""
        attacker, defender = (self.seat, self.kind), (self.enemy, self.defender or "")
        fallen = {"A": [defender], "D": [attacker], "B": [attacker, defender]}
        return fallen[self.outcome[0]] if self.enemy else []


class Contact(Protocol):
    def carry_out(self, position: Position, seat: int, origin: int, target: int) -> Turn:
        """Move the piece, remove what falls, and say what happened."""


class Battle:
    """A piece that moves onto an enemy fights it there."""

    def __init__(self, matrix: Matrix) -> None:
        self.matrix = matrix

    def letter(self, position: Position, attacker: str, enemy: int, target: int) -> tuple[str, tuple[str, ...]]:
        """How a battle ends, with marks for the turn."""
        return self.matrix[attacker, position.men[enemy][target]], ()

    def carry_out(self, position: Position, seat: int, origin: int, target: int) -> Turn:
        kind = position.men[seat][origin]
        enemy = position.owner[target]
        if not enemy:
            position.move(origin, target)
            return Turn(seat, origin, target, kind, "move")
        defender = position.men[enemy][target]
        letter, marks = self.letter(position, kind, enemy, target)
        if letter[0] == "D":
            position.remove(origin)
            return Turn(seat, origin, target, kind, letter, (origin,), (kind,), defender, enemy, marks)
        position.remove(target)
        if letter[0] == "A":
            position.move(origin, target)
            return Turn(seat, origin, target, kind, letter, (target,), (defender,), defender, enemy, marks)
        position.remove(origin)
        both = (origin, target), (kind, defender)
        return Turn(seat, origin, target, kind, letter, *both, defender, enemy, marks)
