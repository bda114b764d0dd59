"""The form of a ruleset file: what may stand in it, as frozen dataclasses that pydantic checks.

This is the file as written, after its options have been chosen; `engine_core.ruleset` turns it into a `Ruleset`.
Square sets are lists of squares and rectangles: "b4", "a1-j4" (both corners included). Where a set may differ by
seat it is either a list, which is seat 1's and is turned for the other seats by `seats.symmetry`, or a table with one
list for each seat.
"""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

_STRICT = ConfigDict(extra="forbid", strict=True)

WORD = r"^[a-z0-9]+(-[a-z0-9]+)*$"
OPTION_NAME = r"^[a-z][a-z0-9_]*$"
OPTION_VALUE = r"^[a-z0-9][a-z0-9-]*$"
LETTER = r"^[A-Za-z]$"
SQUARE = r"^[a-z][0-9]{1,2}$"
SQUARES = r"^[a-z][0-9]{1,2}(-[a-z][0-9]{1,2})?$"
PAIR = r"^[a-z][0-9]{1,2}-[a-z][0-9]{1,2}$"

Word = Annotated[str, Field(pattern=WORD, max_length=40)]
Words = Annotated[list[Word], Field(max_length=32)]
OptionName = Annotated[str, Field(pattern=OPTION_NAME, max_length=40)]
SeatKey = Literal["1", "2", "3", "4"]
SquareSet = Annotated[list[Annotated[str, Field(pattern=SQUARES)]], Field(max_length=255)]
RailLine = Annotated[SquareSet, Field(min_length=2)]
SeatSquares = SquareSet | dict[SeatKey, SquareSet]
Reach = Annotated[int, Field(ge=0, le=26)] | Literal["any"]
Outcome = Literal["A", "D", "B", "A!", "D!", "B!"]
Direction = Literal["north", "east", "south", "west"]


@dataclass(frozen=True, slots=True)
class BoardTable:
    """[board]: a grid of `files` x `ranks` squares, and what stands on it.

    `rails`: lines, each as the squares between which it runs straight or turns. `camp_diagonals`: roads lead from a
    camp to its diagonal neighbours, too. `merged`: squares that are one with the named square. `barriers`: pairs of
    neighbours ("a4-a5") between which nothing goes on foot.
    """

    __pydantic_config__ = _STRICT
    files: Annotated[int, Field(ge=1, le=26)]
    ranks: Annotated[int, Field(ge=1, le=26)]
    void: SquareSet = field(default_factory=list)
    merged: dict[Annotated[str, Field(pattern=SQUARE)], SquareSet] = field(default_factory=dict)
    barriers: Annotated[list[Annotated[str, Field(pattern=PAIR)]], Field(max_length=512)] = field(default_factory=list)
    camps: SquareSet = field(default_factory=list)
    camp_diagonals: bool = False
    rails: Annotated[list[RailLine], Field(max_length=64)] = field(default_factory=list)
    headquarters: SeatSquares = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SeatsTable:
    """[seats]: how many, who plays with whom, what happens to a beaten seat, whether partners see each other."""

    __pydantic_config__ = _STRICT
    count: Annotated[int, Field(ge=2, le=4)]
    symmetry: Literal["half-turn", "quarter-turn", "none"] = "half-turn"
    forward: dict[SeatKey, Direction] = field(default_factory=dict)
    teams: Annotated[list[list[Annotated[int, Field(ge=1, le=4)]]], Field(max_length=4)] = field(default_factory=list)
    elimination: Literal["match-ends", "last-side-wins"] = "match-ends"
    partner_view: bool = False


@dataclass(frozen=True, slots=True)
class MovementTable:
    """[movement.NAME]: how far a piece goes straight along files and ranks. `range` is for all four directions.

    `fly` goes to any square, over anything; `hop` over one neighbouring piece to the empty square right behind it;
    `road` is one step along any road; `rail` any distance along a rail line over empty squares, or along all rails.
    `leap` any distance forward and backward along the file, over anything; `none` is a piece that never moves.
    """

    __pydantic_config__ = _STRICT
    range: Reach | None = None
    forward: Reach = 0
    backward: Reach = 0
    sideways: Reach = 0
    fly: bool = False
    hop: bool = False
    leap: bool = False
    road: bool = False
    rail: Literal["no", "straight", "turning"] = "no"


