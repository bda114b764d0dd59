"""The capture-flag games: one set of rules, three choices of defaults and roster."""

from collections.abc import Callable, Mapping

from .board import Board
from .contact import Battle
from .endings import flag_taken, limits_reached, next_seat_stuck
from .movement import Slide, Step
from .options import Declared, choose
from .restrictions import MoreSquares, Setup, TwoSquares
from .rules import Rules

OPTIONS = {
    "battle_reveal": ("event", "shown", "none"),
    "two_squares": ("off", "3", "5"),
    "more_squares": ("off", "on"),
    "both_stuck": ("mover-wins", "draw"),
}
TOURNAMENT_OPTIONS = {
    "battle_reveal": ("event", "shown", "none"),
    "two_squares": ("3", "5", "off"),
    "more_squares": ("on", "off"),
    "both_stuck": ("draw", "mover-wins"),
}

LAKES = ("c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6")

ROSTER = {
    "marshal": 1,
    "general": 1,
    "colonel": 2,
    "major": 3,
    "captain": 4,
    "lieutenant": 4,
    "sergeant": 4,
    "miner": 5,
    "scout": 8,
    "spy": 1,
    "bomb": 6,
    "flag": 1,
}
BARRAGE_ROSTER = {
    "marshal": 1,
    "general": 1,
    "miner": 1,
    "scout": 2,
    "spy": 1,
    "bomb": 1,
    "flag": 1,
}
RANKS = tuple(kind for kind in ROSTER if kind not in ("bomb", "flag"))
"""All that can move, from the highest to the lowest."""


def battle(attacker: str, defender: str) -> str:
    if defender == "flag":
        return "A!"
    if defender == "bomb":
        return "A" if attacker == "miner" else "D"
    if attacker == defender:
        return "B"
    if (attacker, defender) == ("spy", "marshal"):
        return "A"
    return "A" if RANKS.index(attacker) < RANKS.index(defender) else "D"


def _restrictions(options: Mapping[str, str]) -> tuple[Setup, ...]:
    chosen: tuple[Setup, ...] = ()
    if options["two_squares"] != "off":
        crossings = int(options["two_squares"])
        chosen += (lambda board: TwoSquares(board, crossings),)
    if options["more_squares"] == "on":
        chosen += (MoreSquares,)
    return chosen


def capture_flag(name: str, declared: Declared, roster: dict[str, int]) -> Callable[[Mapping[str, str]], Rules]:
    def with_options(given: Mapping[str, str]) -> Rules:
        options = choose(declared, given)
        board = Board(10, 10, holes=LAKES)
        step, slide = Step(board), Slide(board)
        return Rules(
            name=name,
            options=options,
            board=board,
            roster=roster,
            home_rows=4,
            movement={kind: (slide if kind == "scout" else step) if kind in RANKS else None for kind in roster},
            contact=Battle({(a, d): battle(a, d) for a in RANKS if a in roster for d in roster}),
            endings=(flag_taken, next_seat_stuck, limits_reached),
            restrictions=_restrictions(options),
        )

    return with_options


hidden_capture_flag = capture_flag("hidden-capture-flag", OPTIONS, ROSTER)
capture_flag_tournament = capture_flag("capture-flag-tournament", TOURNAMENT_OPTIONS, ROSTER)
capture_flag_barrage = capture_flag("capture-flag-barrage", OPTIONS, BARRAGE_ROSTER)
