"""Capture without battle: stones taken between others."""

from collections.abc import Iterable

from .board import Board
from .contact import Turn
from .position import Position


class Bracketing:
    """Enemy runs that touch the moved stone and end at another own stone are taken.

    As a game wants it, only single stones; also a stone in a corner when own stones are on both squares
    beside it; also the two enemies between which a stone moves.
    """

    def __init__(
        self, board: Board, single_only: bool = False, corners: bool = False, intervention: bool = False
    ) -> None:
        self._rays = board.rays
        self._longest = 1 if single_only else board.size
        near = board.neighbours
        self._corners: dict[int, list[tuple[int, int]]] = {}
        """For a square beside a corner the corner and the other square beside it."""
        if corners:
            for corner in (square for square in range(board.size) if len(near[square]) == 2):
                for one, other in (near[corner], near[corner][::-1]):
                    self._corners.setdefault(one, []).append((corner, other))
        self._opposites: list[list[tuple[int, int]]] = [[] for _ in range(board.size)]
        """The pairs of squares between which a square lies."""
        if intervention:
            for square, rays in enumerate(board.directed_rays):
                beside = {step: ray[0] for step, ray in rays}
                for step, back in (((1, 0), (-1, 0)), ((0, 1), (0, -1))):
                    if step in beside and back in beside:
                        self._opposites[square].append((beside[step], beside[back]))

    def carry_out(self, position: Position, seat: int, origin: int, target: int) -> Turn:
        position.move(origin, target)
        kind = position.men[seat][target]
        owner = position.owner
        runs = [run for ray in self._rays[target] if (run := self._run(owner, seat, ray))]
        # A stone can be taken in two ways at once and still counts as one.
        captured = {square: None for run in runs for square in run}
        cornered = self._in_corners(owner, seat, target)
        captured.update(dict.fromkeys(cornered))
        flanked = self._on_both_sides(owner, seat, target)
        captured.update(dict.fromkeys(flanked))
        if not captured:
            return Turn(seat, origin, target, kind, "move")
        marks = ((f"rays:{len(runs)}",) if runs else ()) + (("corner",) if cornered else ())
        marks += ("intervention",) if flanked else ()
        fallen = tuple(position.remove(square) for square in captured)
        return Turn(seat, origin, target, kind, "capture", tuple(captured), fallen, marks=marks)

    def _run(self, owner: list[int], seat: int, ray: Iterable[int]) -> list[int]:
        run: list[int] = []
        for square in ray:
            if owner[square] == seat:
                return run if len(run) <= self._longest else []
            if not owner[square]:
                return []
            run.append(square)
        return []  # the edge closes nothing

    def _in_corners(self, owner: list[int], seat: int, target: int) -> list[int]:
        corners = self._corners.get(target, ())
        return [corner for corner, other in corners if owner[corner] not in (0, seat) and owner[other] == seat]

    def _on_both_sides(self, owner: list[int], seat: int, target: int) -> list[int]:
        taken: list[int] = []
        for pair in self._opposites[target]:
            if all(owner[square] not in (0, seat) for square in pair):
                taken += pair
        return taken
