"""A match that is played through the service, and checked against the engine in this process.

A match notes what was asked for and the digest of every state that was answered. The check plays the same actions again
without the service and compares: every state on the way, the last one byte by byte, and what each seat is told of it.
"""

import hashlib
import random
from typing import Final

from shinpan import Answer, Update

import engine_core
from engine_core import RefereeError, State
from load.scenarios.played import Arranged, Moved, Played, Resigned
from service.tokens import PLAIN

_DIGEST_BYTES: Final = 16


class WrongAnswer(Exception):
    """The service said something else than the engine does."""


class Match:
    """One match of players who move at random, from what StartMatch answered with all seats as viewers.

    Its seed decides their arrangements and moves; after `patience` actions the seat to move resigns.
    """

    def __init__(self, game_id: str, opening: Answer, seed: int, patience: int) -> None:
        self.game = engine_core.load(game_id)
        self._name = f"{game_id}, seed {seed}"
        self._chance = random.Random(seed)
        self._patience = patience
        self._played: list[Played] = []
        self._digests = [opening.digest]
        self.answer = opening
        """What was answered last."""

    def next_action(self) -> Played | None:
        """What the players do next; None once the match has ended. WrongAnswer when nobody is told what to do."""
        status = self._update(self.game.seats[0]).status
        if status.phase == "arrangement":
            seat = next(seat for seat in self.game.seats if seat not in status.seats_arranged)
            return Arranged(seat, self.game.random_arrangement(seat, seed=self._chance.getrandbits(32)))
        if status.to_move is None:
            return None
        if len(self._played) >= self._patience:
            return Resigned(status.to_move)
        legal = self._update(status.to_move).legal_actions
        if legal is None or not legal.moves:
            raise WrongAnswer(f"{self._name}: seat {status.to_move} is to move and is told no move")
        return Moved(status.to_move, self._chance.choice(legal.moves))

    def took(self, action: Played, answer: Answer) -> None:
        """ApplyAction, with all seats as viewers, was answered."""
        self.answer = answer
        self._played.append(action)
        self._digests.append(answer.digest)

    def check(self) -> State:
        """The state that the match is in by the engine; WrongAnswer when that of the service is another."""
        state = self.game.start()
        self._check_digest(0, state)
        for number, action in enumerate(self._played, 1):
            try:
                state = action.on(state)
            except RefereeError as error:
                raise WrongAnswer(
                    f"{self._name}: action {number}, {action}, is refused by the engine: {error}"
                ) from None
            self._check_digest(number, state)
        if self.answer.state != PLAIN.seal(state.to_bytes()):
            raise WrongAnswer(f"{self._name}: the last state has other bytes than its digest says")
        for seat in self.game.seats:
            self._check_update(state, seat)
        return state

    def _update(self, seat: int) -> Update:
        update = self.answer.updates.get(seat)
        if update is None:
            raise WrongAnswer(f"{self._name}: seat {seat} gets no update")
        return update

    def _check_digest(self, number: int, state: State) -> None:
        expected = hashlib.sha256(PLAIN.seal(state.to_bytes())).digest()[:_DIGEST_BYTES]
        if self._digests[number] != expected:
            raise WrongAnswer(f"{self._name}: the state after {number} actions is not that of the engine")

    def _check_update(self, state: State, seat: int) -> None:
        """What a seat was told last: the board, the result, and its moves."""
        update, view = self._update(seat), state.view(seat)
        told, shown = update.view, (view.seats, view.kinds, view.origins, view.flags)
        if (told.seats, told.kinds, told.origins, told.flags) != shown:
            raise WrongAnswer(f"{self._name}: seat {seat} is shown another board than by the engine")
        ended = update.status.result
        if (None if ended is None else (ended.winners, ended.reason)) != state.result:
            raise WrongAnswer(
                f"{self._name}: seat {seat} is told the result {ended}; by the engine it is {state.result}"
            )
        if state.to_move == seat:
            legal = () if update.legal_actions is None else update.legal_actions.moves
            if list(legal) != sorted(move.source << 8 | move.target for move in state.legal_moves()):
                raise WrongAnswer(f"{self._name}: seat {seat} is told other moves than by the engine")
