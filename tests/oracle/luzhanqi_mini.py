"""luzhanqi-mini: ranks, bombs and mines on a small board with four camps."""

from collections.abc import Mapping

from .board import Board
from .contact import Battle
from .endings import flag_taken, limits_reached, next_seat_stuck
from .movement import Step
from .options import choose
from .rules import Rules

OPTIONS = {"battle_reveal": ("none", "event", "shown")}

ROSTER = {
    "commander": 1,
    "officer": 2,
    "soldier": 3,
    "engineer": 3,
    "bomb": 2,
    "mine": 2,
    "flag": 1,
}
RANK = {"commander": 4, "officer": 3, "soldier": 2, "engineer": 1}
MOBILE = (*RANK, "bomb")
BACK_ROW = tuple(f"{file}1" for file in "abcdefg")


def battle(attacker: str, defender: str) -> str:
    """The order of the tests matters: a bomb takes a flag, but goes with a mine."""
    if defender == "flag":
        return "A!"
    if "bomb" in (attacker, defender):
        return "B"
    if defender == "mine":
        return "A" if attacker == "engineer" else "D"
    if RANK[attacker] == RANK[defender]:
        return "B"
    return "A" if RANK[attacker] > RANK[defender] else "D"


def luzhanqi_mini(given: Mapping[str, str]) -> Rules:
    board = Board(7, 8)
    step = Step(board)
    return Rules(
        name="luzhanqi-mini",
        options=choose(OPTIONS, given),
        board=board,
        roster=ROSTER,
        home_rows=2,
        movement={kind: step if kind in MOBILE else None for kind in ROSTER},
        contact=Battle({(a, d): battle(a, d) for a in MOBILE for d in ROSTER}),
        endings=(flag_taken, next_seat_stuck, limits_reached),
        placement={"mine": BACK_ROW, "bomb": BACK_ROW, "flag": ("b1", "f1")},
        sanctuaries=("b4", "f4", "b5", "f5"),
    )
