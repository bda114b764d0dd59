"""The turn comes to a seat: it is to move, or something happens since it cannot."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from .endings import Result, draw, win

if TYPE_CHECKING:
    from .match import Match

TurnRule = Callable[["Match", int], Result | None]
"""Gives the turn to this seat or to a later one, unless that ends the match."""


def loses_when_stuck(match: "Match", seat: int) -> Result | None:
    """For a game of two."""
    if match.prepare_moves(seat):
        match.to_move = seat
        return None
    enemy = match.rules.opponent(seat)
    # A side that could move but for a restriction is not stuck for this: it simply loses.
    if match.unrestricted_moves(seat):
        match.coverage.add("stuck:restricted")
    elif not match.unrestricted_moves(enemy):
        match.coverage.add("stuck:both")
        if match.rules.options.get("both_stuck") == "draw":
            return draw("no-legal-move")
    return win(enemy, "no-legal-move")


def passed_over_when_stuck(match: "Match", seat: int) -> Result | None:
    """The next seat that can move has the turn; a draw when there is none."""
    passed: list[int] = []
    while not match.prepare_moves(seat):
        passed.append(seat)
        seat = match.next_in_play(seat)
        if seat in passed:
            match.coverage.add("stuck:all")
            return draw("no-legal-move")
    match.to_move = seat
    for other in passed:
        match.pass_over(other)
    return None


def out_when_stuck(match: "Match", seat: int) -> Result | None:
    """One seat after the other goes out, each from the board that the one before has left."""
    while not match.prepare_moves(seat):
        result = match.leave(seat, "no-legal-move")
        if result:
            return result
        seat = match.next_in_play(seat)
    match.to_move = seat
    return None
