"""A flag on the far back row, and the claim to victory that it opens."""

from typing import TYPE_CHECKING

from .contact import Turn
from .endings import Result, win

if TYPE_CHECKING:
    from .match import Match


def _arrived(match: "Match", turn: Turn) -> bool:
    enemy = match.rules.opponent(turn.seat)
    return turn.kind == "flag" and turn.survived and turn.target in match.rules.board.back_row(enemy)


def unopposed_arrival(match: "Match", turn: Turn) -> Result | None:
    """The arriving flag has no enemy orthogonally beside it: no claim is needed."""
    near = match.rules.board.neighbours[turn.target]
    if _arrived(match, turn) and not match.position.has_enemy(turn.seat, near):
        match.coverage.add("claim:unopposed")
        return win(turn.seat, "flag-reached")
    return None


def ripe(match: "Match", turn: Turn) -> Result | None:
    """The other side has just completed the one turn that it had against the claim."""
    if match.claim in (0, turn.seat):
        return None
    match.coverage.add("claim:ripened")
    if _arrived(match, turn):
        match.coverage.add("claim:second")
    return win(match.claim, "flag-reached")


def open_claim(match: "Match", turn: Turn) -> None:
    """To be called when a move has not ended the match."""
    if _arrived(match, turn):
        match.claim = turn.seat
        match.coverage.add("claim:opened")
        if match.rules.announces_claims:
            match.record.noted("claim", turn.seat)
