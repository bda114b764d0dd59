"""hasami-shogi, dai-hasami-shogi and mak-yek: one set of rules on three boards."""

from collections.abc import Callable, Mapping

from .board import Board
from .bracketing import Bracketing
from .endings import (
    lead_kept,
    limits_reached,
    next_seat_stuck,
    reduced_to,
    repetition_rule,
    taken_in_all,
)
from .movement import Slide
from .options import choose
from .rules import Rules

OPTIONS = {
    "target": ("5", "8", "all"),
    "corner": ("off", "on"),
    "run": ("any", "1"),
    "lead": ("off", "3"),
    "repetition": ("3", "4", "off"),
}


def stones(board: Board, ranks: tuple[int, ...]) -> dict[str, str]:
    """Seat 1's start on whole ranks, which are counted from 0."""
    return {board.names[square]: "stone" for square in board.rows(1, ranks)}


def hasami(name: str, width: int, ranks: tuple[int, ...], intervention: bool) -> Callable[[Mapping[str, str]], Rules]:
    def with_options(given: Mapping[str, str]) -> Rules:
        options = choose(OPTIONS, given)
        board = Board(width, width)
        target = options["target"]
        won = (reduced_to(1),) if target == "all" else (taken_in_all(int(target)), reduced_to(0))
        lead = () if options["lead"] == "off" else (lead_kept(int(options["lead"])),)
        repetition, memory = repetition_rule(options["repetition"])
        return Rules(
            name=name,
            options=options,
            board=board,
            roster={"stone": width * len(ranks)},
            home_rows=max(ranks) + 1,
            movement={"stone": Slide(board, attacks=False)},
            contact=Bracketing(
                board,
                single_only=options["run"] == "1",
                corners=options["corner"] == "on",
                intervention=intervention,
            ),
            endings=(*won, *lead, *repetition, next_seat_stuck, *memory, limits_reached),
            fixed_start=stones(board, ranks),
            counts_occurrences=bool(repetition),
        )

    return with_options


hasami_shogi = hasami("hasami-shogi", 9, (0,), intervention=False)
dai_hasami_shogi = hasami("dai-hasami-shogi", 9, (0, 1), intervention=False)
mak_yek = hasami("mak-yek", 8, (0, 2), intervention=True)
