"""Matches that threads play against pods while things happen to them; every match is checked against the engine."""

import random
import threading
from collections.abc import Mapping
from typing import Self

from shinpan import Referee, Update

import engine_core
from engine_core import State

GAME = "luzhanqi-mini"
PLIES = 40


class Traffic:
    """Matches without end, one a thread, while the `with` block lasts; leaving it fails when any call did."""

    def __init__(self, target: str, threads: int = 4, seed: int = 1) -> None:
        self._referee = Referee(target)
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
        self._referee.close()
        if self._errors:
            raise self._errors[0]
        assert self.matches, "no match was finished"

    def go_on(self, calls: int) -> None:
        """Wait until so many more calls have been answered."""
        with self._progress:
            wanted = self.calls + calls
            while self.calls < wanted and not self._errors:
                assert self._progress.wait(60), "no call is answered any more"

    def _answered(self) -> None:
        with self._progress:
            self.calls += 1
            self._progress.notify_all()

    def _play(self, chance: random.Random) -> None:
        try:
            while not self._stop.is_set():
                self._match(chance)
        except Exception as error:
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
