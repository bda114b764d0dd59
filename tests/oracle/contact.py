"""What a move does to the pieces that it meets: battles, or bracketing."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from .board import Board
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
    rays: int = 0
    """Directions in which stones were bracketed."""

    @property
    def survived(self) -> bool:
        return self.outcome in ("move", "capture", "A", "A!")

    @property
    def quiet(self) -> bool:
        return self.outcome == "move"


class Contact(Protocol):
    def carry_out(self, position: Position, seat: int, origin: int, target: int) -> Turn:
        """Move the piece, remove what falls, and say what happened."""


class Battle:
    """A piece that moves onto an enemy fights it there."""

    def __init__(self, matrix: Matrix) -> None:
        self.matrix = matrix

    def carry_out(self, position: Position, seat: int, origin: int, target: int) -> Turn:
        kind = position.men[seat][origin]
        enemy = position.owner[target]
        if not enemy:
            position.move(origin, target)
            return Turn(seat, origin, target, kind, "move")
        defender = position.men[enemy][target]
        letter = self.matrix[kind, defender]
        if letter[0] == "D":
            position.remove(origin)
            return Turn(seat, origin, target, kind, letter, (origin,), (kind,), defender)
        position.remove(target)
        if letter[0] == "A":
            position.move(origin, target)
            return Turn(seat, origin, target, kind, letter, (target,), (defender,), defender)
        position.remove(origin)
        return Turn(seat, origin, target, kind, letter, (origin, target), (kind, defender), defender)


class Bracketing:
    """Enemy runs that touch the moved stone and end at another own stone are taken."""

    def __init__(self, board: Board) -> None:
        self._rays = board.rays

    def carry_out(self, position: Position, seat: int, origin: int, target: int) -> Turn:
        position.move(origin, target)
        kind = position.men[seat][target]
        runs = [self._run(position.owner, seat, ray) for ray in self._rays[target]]
        captured = tuple(square for run in runs for square in run)
        if not captured:
            return Turn(seat, origin, target, kind, "move")
        fallen = tuple(position.remove(square) for square in captured)
        rays = sum(1 for run in runs if run)
        return Turn(seat, origin, target, kind, "capture", captured, fallen, rays=rays)

    @staticmethod
    def _run(owner: list[int], seat: int, ray: Iterable[int]) -> list[int]:
        run: list[int] = []
        for square in ray:
            if owner[square] == seat:
                return run
            if not owner[square]:
                return []
            run.append(square)
        return []  # the edge closes nothing
