"""How a match ends by a move.

A game lists its endings in the order in which they are looked at after each move; the first
one that applies decides.
"""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from .contact import Turn
from .options import limit

if TYPE_CHECKING:
    from .match import Match

Result = tuple[frozenset[int], str]
"""The winning seats, none for a draw, and the reason."""

Ending = Callable[["Match", Turn], Result | None]

LONGEST_MEMORY = 4095
"""Moves in a row without a capture after which a game that counts repetitions is drawn."""


def draw(reason: str) -> Result:
    return frozenset(), reason


def win(seat: int, reason: str) -> Result:
    return frozenset((seat,)), reason


def flag_taken(match: "Match", turn: Turn) -> Result | None:
    """The combat letter itself says that a flag has fallen, and whose."""
    if not turn.outcome.endswith("!"):
        return None
    by_attack = turn.outcome != "D!"
    if by_attack and match.claim not in (0, turn.seat):
        match.coverage.add("claim:refuted")
    return win(turn.seat if by_attack else match.rules.opponent(turn.seat), "flag-captured")


def flag_puts_out(match: "Match", turn: Turn) -> Result | None:
    """Whose flag is captured is out, and only then perhaps the match over."""
    return match.leave(turn.enemy, "flag-captured") if turn.outcome.endswith("!") else None


def kind_taken(kind: str) -> Ending:
    """A captured piece of this kind wins."""

    def objective_captured(match: "Match", turn: Turn) -> Result | None:
        return win(turn.seat, "objective-captured") if kind in turn.fallen else None

    return objective_captured


def reduced_to(stones: int) -> Ending:
    """The capture leaves the other side at most so many stones."""

    def capture_threshold(match: "Match", turn: Turn) -> Result | None:
        enemy = match.rules.opponent(turn.seat)
        if turn.captured and len(match.position.men[enemy]) <= stones:
            match.coverage.add(f"threshold:left-{stones}")
            return win(turn.seat, "capture-threshold")
        return None

    return capture_threshold


def taken_in_all(stones: int) -> Ending:
    """The mover has captured so many stones since the match began."""

    def capture_threshold(match: "Match", turn: Turn) -> Result | None:
        if turn.captured and match.taken_by(turn.seat) >= stones:
            match.coverage.add(f"threshold:taken-{stones}")
            return win(turn.seat, "capture-threshold")
        return None

    return capture_threshold


def lead_kept(stones: int) -> Ending:
    """The seat that the turn returns to is still so many captured stones ahead."""

    def capture_threshold(match: "Match", turn: Turn) -> Result | None:
        returning = match.rules.opponent(turn.seat)
        if match.taken_by(returning) - match.taken_by(turn.seat) >= stones:
            match.coverage.add("threshold:lead")
            return win(returning, "capture-threshold")
        return None

    return capture_threshold


def square_entered(goals: dict[int, frozenset[int]], without: Collection[str]) -> Ending:
    """A moved piece stands on one of the enemy's goal squares; `goals` go by owner."""

    def headquarters_entered(match: "Match", turn: Turn) -> Result | None:
        enemy = match.rules.opponent(turn.seat)
        if turn.target in goals[enemy] and turn.survived and turn.kind not in without:
            return win(turn.seat, "headquarters-entered")
        return None

    return headquarters_entered


def repeated(times: int) -> Ending:
    """The same public board with the same seat to move."""

    def repetition(match: "Match", turn: Turn) -> Result | None:
        if not turn.quiet:
            match.occurrences.clear()
        return draw("repetition") if match.count_occurrence(turn.seat) >= times else None

    return repetition


def next_seat_stuck(match: "Match", turn: Turn) -> Result | None:
    """The next seat has the turn, or what the game does with one that cannot move."""
    return match.rules.turn_rule(match, match.next_in_play(turn.seat))


def memory_exhausted(match: "Match", turn: Turn) -> Result | None:
    return draw("ply-limit") if match.quiet_plies >= LONGEST_MEMORY else None


def repetition_rule(option: str) -> tuple[tuple[Ending, ...], tuple[Ending, ...]]:
    """For an option `N|off` what comes before, and what after, the look at a stuck seat."""
    return ((), ()) if option == "off" else ((repeated(int(option)),), (memory_exhausted,))


def limits_reached(match: "Match", turn: Turn) -> Result | None:
    plies, quiet_plies = match.limits
    if plies is not None and match.ply >= plies:
        return draw("ply-limit")
    if quiet_plies is not None and match.quiet_plies >= quiet_plies:
        return draw("ply-limit")
    return None


def chosen_limits(options: dict[str, str]) -> tuple[int | None, int | None]:
    return limit(options, "ply_limit"), limit(options, "quiet_limit")