@dataclass(frozen=True, slots=True)
class KindTable:
    """[[kinds]]: one kind of piece; `count` is for each seat, `movement` the name of a [movement] table or "none"."""

    __pydantic_config__ = _STRICT
    id: Word
    letter: Annotated[str, Field(pattern=LETTER)]
    name: Annotated[str, Field(min_length=1, max_length=60)]
    count: Annotated[int, Field(ge=1, le=255)]
    movement: Word


@dataclass(frozen=True, slots=True)
class ArrangementTable:
    """[arrangement]: where a seat may place its pieces. `only` and `never` narrow the zone for a kind.

    With `fixed` instead of a zone every piece has its place, and a match begins with play.
    """

    __pydantic_config__ = _STRICT
    zone: SeatSquares | None = None
    fixed: dict[Word, SeatSquares] = field(default_factory=dict)
    only: dict[Word, SeatSquares] = field(default_factory=dict)
    never: dict[Word, SeatSquares] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CombatException:
    """One line of combat.exceptions: the first that names both kinds decides, before the order does."""

    __pydantic_config__ = _STRICT
    outcome: Outcome
    attacker: Words | Literal["any"] = "any"
    defender: Words | Literal["any"] = "any"
    equal: bool = False


@dataclass(frozen=True, slots=True)
class CombatTable:
    """[combat]: capture by moving onto an enemy piece. `order` goes from strongest to weakest; equals both go.

    `death_shows`: when a piece of the first kind is removed, its seat's pieces of the second are shown to everybody.
    Kinds in `borrows` defend with the strength of their side's piece right behind them, and lose to all without one.
    """

    __pydantic_config__ = _STRICT
    order: Words
    exceptions: Annotated[list[CombatException], Field(max_length=1024)] = field(default_factory=list)
    reveal: Literal["none", "event", "shown"] = "none"
    borrows: Words = field(default_factory=list)
    death_shows: dict[Word, Word] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CustodialTable:
    """[custodial]: capture of enemy runs between the moved piece and another of its side; nothing is entered.

    `run`: the longest run, "any" or 1. `corner`: an enemy in a corner falls when both its neighbours are taken by the
    mover. `intervention`: so do two enemies between which the moved piece comes to stand.
    """

    __pydantic_config__ = _STRICT
    run: Literal["any", 1] = "any"
    corner: bool = False
    intervention: bool = False


@dataclass(frozen=True, slots=True)
class RestrictionsTable:
    """[restrictions]: moves that are barred for their repetition.

    `headquarters_freeze`: what stands on a headquarters stays there.
    `two_squares`: how often in a row one border may be crossed, 0 for any number. `more_squares`: no endless chase.
    """

    __pydantic_config__ = _STRICT
    two_squares: Literal[0, 3, 5] = 0
    more_squares: bool = False
    headquarters_freeze: bool = False


@dataclass(frozen=True, slots=True)
class ObjectiveCaptured:
    """The seat that loses a piece of these kinds by capture is beaten."""

    __pydantic_config__ = _STRICT
    when: Literal["objective-captured"]
    kinds: Words


@dataclass(frozen=True, slots=True)
class FlagCaptured:
    """A battle whose outcome is marked "!" beats the owner of the flag."""

    __pydantic_config__ = _STRICT
    when: Literal["flag-captured"]


