"""Seeded matches: random moves, in every second of which something is attacked where anything can be."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from shinpan import actions
from shinpan.v1 import action_pb2, game_pb2, match_pb2, state_pb2, update_pb2
from shinpan.v1 import analysis_service_pb2 as analysis
from shinpan.v1 import referee_service_pb2 as messages
from shinpan.v1.viewer_pb2 import VIEWER_REFEREE, VIEWER_SPECTATOR

from conformance.book import Book

MAX_PLIES = 400
"""A match that is longer is drawn by adjudication."""


@dataclass
class Match:
    """A match as it was played."""

    game: game_pb2.Game
    setup: match_pb2.MatchSetup
    viewers: list[Any]
    """Everybody whom the server answers: the seats, the spectator and, where it answers it, the referee."""
    played: list[action_pb2.Action] = field(default_factory=list)
    """Every action after the setup."""
    states: list[state_pb2.State] = field(default_factory=list)
    """The state of the setup, and those after each action."""
    updates: list[update_pb2.Update] = field(default_factory=list)
    """What seat 1 gets in the last of them, and all others."""

    @property
    def status(self) -> update_pb2.Status:
        """The public facts about the last state."""
        return self.updates[0].status

    @property
    def ended(self) -> bool:
        """Whether it has a result."""
        return self.status.HasField("result")

    def update_of(self, seat: int) -> update_pb2.Update:
        """What a seat gets in the last state."""
        return self.updates[seat - 1]

    def go_on(self, answer: messages.StartMatchResponse | messages.ApplyActionResponse) -> None:
        """Take over the state and the updates of an answer."""
        self.states.append(answer.state)
        self.updates = list(answer.updates)

    def application(self, action: action_pb2.Action, **asked: Any) -> messages.ApplyActionRequest:
        """The request to do something in the last state, for the eyes of everybody."""
        return messages.ApplyActionRequest(state=self.states[-1], action=action, viewers=self.viewers, **asked)


def describe(book: Book, game: str, options: Mapping[str, str]) -> game_pb2.Game:
    """A game with these options."""
    answer = book.ask(messages.GetGameRequest(game=game, options=options))
    found: game_pb2.Game = answer.game
    return found


def opened(book: Book, game: game_pb2.Game, options: Mapping[str, str], first_seat: int, seed: int) -> Match:
    """A match with random arrangements in its setup, not yet started."""
    setup = match_pb2.MatchSetup(
        game=game.id, options=options, match_id=f"{game.id[:20]}-{seed}".encode(), first_seat=first_seat
    )
    for seat in () if game.fixed_start else game.seats:
        drawing = analysis.DrawArrangementRequest(game=game.id, options=options, seat=seat.number, seed=seed)
        setup.arrangements[seat.number].CopyFrom(book.ask(drawing).arrangement)
    viewers = [*(seat.number for seat in game.seats), VIEWER_SPECTATOR]
    if book.server == "plain":
        viewers.append(VIEWER_REFEREE)
    return Match(game, setup, viewers)


def chosen(match: Match, chance: random.Random) -> action_pb2.Action:
    """A random move of the seat to move; an adjudication when the match is too long."""
    if match.status.ply >= MAX_PLIES:
        return actions.adjudicate([])
    seat = match.status.to_move
    update = match.update_of(seat)
    moves = update.legal_actions.moves
    attacks = [move for move in moves if update.view.seats[move & 255]]
    return actions.move(seat, chance.choice(attacks if attacks and chance.random() < 0.5 else moves))
