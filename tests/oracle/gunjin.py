"""gunjin-shogi: many kinds of movement, and headquarters to be entered."""

from collections.abc import Mapping

from .board import Board
from .contact import Battle
from .endings import flag_taken, limits_reached, next_seat_stuck, square_entered
from .movement import Fly, Movement, Slide, Step
from .options import choose
from .rules import Rules

OPTIONS = {"battle_reveal": ("none", "event", "shown"), "engineer_beats_tank": ("on", "off")}

GENERALS = ("general", "lieutenant-general", "major-general")
ORDINARY = (
    *GENERALS,
    "colonel",
    "lieutenant-colonel",
    "major",
    "captain",
    "lieutenant",
    "second-lieutenant",
    "cavalry",
)
"""From the highest to the lowest."""

ROSTER = {
    "general": 1,
    "lieutenant-general": 1,
    **dict.fromkeys(ORDINARY[2:], 2),
    "aircraft": 2,
    "tank": 3,
    "engineer": 3,
    "spy": 1,
    "mine": 3,
    "flag": 1,
}
BEATEN_BY_SPECIAL = {
    "mine": (*ORDINARY, "tank", "spy"),
    "spy": GENERALS[:2],
    "aircraft": (*ORDINARY[3:], "tank", "engineer"),
    "tank": ORDINARY[3:],
    "engineer": (),
}
"""What falls to a special kind; the earlier of two special kinds decides between them."""

HEADQUARTERS = ("d1", "f1")
NO_MINES = ("d4", "f4")
CANNOT_OCCUPY = ("tank", "aircraft", "engineer")


def battle(attacker: str, defender: str, engineer_beats_tank: bool) -> str:
    if defender == "flag":
        return "A!"
    if attacker == "flag" or attacker == defender:
        return "B"
    if {attacker, defender} == {"engineer", "tank"}:
        return "A" if (attacker == "engineer") == engineer_beats_tank else "D"
    return "A" if _beats(attacker, defender) else "D"


def _beats(one: str, other: str) -> bool:
    """Neither is a flag, and they differ; not engineer and tank. Which of them attacks makes no difference."""
    for special, losing in BEATEN_BY_SPECIAL.items():
        if special == one:
            return other in losing
        if special == other:
            return one not in losing
    return ORDINARY.index(one) < ORDINARY.index(other)


def _movement(board: Board) -> dict[str, Movement | None]:
    how: dict[str, Movement | None] = dict.fromkeys(ROSTER, Step(board))
    how.update(dict.fromkeys(("captain", "lieutenant", "second-lieutenant"), Slide(board, 2)))
    how["cavalry"] = Slide(board, 3)
    how["engineer"] = Slide(board)
    how["aircraft"] = Fly(board)
    how["mine"] = None
    return how


def gunjin_shogi(given: Mapping[str, str]) -> Rules:
    options = choose(OPTIONS, given)
    board = Board(9, 9)
    goals = {seat: board.for_seat(HEADQUARTERS, seat) for seat in (1, 2)}
    home = (board.names[square] for square in board.rows(1, range(4)))
    attackers = [kind for kind in ROSTER if kind != "mine"]
    return Rules(
        name="gunjin-shogi",
        options=options,
        board=board,
        roster=ROSTER,
        home_rows=4,
        movement=_movement(board),
        contact=Battle(
            {(a, d): battle(a, d, options["engineer_beats_tank"] == "on") for a in attackers for d in ROSTER}
        ),
        endings=(
            flag_taken,
            square_entered(goals, without=CANNOT_OCCUPY),
            next_seat_stuck,
            limits_reached,
        ),
        placement={"mine": tuple(name for name in home if name not in NO_MINES)},
    )
