"""A user of the service: one channel with a connection of its own, and matches that are checked."""

import itertools
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar, Final

import grpc
from grpc.experimental.gevent import init_gevent
from locust import User
from locust.runners import WorkerRunner
from shinpan import Referee, ServiceError

import engine_core
from load.scenarios.match import Match, WrongAnswer
from load.scenarios.request_events import CHECK, RequestEvents

init_gevent()  # before any channel: calls of users wait for each other's answers otherwise

_OPTIONS: Final = (
    ("grpc.use_local_subchannel_pool", 1),  # channels share connections otherwise
    ("grpc.enable_retries", 0),  # what fails is to be seen
    ("grpc.max_receive_message_length", 5 * 1024 * 1024),
)
_PAUSE_SECONDS: Final = 1.0
"""After an error without a word on when to try again."""


class RefereeUser(User):
    """Base of the users: `self.referee` is its connection, `self.chance` its dice."""

    abstract = True
    host: str = "127.0.0.1:50051"
    _numbers: ClassVar[Iterator[int]] = itertools.count(1)

    def on_start(self) -> None:
        """Connect."""
        options = self.environment.parsed_options
        self._channel = grpc.insecure_channel(self.host, _OPTIONS)
        self.referee = Referee(
            grpc.intercept_channel(self._channel, RequestEvents(self.environment.events.request.fire))
        )
        runner = self.environment.runner
        worker = runner.worker_index if isinstance(runner, WorkerRunner) else 0
        self.chance = random.Random(1_000_000 * (1000 * options.seed + worker) + next(self._numbers))
        self.patience: int = options.patience

    def on_stop(self) -> None:
        """Disconnect."""
        self._channel.close()

    def think(self) -> None:
        """Wait as long as a player thinks: at random, with the mean that was asked for."""
        mean = self.environment.parsed_options.think_seconds
        if mean:
            time.sleep(self.chance.expovariate(1 / mean))

    def new_match(self, game_id: str) -> Match:
        """A match that has begun."""
        opening = self.referee.start_match(game_id, viewers=engine_core.load(game_id).seats)
        return Match(game_id, opening, self.chance.getrandbits(32), self.patience)

    def check_match(self, match: Match) -> None:
        """Compare a match, ended or not, with the engine, and tell Locust."""
        with self.checking("match"):
            match.check()

    @contextmanager
    def checking(self, name: str) -> Iterator[None]:
        """Compare something with the engine: a WrongAnswer in the block is told to Locust as its error."""
        started = time.perf_counter()
        wrong: WrongAnswer | None = None
        try:
            yield
        except WrongAnswer as error:
            wrong = error
        self.tell(CHECK, name, time.perf_counter() - started, wrong)

    def tell(self, kind: str, name: str, seconds: float, error: Exception | None) -> None:
        """Tell Locust of something that is not a call of the channel."""
        self.environment.events.request.fire(
            request_type=kind, name=name, response_time=1000 * seconds, response_length=0, exception=error, context={}
        )

    @contextmanager
    def giving_up(self) -> Iterator[None]:
        """A call that fails, of which Locust has been told, ends what is in the block; then the user pauses."""
        try:
            yield
        except ServiceError as error:
            time.sleep(error.retry_after or _PAUSE_SECONDS)
