"""salpakan-classic: every piece can move, and the flag wins by reaching the far side."""

from collections.abc import Mapping

from .board import Board
from .claims import ripe, unopposed_arrival
from .contact import Battle
from .endings import Ending, flag_taken, limits_reached, next_seat_stuck
from .movement import Step
from .options import choose
from .rules import Rules

OPTIONS = {
    "flag_attack": ("loses", "continues"),
    "arrival": ("claim", "adjacent"),
    "claim": ("silent", "announced"),
    "battle_reveal": ("none", "event", "shown"),
}

OFFICERS = (
    "five-star",
    "four-star",
    "three-star",
    "two-star",
    "one-star",
    "colonel",
    "lieutenant-colonel",
    "major",
    "captain",
    "first-lieutenant",
    "second-lieutenant",
    "sergeant",
)
"""From the highest to the lowest."""

ROSTER = {**dict.fromkeys(OFFICERS, 1), "private": 6, "spy": 2, "flag": 1}


def battle(attacker: str, defender: str, flag_attack: str) -> str:
    if defender == "flag":
        return "A!"
    if attacker == "flag":
        return "D!" if flag_attack == "loses" else "D"
    if attacker == defender:
        return "B"
    return "A" if _beats(attacker, defender) else "D"


def _beats(one: str, other: str) -> bool:
    """Neither is a flag, and they differ."""
    if one == "private":
        return other == "spy"
    if one == "spy":
        return other != "private"
    if other in OFFICERS:
        return OFFICERS.index(one) < OFFICERS.index(other)
    return other == "private"


def salpakan_classic(given: Mapping[str, str]) -> Rules:
    options = choose(OPTIONS, given)
    board = Board(9, 8)
    flag_attack = options["flag_attack"]
    immediate: tuple[Ending, ...] = (flag_taken,)
    if options["arrival"] == "adjacent":
        immediate += (unopposed_arrival,)
    return Rules(
        name="salpakan-classic",
        options=options,
        board=board,
        roster=ROSTER,
        home_rows=3,
        movement=dict.fromkeys(ROSTER, Step(board)),
        contact=Battle({(a, d): battle(a, d, flag_attack) for a in ROSTER for d in ROSTER}),
        endings=(*immediate, ripe, next_seat_stuck, limits_reached),
        opens_claims=True,
        announces_claims=options["claim"] == "announced",
    )
