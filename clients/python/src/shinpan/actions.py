"""Actions: what a seat, or the backend, does in a match."""

from collections.abc import Iterable, Mapping
from typing import Literal

from shinpan.v1 import action_pb2
from shinpan.v1.action_pb2 import Action

Cause = Literal["time", "abandonment", "ruling"]


def arrangement(pieces: Mapping[str, str]) -> action_pb2.Arrangement:
    """An arrangement message of squares and kinds, such as {"a1": "leader"}."""
    placements = [action_pb2.Placement(square=square, kind=kind) for square, kind in pieces.items()]
    return action_pb2.Arrangement(placements=placements)


def arrange(seat: int, pieces: Mapping[str, str]) -> Action:
    """A seat places its pieces: squares and kinds."""
    return Action(seat=seat, arrange=arrangement(pieces))


def move(seat: int, move: str | int) -> Action:
    """A seat moves: "b3b4", or `source << 8 | target` as in legal actions."""
    if isinstance(move, str):
        return Action(seat=seat, move=action_pb2.Move(text=move))
    return Action(seat=seat, move=action_pb2.Move(packed=move))


def resign(seat: int) -> Action:
    """A seat resigns."""
    return Action(seat=seat, resign=action_pb2.Resignation())


def offer_draw(seat: int) -> Action:
    """A seat offers a draw."""
    return Action(seat=seat, offer_draw=action_pb2.DrawOffer())


def accept_draw(seat: int) -> Action:
    """A seat accepts the open draw offer."""
    return Action(seat=seat, accept_draw=action_pb2.DrawAcceptance())


def decline_draw(seat: int) -> Action:
    """A seat declines the open draw offer."""
    return Action(seat=seat, decline_draw=action_pb2.DrawRefusal())


def forfeit(seat: int, cause: Cause) -> Action:
    """The backend decides that a seat loses."""
    value = action_pb2.ForfeitCause.Value(f"FORFEIT_CAUSE_{cause.upper()}")
    return Action(ruling=action_pb2.Ruling(forfeit=action_pb2.Forfeit(seat=seat, cause=value)))


def adjudicate(winners: Iterable[int]) -> Action:
    """The backend ends the match; without winners it is a draw."""
    return Action(ruling=action_pb2.Ruling(adjudication=action_pb2.Adjudication(winners=winners)))
