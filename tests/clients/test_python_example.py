"""The Python client's example program: what it plays is what the engine plays, and it notices a server that errs."""

import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from shinpan.v1 import referee_service_pb2 as messages

import engine_core
from service.process import ServerProcess

EXAMPLE = Path(__file__).resolve().parents[2] / "clients/python/examples/play_matches.py"
SEED = 3
LONGEST_MATCH_PLIES = 1000
TIMEOUT_SECONDS = 30.0


@pytest.fixture(scope="module")
def process() -> Iterator[ServerProcess]:
    with ServerProcess() as running:
        yield running


def run(address: str) -> subprocess.CompletedProcess[str]:
    """Run the program against a server."""
    command = [sys.executable, str(EXAMPLE), address, "--seed", str(SEED)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def played_by_the_engine(game_id: str) -> str:
    """How a match of the same choices ends without service and client."""
    chance = random.Random(SEED)
    game = engine_core.load(game_id)
    state = game.start()
    for seat in game.seats if state.phase == "arrangement" else ():
        state = state.arrange(seat, game.random_arrangement(seat, seed=SEED + seat)).state
    while state.result is None:
        if state.ply == LONGEST_MATCH_PLIES:
            return f"{game_id}: {LONGEST_MATCH_PLIES} plies, nobody won: adjudicated; "
        state = state.play(chance.choice(sorted(state.legal_moves(), key=int))).state
    winners, reason = state.result
    names = " and ".join(f"seat {seat}" for seat in winners) or "nobody"
    return f"{game_id}: {state.ply} plies, {names} won: {reason}; "


def test_it_plays_every_game_to_its_end(process: ServerProcess) -> None:
    done = run(process.address)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert len(lines) == len(engine_core.games())
    for line, game_id in zip(lines, engine_core.games(), strict=True):
        assert line.startswith(played_by_the_engine(game_id))


Change = Callable[[str, bytes], bytes]
"""A request of a method, changed."""


@contextmanager
def relay(address: str, change: Change) -> Iterator[str]:
    """The address of a server that has another one answer changed requests."""
    with grpc.insecure_channel(address) as onward:

        class Relay(grpc.GenericRpcHandler):
            def service(self, call: grpc.HandlerCallDetails) -> Any:
                def answer(request: bytes, context: grpc.ServicerContext) -> Any:
                    ask: Any = onward.unary_unary(call.method)
                    try:
                        return ask(change(call.method, request), timeout=TIMEOUT_SECONDS)
                    except grpc.RpcError as failed:
                        error: Any = failed
                        context.set_trailing_metadata(error.trailing_metadata())
                        context.abort(error.code(), error.details())

                return grpc.unary_unary_rpc_method_handler(answer)

        server = grpc.server(ThreadPoolExecutor(2), handlers=[Relay()])
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        yield f"127.0.0.1:{port}"
        server.stop(None).wait()


def without_the_last_action(method: str, request: bytes) -> bytes:
    if not method.endswith("/ReplayMatch"):
        return request
    replay = messages.ReplayMatchRequest.FromString(request)
    del replay.actions[-1]
    return replay.SerializeToString()


def resigning_instead(method: str, request: bytes) -> bytes:
    """What is spelled a1b1, the illegal move of the example, becomes something that may be done."""
    if method.endswith("/ApplyAction"):
        applied = messages.ApplyActionRequest.FromString(request)
        if applied.action.move.text == "a1b1":
            applied.action.resign.SetInParent()
            return applied.SerializeToString()
    return request


def of_the_wrong_seat(method: str, request: bytes) -> bytes:
    """The illegal move is refused for another reason."""
    if method.endswith("/ApplyAction"):
        applied = messages.ApplyActionRequest.FromString(request)
        if applied.action.move.text == "a1b1":
            applied.action.seat = 2
            return applied.SerializeToString()
    return request


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (without_the_last_action, "WrongAnswer: the replay ends in another state than the match"),
        (resigning_instead, "WrongAnswer: the illegal move a1b1 is not refused"),
        (of_the_wrong_seat, "ServiceError: Seat 1 is to move, not seat 2."),
    ],
)
def test_it_notices_a_server_that_errs(process: ServerProcess, change: Change, complaint: str) -> None:
    with relay(process.address, change) as address:
        done = run(address)
    assert done.returncode == 1
    assert done.stderr.startswith(complaint)
    assert done.stdout == f"{engine_core.games()[0]}: ", "the game is named, and no other one begun"


def test_it_says_that_nobody_answers() -> None:
    done = run("127.0.0.1:1")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("ServiceError: ")
    assert "Connection refused" in done.stderr
