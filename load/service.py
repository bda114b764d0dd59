"""Calls of the service against an empty method of the same server, by the CPU that the server spends on a call.

The clients are Python threads and cost as much CPU as the server, so the rate is taken from what the server used: calls
for each second of its CPU, as the kernel accounts for it.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Self

import grpc
from shinpan import Referee, actions
from shinpan.v1 import referee_service_pb2, state_pb2

from load.server import EMPTY_METHOD

APPLY_ACTION = "/shinpan.v1.RefereeService/ApplyAction"
GAME = "hidden-capture-flag"
CALLS = 4000
CLIENTS = 4


class ServiceBench:
    """A server in its own process and clients that load it; a context manager."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "load.server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        address = self._process.stdout.readline().strip()
        self._channel = grpc.insecure_channel(address)
        self._pool = ThreadPoolExecutor(CLIENTS)
        self._state = self._match_under_way(address)
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()
        self._channel.close()
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def measures(self) -> Mapping[str, Callable[[], float]]:
        """What to measure, by name; each call measures once and gives calls for each second of server CPU."""
        return {
            "empty": partial(self._rate, EMPTY_METHOD, b""),
            "ApplyAction, no updates": partial(self._rate, APPLY_ACTION, self._request([])),
            "ApplyAction, two updates": partial(self._rate, APPLY_ACTION, self._request([1, 2])),
        }

    @staticmethod
    def _match_under_way(address: str) -> tuple[bytes, int, int]:
        """A state in play, the seat to move and one of its moves."""
        with Referee(address) as referee:
            pieces = {seat: referee.draw_arrangement(GAME, seat, seed=seat) for seat in (1, 2)}
            match = referee.start_match(GAME, arrangements=pieces, viewers=[1])
            legal = match.updates[1].legal_actions
            assert legal is not None, "seat 1 moves first"
            return match.state, 1, legal.moves[0]

    def _request(self, viewers: list[int]) -> bytes:
        state, seat, move = self._state
        request = referee_service_pb2.ApplyActionRequest(
            state=state_pb2.State(token=state),
            action=actions.move(seat, move),
            viewers=viewers,  # type: ignore[arg-type]  # an open enum
        )
        return request.SerializeToString()

    def _rate(self, method: str, request: bytes) -> float:
        call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(method)
        before = self._cpu_seconds()
        for _ in self._pool.map(call, [request] * CALLS):
            pass
        return CALLS / (self._cpu_seconds() - before)

    def _cpu_seconds(self) -> float:
        """CPU that the server has used, in user and kernel mode."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