@dataclass(frozen=True, slots=True)
class HeadquartersEntered:
    """A piece that ends its own move on an enemy headquarters wins, but for the kinds in `excluded`."""

    __pydantic_config__ = _STRICT
    when: Literal["headquarters-entered"]
    excluded: Words = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FlagReached:
    """A piece of these kinds that ends its own move on `goal` wins once every other seat has had a turn.

    With `arrival = "adjacent"` it wins at once when no enemy stands next to it. A claim that is "silent" is known to
    its own seat alone; one that is "announced", to everybody.
    """

    __pydantic_config__ = _STRICT
    when: Literal["flag-reached"]
    kinds: Words
    goal: SeatSquares
    arrival: Literal["claim", "adjacent"] = "claim"
    claim: Literal["silent", "announced"] = "silent"


@dataclass(frozen=True, slots=True)
class CaptureThreshold:
    """A seat that is left with at most `left` pieces is beaten."""

    __pydantic_config__ = _STRICT
    when: Literal["capture-threshold"]
    left: Annotated[int, Field(ge=0, le=254)]


@dataclass(frozen=True, slots=True)
class CaptureTarget:
    """A side that has captured so many pieces wins; so does one whose last enemy piece has gone."""

    __pydantic_config__ = _STRICT
    when: Literal["capture-target"]
    captured: Annotated[int, Field(ge=1, le=255)]


@dataclass(frozen=True, slots=True)
class CaptureLead:
    """A seat whose turn comes and that has captured so many more than the other wins. For two seats."""

    __pydantic_config__ = _STRICT
    when: Literal["capture-lead"]
    lead: Annotated[int, Field(ge=1, le=255)]


@dataclass(frozen=True, slots=True)
class Line:
    """A move that completes an unbroken line of the mover's pieces wins. Squares in `barred` do not count."""

    __pydantic_config__ = _STRICT
    when: Literal["line"]
    length: Annotated[int, Field(ge=2, le=26)]
    along: list[Literal["file", "rank", "diagonal"]]
    barred: SeatSquares = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Repetition:
    """The same seats on the same squares with the same side to move, for the n-th time, is a draw."""

    __pydantic_config__ = _STRICT
    when: Literal["repetition"]
    occurrences: Annotated[int, Field(ge=2, le=10)]


@dataclass(frozen=True, slots=True)
class NoLegalMove:
    """The seat about to move has no legal move: it is beaten, or passed over.

    With `both_stuck = "draw"` it is a draw when the seat that has just moved could not move either.
    """

    __pydantic_config__ = _STRICT
    when: Literal["no-legal-move"]
    stuck: Literal["loses", "passes"] = "loses"
    both_stuck: Literal["mover-wins", "draw"] = "mover-wins"


EndingTable = Annotated[
    ObjectiveCaptured
    | FlagCaptured
    | HeadquartersEntered
    | FlagReached
    | CaptureThreshold
    | CaptureTarget
    | CaptureLead
    | Line
    | Repetition
    | NoLegalMove,
    Field(discriminator="when"),
]


@dataclass(frozen=True, slots=True)
class OptionTable:
    """[options.NAME]: a choice that is fixed when a match starts. The first value is the default."""

    __pydantic_config__ = _STRICT
    meaning: Annotated[str, Field(min_length=1, max_length=400)]
    values: Annotated[
        list[Annotated[str, Field(pattern=OPTION_VALUE, max_length=40)]], Field(min_length=1, max_length=16)
    ]


@dataclass(frozen=True, slots=True)
class RulesetFile:
    """A whole ruleset file. Of several revisions of one id, new matches take the highest."""

    __pydantic_config__ = _STRICT
    id: Word
    name: Annotated[str, Field(min_length=1, max_length=60)]
    summary: Annotated[str, Field(min_length=1, max_length=1000)]
    board: BoardTable
    seats: SeatsTable
    kinds: Annotated[list[KindTable], Field(min_length=1, max_length=32)]
    movement: dict[Word, MovementTable]
    arrangement: ArrangementTable
    endings: Annotated[list[EndingTable], Field(max_length=12)]
    revision: Annotated[int, Field(ge=1, le=999_999)] = 1
    combat: CombatTable | None = None
    custodial: CustodialTable | None = None
    information: Literal["hidden", "perfect"] = "hidden"
    restrictions: RestrictionsTable = field(default_factory=RestrictionsTable)
