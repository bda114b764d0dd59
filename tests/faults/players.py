"""Players who go on playing through faults: what is not answered they ask again, and every answer has to be right."""

import random
import threading
from collections import Counter
from collections.abc import Callable
from time import monotonic
from typing import Any, Final, Self

import grpc
from contract import arranged_state, move, named, wrap
from shinpan.v1 import referee_service_pb2, referee_service_pb2_grpc

from engine_core import State
from service.tokens import PLAIN, Tokens

GAMES: Final = ("hidden-hasami", "luzhanqi-mini", "mak-yek")
PLIES: Final = 60
SEED: Final = 20261130
TIMEOUT: Final = 2.0
"""Seconds a player waits for an answer before asking again."""
PATIENCE_SECONDS: Final = 60.0
_OPTIONS: Final = (
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 500),
)


class Players:
    """Matches without end, one a player, while the `with` block lasts; leaving it fails when an answer was wrong."""

    def __init__(self, address: str, count: int = 3, tokens: Tokens = PLAIN, timeout: float = TIMEOUT) -> None:
        self._address = address
        self._tokens = tokens
        self._timeout = timeout
        self._stop = threading.Event()
        self._progress = threading.Condition()
        self.answered = 0
        self.unanswered: Counter[grpc.StatusCode] = Counter()
        """Calls that were asked again, by code."""
        self._wrong: list[str] = []
        self._threads = [threading.Thread(target=self._play, args=(number,)) for number in range(count)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        self.go_on()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()
        if kind is None:
            self.check()

    def check(self) -> None:
        """Fail when an answer was wrong."""
        assert not self._wrong, self._wrong[0]

    def go_on(self, calls: int = 60) -> float:
        """Wait until so many more calls have been answered; the seconds that took."""
        begun = monotonic()
        wanted = self.answered + calls
        self._wait(lambda: self.answered >= wanted)
        return monotonic() - begun

    def fail_to(self, calls: int = 3) -> None:
        """Wait until so many more calls have not been answered."""
        wanted = self.unanswered.total() + calls
        self._wait(lambda: self.unanswered.total() >= wanted)

    def _wait(self, condition: Callable[[], bool]) -> None:
        with self._progress:
            done = self._progress.wait_for(lambda: condition() or bool(self._wrong), PATIENCE_SECONDS)
        self.check()
        assert done, f"after {PATIENCE_SECONDS:g} s: {self.answered} answered, {dict(self.unanswered)}"

    def _note(self, code: grpc.StatusCode | None) -> None:
        with self._progress:
            if code is None:
                self.answered += 1
            else:
                self.unanswered[code] += 1
            self._progress.notify_all()

    def _play(self, number: int) -> None:
        chance = random.Random(SEED + number)
        with grpc.insecure_channel(self._address, options=_OPTIONS) as channel:
            referee: Any = referee_service_pb2_grpc.RefereeServiceStub(channel)
            while not self._stop.is_set():
                self._match(referee, arranged_state(chance.choice(GAMES)).state, chance)

    def _match(self, referee: Any, state: State, chance: random.Random) -> None:
        for _ in range(PLIES):
            if state.to_move is None or self._stop.is_set():
                return
            chosen, seat = chance.choice(state.legal_moves()), state.to_move
            token = wrap(state)
            token.token = self._tokens.seal(state.to_bytes())
            request = referee_service_pb2.ApplyActionRequest(
                state=token, action=move(seat, int(chosen)), viewers=named(*state.game.seats)
            )
            state = state.play(chosen).state
            answer = self._ask(referee.ApplyAction, request)
            if answer is not None and (problem := self._problem(state, answer)):
                with self._progress:
                    self._wrong.append(f"{state.game.id}, {chosen} of seat {seat}: {problem}")
                    self._progress.notify_all()
                return

    def _ask(self, method: Any, request: Any) -> Any:
        """The answer, however often it has to be asked for; None when the players are told to stop."""
        while not self._stop.is_set():
            try:
                answer = method(request, timeout=self._timeout)
            except grpc.RpcError as error:
                self._note(error.code())
                self._stop.wait(0.02)
            else:
                self._note(None)
                return answer
        return None

    def _problem(self, expected: State, answer: Any) -> str:
        """In what the answer differs from what the engine in this process says; "" in nothing."""
        if self._tokens.unseal(answer.state.token) != expected.to_bytes():
            return "another state"
        for seat, update in zip(expected.game.seats, answer.updates, strict=True):
            view = expected.view(seat)
            if (update.viewer, update.view.seats, update.view.kinds) != (seat, view.seats, view.kinds):
                return f"another view for seat {seat}"
        return ""
