"""The scenario `bots`: programs that play many matches at once in batches, and search by playouts."""

from collections.abc import Sequence
from typing import Final

from locust import task
from shinpan import Playouts, ServiceError

import engine_core
from engine_core import State
from load.scenarios.match import Match, WrongAnswer
from load.scenarios.played import Played
from load.scenarios.request_events import CALL
from load.scenarios.user import RefereeUser

MATCHES: Final = 32
"""Matches of one bot at a time, and so items of its batches."""
SEARCHED: Final = 8
"""Of its matches, those from which it has random games played after each search turn."""
SEARCH_TURNS: Final = 25
"""Turns between two searches."""
GAMES: Final = 10
"""Random games from each state that is searched."""


class BotsUser(RefereeUser):
    """A bot that plays all sides of its matches and thinks once for all of them."""

    @task
    def play(self) -> None:
        """Some matches, from their beginning until the last of them ends."""
        with self.giving_up():
            matches: list[Match] = []
            try:
                for _ in range(MATCHES):
                    matches.append(self.new_match(self.environment.parsed_options.game))
                self._play_all(matches)
            finally:
                for match in matches:
                    self.check_match(match)

    def _play_all(self, matches: Sequence[Match]) -> None:
        turns = 0
        while under_way := [(match, action) for match in matches if (action := match.next_action()) is not None]:
            self.think()
            self._turn(under_way)
            turns += 1
            if turns % SEARCH_TURNS == 0:
                self._search([match for match, _ in under_way][:SEARCHED])

    def _turn(self, under_way: Sequence[tuple[Match, Played]]) -> None:
        """One action in each match, all in one call; after an item that fails its error ends the turn."""
        items = [(match.answer.state, action.message()) for match, action in under_way]
        answers = self.referee.apply_many(items, viewers=under_way[0][0].game.seats)
        failed: ServiceError | None = None
        for (match, action), answer in zip(under_way, answers, strict=True):
            if isinstance(answer, ServiceError):
                self.tell(CALL, "item of BatchApplyActions", 0, answer)
                failed = answer
            else:
                match.took(action, answer)
        if failed is not None:
            raise failed

    def _search(self, matches: Sequence[Match]) -> None:
        """Random games from some matches; the same seed has to give the same games in this process."""
        with self.checking("playouts"):
            states = [match.check() for match in matches]
            seed = self.chance.getrandbits(32)
            answers = self.referee.playout_many([match.answer.state for match in matches], GAMES, seed)
            for place, (state, answer) in enumerate(zip(states, answers, strict=True)):
                if isinstance(answer, ServiceError):
                    self.tell(CALL, "item of BatchPlayouts", 0, answer)
                    raise answer
                _compare(state, seed + place, answer)


def _compare(state: State, seed: int, answer: Playouts) -> None:
    played = engine_core.playout(state, GAMES, seed)
    told = {(result.winners, result.reason): games for result, games in answer.results.items()}
    if (answer.games, answer.plies, told) != (played.games, played.plies, played.results):
        raise WrongAnswer(f"playouts of {state.game.id} with seed {seed} end otherwise in the engine")
