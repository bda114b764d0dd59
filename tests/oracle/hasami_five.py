"""hasami-five: stones also hop, and five of them in line win."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .board import Board
from .bracketing import Bracketing
from .contact import Turn
from .endings import (
    Ending,
    Result,
    limits_reached,
    next_seat_stuck,
    reduced_to,
    repetition_rule,
    win,
)
from .hasami_shogi import stones
from .movement import SlideOrHop
from .options import choose
from .rules import Rules

if TYPE_CHECKING:
    from .match import Match

OPTIONS = {
    "line": ("all", "no-horizontal", "orthogonal"),
    "repetition": ("3", "4", "off"),
}

START_RANKS = (0, 1)
LENGTH = 5
HORIZONTAL, VERTICAL, DIAGONALS = (1, 0), (0, 1), ((1, 1), (1, -1))
WORDS = dict(zip((HORIZONTAL, VERTICAL, *DIAGONALS), ("horizontal", "vertical", "rising", "falling"), strict=True))
AXES = {
    "all": (HORIZONTAL, VERTICAL, *DIAGONALS),
    "no-horizontal": (VERTICAL, *DIAGONALS),
    "orthogonal": (HORIZONTAL, VERTICAL),
}


def line_of_five(board: Board, axes: tuple[tuple[int, int], ...]) -> Ending:
    """Five stones of the mover in line with the moved one among them, all off its own start rows."""
    arms = [[board.both_ways(square, axis) for axis in axes] for square in range(board.size)]
    start_rows = {seat: frozenset(board.rows(seat, START_RANKS)) for seat in (1, 2)}

    def line_of_five(match: "Match", turn: Turn) -> Result | None:
        mine, barred = match.position.men[turn.seat], start_rows[turn.seat]
        if turn.target in barred:
            return None
        for axis, pair in zip(axes, arms[turn.target], strict=True):
            length = 1
            for arm in pair:
                for square in arm:
                    if square not in mine or square in barred:
                        break
                    length += 1
            if length >= LENGTH:
                match.coverage.add(f"line:{WORDS[axis]}")
                return win(turn.seat, "line-of-five")
        return None

    return line_of_five


def hasami_five(given: Mapping[str, str]) -> Rules:
    options = choose(OPTIONS, given)
    board = Board(9, 9)
    repetition, memory = repetition_rule(options["repetition"])
    return Rules(
        name="hasami-five",
        options=options,
        board=board,
        roster={"stone": 18},
        home_rows=len(START_RANKS),
        movement={"stone": SlideOrHop(board)},
        contact=Bracketing(board),
        endings=(
            line_of_five(board, AXES[options["line"]]),
            reduced_to(1),
            *repetition,
            next_seat_stuck,
            *memory,
            limits_reached,
        ),
        fixed_start=stones(board, START_RANKS),
        counts_occurrences=bool(repetition),
    )
