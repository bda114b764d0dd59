"""The scenarios `match` and `mixed`: people who play whole matches, one call a turn, with views for every seat."""

from locust import task

import engine_core
from load.scenarios.match import Match
from load.scenarios.user import RefereeUser


class MatchUser(RefereeUser):
    """All players of one match after another of the game that was asked for; they think before each action."""

    @task
    def play(self) -> None:
        """One match."""
        self.play_match(self.environment.parsed_options.game)

    def play_match(self, game_id: str) -> None:
        """One match of a game; it is checked, however far it comes."""
        with self.giving_up():
            match = self.new_match(game_id)
            try:
                self._turns(match)
            finally:  # the run may end in the middle of a match
                self.check_match(match)

    def _turns(self, match: Match) -> None:
        while (action := match.next_action()) is not None:
            self.think()
            viewers = match.game.seats
            match.took(action, self.referee.apply(match.answer.state, action.message(), viewers=viewers))


class MixedUser(MatchUser):
    """The same with matches of all games, each as likely."""

    weight = 9  # beside bots, who load a server more each

    def on_start(self) -> None:
        """Have the rules of all games at hand, so that reading them is no part of a call's time."""
        for game_id in engine_core.games():
            engine_core.load(game_id)
        super().on_start()

    @task
    def play(self) -> None:
        """One match."""
        self.play_match(self.chance.choice(engine_core.games()))
