"""Matches that threads play against pods while things happen to them; every match is checked against the engine."""

import random
import threading
from collections.abc import Callable, Mapping
from typing import Any, Self

import grpc
from shinpan import SERVICE_CONFIG, Referee, Update

import engine_core
from engine_core import State

GAME = "luzhanqi-mini"
PLIES = 40


class _Named(grpc.UnaryUnaryClientInterceptor):
    """Gives each call a name."""

    def __init__(self, name: str) -> None:
        self._name = name

    def intercept_unary_unary(
        self, continuation: Callable[[Any, Any], Any], client_call_details: Any, request: Any
    ) -> Any:
        metadata = [*(client_call_details.metadata or ()), ("x-request-id", self._name)]
        return continuation(client_call_details._replace(metadata=metadata), request)


class Traffic:
    """Matches without end, one a thread, while the `with` block lasts; leaving it fails when any call did."""

    def __init__(self, target: str, name: str = "traffic", threads: int = 2, seed: int = 1) -> None:
        """`name` is the request id of every call, by which the logs of pods tell whose it was."""
        self._name = name
        channel = grpc.insecure_channel(target, options=[("grpc.service_config", SERVICE_CONFIG)])
        self._channel = channel
        self._referee = Referee(grpc.intercept_channel(channel, _Named(name)))
        self._stop = threading.Event()
        self._progress = threading.Condition()
        self.calls = 0
        """Calls that were answered."""
        self.matches = 0
        """Matches that were played and found to be right."""
        self._errors: list[Exception] = []
        self._threads = [
            threading.Thread(target=self._play, args=(random.Random(seed * 1000 + number),))
            for number in range(threads)
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()
        self._channel.close()
        self._fail()
        assert self.matches, "no match was finished"

    def go_on(self, calls: int) -> None:
        """Wait until so many more calls have been answered; fails when any call has."""
        with self._progress:
            wanted = self.calls + calls
            while self.calls < wanted and not self._errors:
                assert self._progress.wait(60), f"no call of the matches called {self._name} is answered any more"
            self._fail()

    def _fail(self) -> None:
        if self._errors:
            raise self._errors[0]

    def _answered(self) -> None:
        with self._progress:
            self.calls += 1
            self._progress.notify_all()

    def _play(self, chance: random.Random) -> None:
        try:
            while not self._stop.is_set():
                self._match(chance)
        except Exception as error:
            error.add_note(f"in the matches called {self._name}")
            with self._progress:
                self._errors.append(error)
                self._progress.notify_all()

    def _match(self, chance: random.Random) -> None:
        game = engine_core.load(GAME)
        arrangements = {seat: game.random_arrangement(seat, seed=chance.getrandbits(32)) for seat in game.seats}
        answer = self._referee.start_match(GAME, arrangements=arrangements, viewers=game.seats)
        self._answered()
        told = game.start()
        for seat in game.seats:
            told = told.arrange(seat, arrangements[seat]).state
        _compare(told, answer.updates)
        for _ in range(PLIES):
            if told.to_move is None or self._stop.is_set():
                break
            move = chance.choice(told.legal_moves())
            answer = self._referee.move(answer.state, told.to_move, str(move), viewers=game.seats)
            self._answered()
            told = told.play(move).state
            _compare(told, answer.updates)
        with self._progress:
            self.matches += 1


def _compare(told: State, updates: Mapping[int, Update]) -> None:
    """Whether the service says what the engine in this process says."""
    for seat, update in updates.items():
        view = told.view(seat)
        assert (update.view.seats, update.view.kinds) == (view.seats, view.kinds), f"seat {seat} is told a wrong view"
        assert update.status.revision == told.revision
