"""Fixtures of the service's tests: one real server with the default settings, one with strict ones."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from contract import Answer, Contract, Seats, arranged_state
from faults.table import stated_seconds
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


TRANSPORT_MATTERS = {
    "test_access",
    "test_admin",
    "test_analysis_service",
    "test_bad_input",
    "test_deadlines",
    "test_error_reasons",
    "test_http2",
    "test_lifecycle",
    "test_logs",
    "test_long_input",
    "test_referee_service",
    "test_reload",
    "test_sealed_tokens",
    "test_tracing",
}
"""Files whose tests run on each transport. Those of the others ask what a game is, and run on the default one."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that uses a server of the fixtures below on the transports that it is for."""
    if "transport" in metafunc.fixturenames:
        chosen = ("grpcio", "native") if metafunc.module.__name__ in TRANSPORT_MATTERS else ("grpcio",)
        metafunc.parametrize("transport", chosen, indirect=True, scope="session")


@pytest.fixture(scope="session")
def transport(request: pytest.FixtureRequest) -> str:
    """What the servers of the fixtures below are served by."""
    chosen: str = request.param
    return chosen


@pytest.fixture
def limit(request: pytest.FixtureRequest) -> float:
    """Seconds within which the service is well again, as the table of faults states them for the test."""
    return stated_seconds(f"service/{request.path.name}::{request.function.__name__}")


@pytest.fixture(scope="session")
def server(transport: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with the default settings."""
    path: Path = tmp_path_factory.mktemp("server") / "log"
    with path.open("wb") as log, ServerProcess(log=log, transport=transport) as process:
        yield process


@pytest.fixture(scope="session")
def contract(server: ServerProcess) -> Iterator[Contract]:
    """The API of that server."""
    with grpc.insecure_channel(server.address) as channel:
        yield Contract(channel)


@pytest.fixture(scope="session")
def strict_server(transport: str) -> Iterator[ServerProcess]:
    """A server with one thread and small limits."""
    # Its long calls may outlast a connection on a busy machine; only grpcio has an age.
    age = {"max_connection_age_seconds": 0} if transport == "grpcio" else {}
    with ServerProcess(log=None, **{**STRICT, **age, "transport": transport}) as process:
        yield process


@pytest.fixture(scope="session")
def strict(strict_server: ServerProcess) -> Iterator[Contract]:
    """The API of that server."""
    with grpc.insecure_channel(strict_server.address) as channel:
        yield Contract(channel)


@pytest.fixture(scope="session")
def private(transport: str) -> Iterator[Contract]:
    """The API of a server that does not answer the referee."""
    settings: dict[str, Any] = {"referee": False, "transport": transport}
    with ServerProcess(log=None, **settings) as process, grpc.insecure_channel(process.address) as channel:
        yield Contract(channel)


@pytest.fixture(scope="session")
def guarded(transport: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[grpc.Channel]:
    """A channel to a server with keys 1 and 513, 1 the primary one, and the callers of `guarded.BEARERS`."""
    folder: Path = tmp_path_factory.mktemp("guarded")
    files: dict[str, Any] = {
        "token_keys_file": written(folder, "keys", keys(1, 513)),
        "access_file": written(folder, "access.toml", access()),
        "transport": transport,
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
