"""The errors of the engine: one class for each reason, all derived from `RefereeError`.

`reason` is stable, and equal to the error reason of the API. Every dynamic part of a message is also in `details`.
A text never tells more than the acting seat may know: it is made of public facts and of what the caller itself sent.
"""

from collections.abc import Mapping
from typing import ClassVar, NamedTuple


class RefereeError(Exception):
    """Base of all errors of the engine.

    `reason` is the stable upper-case word of the error; `details` maps names to the dynamic parts of the message.
    """

    reason: str = "INVALID_REQUEST"

    def __init__(self, message: str, **details: object) -> None:
        super().__init__(message)
        self.details: Mapping[str, str] = {name: str(value) for name, value in details.items()}


class UnknownGame(RefereeError, ValueError):
    """No game of that id is loaded."""

    reason = "UNKNOWN_GAME"


class UnknownOption(RefereeError, ValueError):
    """The game has no option of that name."""

    reason = "UNKNOWN_OPTION"


class InvalidOptionValue(RefereeError, ValueError):
    """The option has no such value."""

    reason = "INVALID_OPTION_VALUE"


class RulesetError(RefereeError, ValueError):
    """Ruleset files are wrong; `problems` has a line for each mistake: table and key, what is wrong and allowed.

    `source` is the name of the file, or empty when there are several and each problem begins with its file's name.
    """

    reason = "INVALID_RULESET"

    def __init__(self, source: str, problems: tuple[str, ...]) -> None:
        prefix = f"{source}: " if source else ""
        super().__init__("\n".join(prefix + problem for problem in problems), source=source)
        self.problems = problems


class RulesetUnavailable(RefereeError):
    """A state names rules that are not loaded."""

    reason = "RULESET_UNAVAILABLE"


class Violation(NamedTuple):
    """One way in which an arrangement breaks the rules."""

    square: str
    """The square concerned, or "" when the whole arrangement is."""
    problem: str
    """outside-zone, wrong-count, unknown-kind, unknown-square, kind-not-allowed-here or square-used-twice."""
    description: str
    """A sentence: what is wrong, and what would be right."""
    place: int = -1
    """The place, from 0, of the piece among those given, or -1 when the whole arrangement is concerned."""


class InvalidArrangement(RefereeError, ValueError):
    """An arrangement breaks the rules; `violations` lists every way in which it does."""

    reason = "INVALID_ARRANGEMENT"

    def __init__(self, seat: int, violations: tuple[Violation, ...]) -> None:
        sentences = " ".join(violation.description for violation in violations[:8])
        if len(violations) > 8:
            sentences += f" There are {len(violations) - 8} further violations."
        super().__init__(f"The arrangement of seat {seat} is not legal. {sentences}", seat=seat)
        self.violations = violations


class InvalidPosition(RefereeError, ValueError):
    """A position to load is not one of the game."""

    reason = "INVALID_POSITION"


class InvalidSeat(RefereeError, ValueError):
    """The game has no such seat."""

    reason = "INVALID_SEAT"


class InvalidViewer(RefereeError, ValueError):
    """Neither a seat of the game, nor SPECTATOR, nor REFEREE."""

    reason = "INVALID_VIEWER"


class InvalidAction(RefereeError, ValueError):
    """An action carries a value that it cannot have, such as an unknown cause of a forfeit."""

    reason = "INVALID_ACTION"


class MalformedMove(RefereeError, ValueError):
    """Not two squares of the board."""

    reason = "MALFORMED_MOVE"


class IllegalMove(RefereeError):
    """A well-formed move that the seat to move may not make."""

    reason = "ILLEGAL_MOVE"


class NotYourTurn(RefereeError):
    """Another seat is to move."""

    reason = "NOT_YOUR_TURN"


class MatchOver(RefereeError):
    """The match has ended."""

    reason = "MATCH_OVER"


class ArrangementPending(RefereeError):
    """Not every seat has arranged its pieces, so play has not begun."""

    reason = "ARRANGEMENT_PENDING"


class AlreadyArranged(RefereeError):
    """The seat has arranged its pieces; an arrangement is final."""

    reason = "ALREADY_ARRANGED"


class SeatOut(RefereeError):
    """The seat is no longer in play."""

    reason = "SEAT_OUT"


class DrawOfferOpen(RefereeError):
    """A draw has been offered already."""

    reason = "DRAW_OFFER_OPEN"


class NoDrawOffer(RefereeError):
    """There is no draw offer that this seat could answer."""

    reason = "NO_DRAW_OFFER"


class BudgetExceeded(RefereeError):
    """A playout, a perft or a count would take more than is allowed; it was given up."""

    reason = "BUDGET_EXCEEDED"


class StateError(RefereeError, ValueError):
    """The bytes are not a state that the codec has written.

    `reason` is one of `REASONS`; which one says where the first fault was found.
    """

    REASONS: ClassVar[tuple[str, ...]] = (
        "STATE_LENGTH",
        "STATE_VERSION",
        "STATE_CHECKSUM",
        "STATE_HEADER",
        "STATE_PHASE",
        "STATE_ROSTER",
        "STATE_OCCUPANCY",
        "STATE_EVIDENCE",
        "STATE_HISTORY",
        "STATE_RESULT",
    )

    def __init__(self, reason: str, message: str, **details: object) -> None:
        super().__init__(message, **details)
        self.reason = reason
