"""What a seat may try in a state: requests of every method that takes a state, of which most are refused."""

import random
from collections.abc import Iterator
from functools import cache

from contract import apply_request, arrangement, move, named, resign, wrap
from engine.channels import probes, tells_more
from engine.scripted import Action, tell_engine
from shinpan.v1 import action_pb2, referee_service_pb2

import engine_core
from engine_core import State

Request = referee_service_pb2.ApplyActionRequest

REASONS = (
    "ILLEGAL_MOVE",
    "NOT_YOUR_TURN",
    "MALFORMED_MOVE",
    "MATCH_OVER",
    "ARRANGEMENT_PENDING",
    "ALREADY_ARRANGED",
    "INVALID_ARRANGEMENT",
    "DRAW_OFFER_OPEN",
    "NO_DRAW_OFFER",
    "STALE_STATE",
    "FIELD_REQUIRED",
    "INVALID_SEAT",
    "INVALID_VIEWER",
    "VIEWER_UNSPECIFIED",
    "HYPOTHETICAL_STATE",
    "REAL_STATE",
)
"""The reasons for which an action of a seat, or a call about a state, can be refused in any game."""
AMONG_MANY = ("SEAT_OUT",)
"""Reasons besides where seats can be out."""

QUIET = {
    "resign": "resign",
    "offer-draw": "offer_draw",
    "accept-draw": "accept_draw",
    "decline-draw": "decline_draw",
}
"""Actions without a value, by their names in the engine and in the API."""


def tried(state: State, seat: int, viewers: tuple[int, ...], rng: random.Random) -> Iterator[Request]:
    """Actions of a seat whose answers may depend only on what it knows: no legal moves, for they may show a piece."""
    game = state.game
    for engine_name, name in QUIET.items():
        if not _shows_something(state, Action(engine_name, seat)):
            action = action_pb2.Action(seat=seat)
            getattr(action, name).SetInParent()
            yield apply_request(state, action, viewers=named(*viewers), include_diagrams=True)
    if state.phase == "play" and seat not in state.out and not state.draw_agreed:
        again = action_pb2.Action(seat=seat, offer_draw=action_pb2.DrawOffer())
        yield apply_request(state.offer_draw(seat).state, again)
    own = _arrangement_of(game, seat)
    wrong: tuple[list[tuple[str, str]], ...] = (
        [],
        own[1:],
        [*own, own[0], ("z9", "nobody")],
        [(square, own[0][1]) for square in game.squares],
    )
    choices = [*wrong] if _shows_something(state, Action("arrange", seat, dict(own))) else [own, *wrong]
    for pieces in choices:
        yield apply_request(state, action_pb2.Action(seat=seat, arrange=arrangement(pieces)), viewers=named(*viewers))
    legal = {int(one) for one in state.legal_moves()} if state.to_move == seat else set()
    spots = probes(game, rng)
    for packed in (*rng.sample(spots, min(24, len(spots))), 65535, 65536):
        if packed not in legal:
            yield apply_request(state, move(seat, packed), viewers=named(*viewers))
    first = game.squares[0]
    for text in (first, first + first, "", f"{first} {first}"):
        yield apply_request(state, move(seat, text))
    yield apply_request(state, resign(seat), expected_revision=state.revision + 1)
    yield apply_request(state, resign(9))
    yield apply_request(state, resign(seat), expect_hypothetical=True)
    yield apply_request(state, action_pb2.Action(seat=seat))
    yield Request(state=wrap(state))
    yield apply_request(state, resign(seat), viewers=named(seat, 0))
    yield apply_request(state, resign(seat), viewers=named(seat, 13))
    yield apply_request(state, resign(seat), viewers=named(seat, seat))


def _shows_something(state: State, action: Action) -> bool:
    """Whether everybody learns something more of hidden pieces from this action, if it is accepted."""
    try:
        after = tell_engine(state, action).state
    except engine_core.RefereeError:
        return False
    return tells_more(state, after, action.seat)


@cache
def _arrangement_of(game: engine_core.Game, seat: int) -> list[tuple[str, str]]:
    return list(game.random_arrangement(seat, seed=1).items())
