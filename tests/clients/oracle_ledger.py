"""Which match of the oracle each state in the vectors is: a state is opaque, so both referees play up to it."""

from collections.abc import Iterable, Iterator
from typing import Any

import oracle
from clients.oracle_messages import Words
from shinpan.v1 import action_pb2, match_pb2, state_pb2

import engine_core
from conformance.servers import keys
from service import requests
from service.keyring import read_key_ring
from service.seals import SealedTokens

_SEALS = SealedTokens(read_key_ring(keys(2, 1)), b"", accept_unsealed=True)


def body_of(state: state_pb2.State) -> bytes:
    """What a token seals, or carries openly."""
    return _SEALS.unseal(state.token)


def started(setup: match_pb2.MatchSetup) -> oracle.Match:
    """The match of a setup, its arrangements placed."""
    match = oracle.game(setup.game, dict(setup.options)).start(setup.first_seat or 1)
    for seat, arrangement in sorted(setup.arrangements.items()):
        match.arrange(seat, {placement.square: placement.kind for placement in arrangement.placements})
    return match


def act(match: oracle.Match, action: action_pb2.Action, words: Words) -> None:
    """Do something in a match; IllegalAction when its rules forbid that."""
    seat = action.seat
    match action.WhichOneof("kind"):
        case "arrange":
            match.arrange(seat, {placement.square: placement.kind for placement in action.arrange.placements})
        case "move":
            if seat != match.to_move:
                raise oracle.IllegalAction("another seat is to move")
            match.play(words.text(action.move))
        case "resign":
            match.resign(seat)
        case "offer_draw":
            match.offer_draw(seat)
        case "accept_draw":
            match.accept_draw(seat)
        case "decline_draw":
            match.decline_draw(seat)
        case "ruling":
            _rule(match, action.ruling)


def _rule(match: oracle.Match, ruling: action_pb2.Ruling) -> None:
    if ruling.WhichOneof("decision") == "adjudication":
        match.adjudicate(ruling.adjudication.winners)
        return
    cause = action_pb2.ForfeitCause.Name(ruling.forfeit.cause)
    match.forfeit(ruling.forfeit.seat, cause.removeprefix("FORFEIT_CAUSE_").lower())


class Ledger:
    """The matches of states, by what their tokens seal."""

    def __init__(self, wanted: Iterable[bytes]) -> None:
        """`wanted` are the states that will be asked for."""
        self._wanted = frozenset(wanted)
        self._matches: dict[bytes, oracle.Match] = {}

    def match(self, state: state_pb2.State) -> oracle.Match:
        """The match of a state, to be changed at will."""
        return self._matches[body_of(state)].clone()

    def enter(self, state: state_pb2.State, match: oracle.Match) -> None:
        """That a state is this match."""
        self._matches[body_of(state)] = match.clone()

    def play(self, setup: match_pb2.MatchSetup, actions: Iterable[action_pb2.Action], words: Words) -> oracle.Match:
        """Play a whole match in both referees, and enter the states on the way; the match before the last action."""
        match = before = started(setup)
        for state, action in _states(setup, actions):
            if state in self._wanted:
                self._matches[state] = match.clone()
            if action is not None:
                before = match.clone()
                act(match, action, words)
        return before


def _states(
    setup: match_pb2.MatchSetup, actions: Iterable[action_pb2.Action]
) -> Iterator[tuple[bytes, action_pb2.Action | None]]:
    """The states of a match as the engine writes them, each with the action that follows."""
    game = engine_core.load(setup.game, **dict(setup.options))
    state = game.start(first_seat=setup.first_seat or 1, match_id=setup.match_id)
    for seat, arrangement in sorted(setup.arrangements.items()):
        state = state.arrange(seat, {placement.square: placement.kind for placement in arrangement.placements}).state
    for action in actions:
        yield state.to_bytes(), action
        turn: Any = requests.apply(state, action)
        state = turn.state
    yield state.to_bytes(), None
