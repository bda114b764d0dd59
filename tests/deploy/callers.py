"""Callers with a channel and a stub of gRPC alone, who repeat nothing themselves."""

import threading
from typing import Any, Final, Self

import grpc
from shinpan import SERVICE_CONFIG, Referee
from shinpan.v1 import referee_service_pb2, referee_service_pb2_grpc, state_pb2

ALONE: Final = ("grpc.enable_retries", 0)
"""The channel repeats nothing either, not even what was never begun."""
CONFIGURED: Final = ("grpc.service_config", SERVICE_CONFIG)
"""The channel repeats what the shipped service config says."""
_GAME: Final = "hasami-shogi"
_TIMEOUT_SECONDS: Final = 30


class Callers:
    """Threads that ask the same again and again, each until it gets no right answer or the `with` block ends."""

    def __init__(self, target: str, name: str, option: tuple[str, int | str], number: int = 3) -> None:
        """`name` is the request id of every call. Each caller has a connection of its own."""
        with Referee(target) as referee:
            state = state_pb2.State(token=referee.start_match(_GAME).state)
        self._request = referee_service_pb2.ListLegalActionsRequest(state=state, seat=1)
        self._target = target
        self._options = [option, ("grpc.use_local_subchannel_pool", 1)]
        self._metadata = [("x-request-id", name)]
        self.answered = [0] * number
        """Right answers of each caller."""
        self.ends: list[str] = []
        """What ended callers, but for the end of the block: code and details of an error, or a wrong answer."""
        self._ended = threading.Event()
        self._busy = threading.Barrier(number + 1, timeout=2 * _TIMEOUT_SECONDS)
        self._threads = [threading.Thread(target=self._call, args=(caller,)) for caller in range(number)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        self._busy.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _call(self, caller: int) -> None:
        with grpc.insecure_channel(self._target, options=self._options) as channel:
            ask: Any = referee_service_pb2_grpc.RefereeServiceStub(channel).ListLegalActions
            right = ask(self._request, timeout=_TIMEOUT_SECONDS, metadata=self._metadata)
            self.answered[caller] = 1
            self._busy.wait()
            while not self._ended.is_set():
                call = ask.future(self._request, timeout=_TIMEOUT_SECONDS, metadata=self._metadata)
                if call.code() is not grpc.StatusCode.OK:
                    self.ends.append(f"{call.code().name} {call.details()}")
                    return
                if call.result() != right:
                    self.ends.append(f"a wrong answer: {call.result()}")
                    return
                self.answered[caller] += 1
