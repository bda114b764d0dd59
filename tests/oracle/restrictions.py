"""Moves that a game forbids because of the moves before them.

A restriction watches every move and then tells which of a seat's moves it takes away.
Only public things count: squares, never kinds.
"""

from collections.abc import Callable
from typing import Protocol

from .board import Board
from .contact import Turn
from .position import Position


class Restriction(Protocol):
    name: str

    def observe(self, turn: Turn, position: Position) -> None:
        """Take note of a move; `position` is the one after it."""

    def forbidden(self, position: Position, seat: int, moves: set[str]) -> set[str]: ...

    def copy(self) -> "Restriction": ...


Setup = Callable[[Board], Restriction]


class TwoSquares:
    """One piece crosses no border more than `limit` times in a row."""

    name = "two-squares"

    def __init__(self, board: Board, limit: int) -> None:
        self._board = board
        self._limit = limit
        self._runs: dict[int, tuple[int, tuple[int, ...]]] = {}
        """Per seat where its last moved piece stands, and the borders of that piece's moves."""

    def observe(self, turn: Turn, position: Position) -> None:
        if not turn.survived:
            self._runs.pop(turn.seat, None)
            return
        square, crossings = self._runs.get(turn.seat, (-1, ()))
        if square != turn.origin:
            crossings = ()
        crossings = (*crossings, self._board.borders[turn.origin, turn.target])
        self._runs[turn.seat] = (turn.target, crossings[-self._limit :])

    def forbidden(self, position: Position, seat: int, moves: set[str]) -> set[str]:
        square, crossings = self._runs.get(seat, (-1, ()))
        if len(crossings) < self._limit:
            return set()
        common = crossings[0]
        for mask in crossings[1:]:
            common &= mask
        # The run's piece may have been taken since; then no move starts on its square.
        if not common or position.owner[square] != seat:
            return set()
        borders, names = self._board.borders, self._board.move_names[square]
        return {
            names[target]
            for ray in self._board.rays[square]
            for target in ray
            if borders[square, target] & common and names[target] in moves
        }

    def copy(self) -> "TwoSquares":
        other = TwoSquares(self._board, self._limit)
        other._runs = self._runs.copy()
        return other


class Chase:
    """An unbroken sequence of threats by one seat, each but the last evaded."""

    __slots__ = ("boards", "evaded", "origin", "square")

    def __init__(self, turn: Turn, key: int) -> None:
        self.square = turn.target
        self.origin = turn.origin
        self.boards = {key}
        self.evaded = False

    def threaten(self, turn: Turn, key: int) -> None:
        self.square = turn.target
        self.origin = turn.origin
        self.boards.add(key)
        self.evaded = False

    def copy(self) -> "Chase":
        other = Chase.__new__(Chase)
        other.square, other.origin, other.evaded = self.square, self.origin, self.evaded
        other.boards = self.boards.copy()
        return other


class MoreSquares:
    """A chase does not bring back a board that it has already seen."""

    name = "more-squares"

    def __init__(self, board: Board) -> None:
        self._board = board
        self._chases: dict[int, Chase] = {}
        """By chasing seat; both sides can be chasing at the same time."""

    def observe(self, turn: Turn, position: Position) -> None:
        near = self._board.neighbours
        for seat in [seat for seat in self._chases if seat != turn.seat]:
            chase = self._chases[seat]
            if turn.quiet and turn.origin in near[chase.square]:
                chase.evaded = True
                chase.boards.add(position.key)
            else:
                del self._chases[seat]
        threat = turn.survived and position.has_enemy(turn.seat, near[turn.target])
        chase_so_far = self._chases.get(turn.seat)
        if not threat:
            self._chases.pop(turn.seat, None)
        elif chase_so_far is None or not turn.quiet:
            self._chases[turn.seat] = Chase(turn, position.key)
        else:
            chase_so_far.threaten(turn, position.key)

    def forbidden(self, position: Position, seat: int, moves: set[str]) -> set[str]:
        chase = self._chases.get(seat)
        if chase is None or not chase.evaded:
            return set()
        barred = set()
        for move in moves:
            origin, target = self._board.move_squares[move]
            if position.owner[target] or (origin, target) == (chase.square, chase.origin):
                continue
            threat = position.has_enemy(seat, self._board.neighbours[target])
            if threat and position.key_after(seat, origin, target) in chase.boards:
                barred.add(move)
        return barred

    def copy(self) -> "MoreSquares":
        other = MoreSquares(self._board)
        other._chases = {seat: chase.copy() for seat, chase in self._chases.items()}
        return other
