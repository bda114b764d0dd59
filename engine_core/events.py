"""What happened: the events of an action, each a small immutable value.

Every event is public but `ClaimOpened`, which only the claiming seat and the referee see unless claims are announced.
Squares are names ("b4"), kinds are ids ("spy"), seats are 1 to 4. Kinds are named only where the game's reveal policy
names them.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SeatArranged:
    """A seat has placed its pieces (where, nobody else learns before all have)."""

    seat: int


@dataclass(frozen=True, slots=True)
class PlayBegan:
    """All seats have arranged; the pieces are on the board. `to_move` is the first seat."""

    to_move: int


@dataclass(frozen=True, slots=True)
class Moved:
    """A piece moved, with what came of it.

    `outcome` is "move", "capture" (stones captured without a battle) or the letters of a battle: "A" the attacker
    survives, "D" the defender survives, "B" both are removed; with "!" a flag was captured. `captured` lists the
    squares from which pieces were removed (the attacker's own among them: `source`). `attacker` and `defender` are
    kinds, or None where the reveal policy keeps them.
    """

    ply: int
    seat: int
    source: str
    target: str
    outcome: str
    captured: tuple[str, ...]
    attacker: str | None
    defender: str | None


@dataclass(frozen=True, slots=True)
class PieceShown:
    """A piece that survived a battle, or a flag, is visible to everybody from now on."""

    seat: int
    square: str
    kind: str


@dataclass(frozen=True, slots=True)
class ClaimOpened:
    """A flag has reached its goal; unless it falls, its seat wins when its turn comes.

    For that seat alone, or for everybody where claims are announced.
    """

    seat: int


@dataclass(frozen=True, slots=True)
class SeatPassed:
    """A seat had no legal move and was passed over."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatEliminated:
    """A seat is out and its pieces have left the board. `cause` is a result reason, such as "flag-captured"."""

    seat: int
    cause: str


@dataclass(frozen=True, slots=True)
class DrawOffered:
    """A seat offers a draw."""

    seat: int


@dataclass(frozen=True, slots=True)
class DrawAccepted:
    """A seat agrees to the draw that was offered."""

    seat: int


@dataclass(frozen=True, slots=True)
class DrawDeclined:
    """A seat declines the draw that was offered; the offer is gone."""

    seat: int


@dataclass(frozen=True, slots=True)
class DrawLapsed:
    """The offer is gone, since a seat that had not agreed moved, or a seat went out."""


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over: the winning seats, none for a draw, and the reason."""

    winners: tuple[int, ...]
    reason: str


Event = (
    SeatArranged
    | PlayBegan
    | Moved
    | PieceShown
    | ClaimOpened
    | SeatPassed
    | SeatEliminated
    | DrawOffered
    | DrawAccepted
    | DrawDeclined
    | DrawLapsed
    | MatchEnded
)
