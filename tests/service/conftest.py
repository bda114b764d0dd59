"""Fixtures of the service's tests: one real server with the default settings, one with strict ones."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from contract import Answer, Contract, Seats, arranged_state
from guarded import access, keys, written
from shinpan.v1 import game_pb2, referee_service_pb2

from service.process import ServerProcess

STRICT: dict[str, Any] = {
    "threads": 1,
    "max_waiting_calls": 1,
    "max_request_bytes": 20_000,
    "max_answer_bytes": 2_048,
    "max_batch_items": 3,
    "max_replay_actions": 4,
    "max_playout_games": 100_000,
    "max_playout_plies": 20_000_000,
    "max_perft_nodes": 1_000,
    "overload_retry_seconds": 0.25,
}


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with the default settings."""
    path: Path = tmp_path_factory.mktemp("server") / "log"
    with path.open("wb") as log, ServerProcess(log=log) as process:
        yield process


@pytest.fixture(scope="session")
def contract(server: ServerProcess) -> Iterator[Contract]:
    """The API of that server."""
    with grpc.insecure_channel(server.address) as channel:
        yield Contract(channel)


@pytest.fixture(scope="session")
def strict_server() -> Iterator[ServerProcess]:
    """A server with one thread and small limits."""
    with ServerProcess(log=None, **STRICT) as process:
        yield process


@pytest.fixture(scope="session")
def strict(strict_server: ServerProcess) -> Iterator[Contract]:
    """The API of that server."""
    with grpc.insecure_channel(strict_server.address) as channel:
        yield Contract(channel)


@pytest.fixture(scope="session")
def private() -> Iterator[Contract]:
    """The API of a server that does not answer the referee."""
    with ServerProcess(referee=False) as process, grpc.insecure_channel(process.address) as channel:
        yield Contract(channel)


@pytest.fixture(scope="session")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[grpc.Channel]:
    """A channel to a server with keys 1 and 513, 1 the primary one, and the callers of `guarded.BEARERS`."""
    folder: Path = tmp_path_factory.mktemp("guarded")
    files: dict[str, Any] = {
        "token_keys_file": written(folder, "keys", keys(1, 513)),
        "access_file": written(folder, "access.toml", access()),
    }
    with ServerProcess(log=None, **files) as process, grpc.insecure_channel(process.address) as channel:
        yield channel


@pytest.fixture(scope="session")
def seats() -> Seats:
    """A hidden-hasami match in which play has begun."""
    return arranged_state("hidden-hasami")


@pytest.fixture
def answer(contract: Contract) -> Answer:
    """The description of a game as a server gives it."""

    def ask(game_id: str, **options: str) -> game_pb2.Game:
        request = referee_service_pb2.GetGameRequest(game=game_id, options=options)
        found: game_pb2.Game = contract.referee.GetGame(request).game
        return found

    return ask
