"""What the Luzhanqi games of two and of four have in common: their pieces."""

from collections.abc import Mapping

from .contact import Battle
from .movement import Movement
from .rails import ZONE_ROWS, EngineerRun, RailBoard, RailRun
from .sides import Sides

SHARED_OPTIONS = {
    "mine": ("both", "stays"),
    "battle_reveal": ("shown", "event", "none"),
    "marshal_death_shows_flag": ("off", "on"),
    "hq_freeze": ("off", "on"),
    "no_move": ("pass", "loses"),
}

ROSTER = {
    "marshal": 1,
    "general": 1,
    "lieutenant-general": 2,
    "brigadier": 2,
    "colonel": 2,
    "major": 2,
    "captain": 3,
    "lieutenant": 3,
    "engineer": 3,
    "bomb": 2,
    "mine": 3,
    "flag": 1,
}
RANKS = tuple(kind for kind in ROSTER if kind not in ("bomb", "mine", "flag"))
"""From the highest to the lowest."""
MOBILE = (*RANKS, "bomb")


def battle(attacker: str, defender: str, mine: str) -> str:
    """The order of the tests matters: a bomb goes with whatever it meets, the flag too."""
    if defender == "flag":
        return "B!" if attacker == "bomb" else "A!"
    if "bomb" in (attacker, defender):
        return "B"
    if defender == "mine":
        if attacker == "engineer":
            return "A"
        return "B" if mine == "both" else "D"
    if attacker == defender:
        return "B"
    return "A" if RANKS.index(attacker) < RANKS.index(defender) else "D"


def contact(options: Mapping[str, str]) -> Battle:
    return Battle({(a, d): battle(a, d, options["mine"]) for a in MOBILE for d in ROSTER})


def movement(board: RailBoard, sides: Sides) -> dict[str, Movement | None]:
    how: dict[str, Movement | None] = dict.fromkeys(MOBILE, RailRun(board, sides.number))
    how["engineer"] = EngineerRun(board, sides.number)
    return how | dict.fromkeys(("mine", "flag"))


def placement(board: RailBoard) -> dict[str, tuple[str, ...]]:
    def rows(*numbers: int) -> tuple[str, ...]:
        return tuple(board.names[square] for square in board.rows(1, numbers))

    return {"flag": board.headquarters, "mine": rows(0, 1), "bomb": rows(*range(ZONE_ROWS - 1))}


def frozen(board: RailBoard, options: Mapping[str, str]) -> frozenset[int]:
    return board.everywhere(board.headquarters) if options["hq_freeze"] == "on" else frozenset()


def camps(board: RailBoard) -> tuple[str, ...]:
    return tuple(board.names[post] for post in sorted(board.everywhere(board.camps)))


def shows_flag_with(options: Mapping[str, str]) -> str | None:
    return "marshal" if options["marshal_death_shows_flag"] == "on" else None
