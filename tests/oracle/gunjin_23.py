"""gunjin-shogi-23: a river with two bridges, and a flag that borrows its strength."""

from collections.abc import Mapping

from .board import Board
from .contact import Battle
from .endings import limits_reached, next_seat_stuck, square_entered
from .movement import Advance, FileFlight, Movement, Slide, Step
from .options import choose
from .position import Position
from .rules import Rules

OPTIONS = {
    "battle_reveal": ("none", "event", "shown"),
    "engineer_beats_tank": ("on", "off"),
    "both_stuck": ("draw", "mover-wins"),
}

ORDER = (
    "general",
    "lieutenant-general",
    "major-general",
    "aircraft",
    "tank",
    "colonel",
    "lieutenant-colonel",
    "major",
    "captain",
    "lieutenant",
    "second-lieutenant",
    "cavalry",
    "engineer",
    "spy",
)
"""All that can move, from the highest to the lowest."""

SINGLE = (*ORDER[:3], "colonel", "lieutenant-colonel", "major", "cavalry", "spy")
ROSTER = {kind: 1 if kind in SINGLE else 2 for kind in ORDER} | {"mine": 2, "flag": 1}

CLEAR_MINES = ("aircraft", "engineer")
OCCUPY = (*ORDER[:3], "colonel", "lieutenant-colonel", "major")

HEADQUARTERS = ("c1",)
BRIDGES = "be"
RIVER = [(f"{file}4", f"{file}5") for file in "abcdef" if file not in BRIDGES]


def battle(attacker: str, defender: str, engineer_beats_tank: bool) -> str:
    """Neither is a flag."""
    if defender == "mine":
        return "A" if attacker in CLEAR_MINES else "B"
    if attacker == defender:
        return "B"
    return "A" if _beats(attacker, defender, engineer_beats_tank) else "D"


def _beats(one: str, other: str, engineer_beats_tank: bool) -> bool:
    exceptions = [("spy", "general")] + [("engineer", "tank")] * engineer_beats_tank
    if (one, other) in exceptions:
        return True
    return (other, one) not in exceptions and ORDER.index(one) < ORDER.index(other)


class BorrowedStrength(Battle):
    """An attacked flag fights as the own piece directly behind it would."""

    def __init__(self, matrix: Mapping[tuple[str, str], str], board: Board) -> None:
        super().__init__(matrix)
        self._behind = {seat: [board.towards_home(at, seat) for at in range(board.size)] for seat in (1, 2)}

    def letter(self, position: Position, attacker: str, enemy: int, target: int) -> tuple[str, tuple[str, ...]]:
        defender = position.men[enemy][target]
        if defender != "flag":
            return self.matrix[attacker, defender], ()
        strength = self._strength(position, enemy, target)
        if strength is None:
            return "A", ("flag:bare",)
        letter = self.matrix[attacker, strength]
        return letter, (f"flag:backed-{letter}",)

    def _strength(self, position: Position, seat: int, square: int) -> str | None:
        # A flag behind a flag, which no arrangement has, lends what it borrows itself.
        behind: int | None = square
        while behind is not None and position.men[seat].get(behind) == "flag":
            behind = self._behind[seat][behind]
        return None if behind is None else position.men[seat].get(behind)


def _movement(board: Board) -> dict[str, Movement | None]:
    how: dict[str, Movement | None] = dict.fromkeys(ROSTER, Step(board))
    how.update(dict.fromkeys(("tank", "cavalry"), Advance(board, forward=2, otherwise=1)))
    how["engineer"] = Slide(board)
    how["aircraft"] = FileFlight(board)
    how.update(dict.fromkeys(("mine", "flag")))
    return how


def gunjin_shogi_23(given: Mapping[str, str]) -> Rules:
    options = choose(OPTIONS, given)
    # Each headquarters is two places wide.
    board = Board(6, 8, doubled={"d1": "c1", "d8": "c8"}, walls=RIVER)
    home = [board.names[square] for square in board.rows(1, range(4))]
    off_bridges = tuple(name for name in home if name not in ("b4", "e4"))
    stronger_engineer = options["engineer_beats_tank"] == "on"
    defenders = (*ORDER, "mine")
    matrix = {(a, d): battle(a, d, stronger_engineer) for a in ORDER for d in defenders}
    goals = {seat: board.for_seat(HEADQUARTERS, seat) for seat in (1, 2)}
    return Rules(
        name="gunjin-shogi-23",
        options=options,
        board=board,
        roster=ROSTER,
        home_rows=4,
        movement=_movement(board),
        contact=BorrowedStrength(matrix, board),
        endings=(
            square_entered(goals, without=[kind for kind in ROSTER if kind not in OCCUPY]),
            next_seat_stuck,
            limits_reached,
        ),
        placement={"mine": off_bridges, "flag": off_bridges},
    )
