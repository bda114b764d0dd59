"""Ways in which a piece can move, each giving the squares that it reaches."""

from collections.abc import Sequence
from typing import Protocol

from .board import Board


class Movement(Protocol):
    """`owner` has for every square the seat standing there, 0 when it is empty."""

    def destinations(self, square: int, seat: int, owner: Sequence[int]) -> list[int]: ...


class Step:
    """One orthogonal step onto an empty or an enemy square."""

    def __init__(self, board: Board) -> None:
        self._neighbours = board.neighbours

    def destinations(self, square: int, seat: int, owner: Sequence[int]) -> list[int]:
        return [target for target in self._neighbours[square] if owner[target] != seat]


class Slide:
    """A straight clear line, of limited length perhaps, that may end in an attack."""

    def __init__(self, board: Board, reach: int | None = None, attacks: bool = True) -> None:
        self._rays = [[ray[:reach] for ray in rays] for rays in board.rays]
        self._attacks = attacks

    def destinations(self, square: int, seat: int, owner: Sequence[int]) -> list[int]:
        reached = []
        for ray in self._rays[square]:
            for target in ray:
                if owner[target]:
                    if self._attacks and owner[target] != seat:
                        reached.append(target)
                    break
                reached.append(target)
        return reached


class Fly:
    """To any square of the board without an own piece, whatever lies between."""

    def __init__(self, board: Board) -> None:
        self._squares = range(board.size)

    def destinations(self, square: int, seat: int, owner: Sequence[int]) -> list[int]:
        return [target for target in self._squares if owner[target] != seat]
