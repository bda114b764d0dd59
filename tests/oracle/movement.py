"""Ways in which a piece can move, each giving the squares that it reaches."""

from collections.abc import Collection, Sequence
from typing import Protocol

from .board import Board


class Movement(Protocol):
    """`owner` has for every square the seat standing there, 0 when it is empty."""

    def destinations(self, square: int, seat: int, owner: Sequence[int]) -> Collection[int]: ...


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


class SlideOrHop:
    """A slide without attack, or a jump over one neighbouring piece of any side onto the next square."""

    def __init__(self, board: Board) -> None:
        self._rays = board.rays

    def destinations(self, square: int, seat: int, owner: Sequence[int]) -> list[int]:
        reached = []
        for ray in self._rays[square]:
            if owner[ray[0]]:
                if len(ray) > 1 and not owner[ray[1]]:
                    reached.append(ray[1])
                continue
            for target in ray:
                if owner[target]:
                    break
                reached.append(target)
        return reached


class Advance:
    """A slide that is longer forward than back or sideways, for a game of two."""

    def __init__(self, board: Board, forward: int, otherwise: int) -> None:
        ahead = {1: (0, 1), 2: (0, -1)}
        self._rays = {
            seat: [
                [ray[: forward if step == ahead[seat] else otherwise] for step, ray in rays]
                for rays in board.directed_rays
            ]
            for seat in ahead
        }

    def destinations(self, square: int, seat: int, owner: Sequence[int]) -> Collection[int]:
        # Two ways forward from a doubled square may meet again on the other one.
        reached = set()
        for ray in self._rays[seat][square]:
            for target in ray:
                if owner[target] != seat:
                    reached.add(target)
                if owner[target]:
                    break
        return reached


class Fly:
    """To any square of the board without an own piece, whatever lies between."""

    def __init__(self, board: Board) -> None:
        self._squares = range(board.size)

    def destinations(self, square: int, seat: int, owner: Sequence[int]) -> list[int]:
        return [target for target in self._squares if owner[target] != seat]


class FileFlight:
    """Along the file over everything, or one step sideways."""

    def __init__(self, board: Board) -> None:
        self._squares = [
            sorted(column | {ray[0] for (sideways, _), ray in rays if sideways})
            for column, rays in zip(board.columns, board.directed_rays, strict=True)
        ]

    def destinations(self, square: int, seat: int, owner: Sequence[int]) -> list[int]:
        return [target for target in self._squares[square] if owner[target] != seat]
