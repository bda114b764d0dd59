"""hidden-hasami: bracketing, with one stone of each side as its secret leader."""

from collections.abc import Mapping

from .board import Board
from .bracketing import Bracketing
from .endings import (
    kind_taken,
    limits_reached,
    memory_exhausted,
    next_seat_stuck,
    reduced_to,
    repeated,
)
from .movement import Slide
from .options import choose
from .rules import Rules

OPTIONS = {"board": ("7x7", "9x9"), "corner": ("off", "on")}


def hidden_hasami(given: Mapping[str, str]) -> Rules:
    options = choose(OPTIONS, given)
    width = int(options["board"][0])
    board = Board(width, width)
    slide = Slide(board, attacks=False)
    return Rules(
        name="hidden-hasami",
        options=options,
        board=board,
        roster={"leader": 1, "guard": width - 1},
        home_rows=1,
        movement={"leader": slide, "guard": slide},
        contact=Bracketing(board, corners=options["corner"] == "on"),
        endings=(
            kind_taken("leader"),
            reduced_to(1),
            repeated(3),
            next_seat_stuck,
            memory_exhausted,
            limits_reached,
        ),
        counts_occurrences=True,
    )
