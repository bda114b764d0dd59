"""What the server logs: enough to find a call, and nothing that a player may not know."""

import base64
import json
import os
import re
from pathlib import Path
from typing import Any

import grpc
import pytest
from contract import Contract, apply_request, arranged_state, arrangement, move, named, refused, setup, wrap
from shinpan.v1 import action_pb2, referee_service_pb2

import engine_core
from service.process import ServerProcess


def nowhere(game: engine_core.Game) -> str:
    """A move from a square to itself."""
    return game.squares[0] * 2


@pytest.fixture(scope="module")
def log(transport: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The log of a server that has started, refused and played things."""
    path: Path = tmp_path_factory.mktemp("logs") / "log"
    with (
        path.open("wb") as file,
        ServerProcess(log=file, transport=transport) as process,
        grpc.insecure_channel(process.address) as channel,
    ):
        contract = Contract(channel)
        for game_id in engine_core.games():
            seats = arranged_state(game_id)
            placed = {seat: arrangement(pieces) for seat, pieces in seats.arrangements.items()}
            begin = setup(game_id, arrangements=placed, match_id=b"secret-match")
            contract.referee.StartMatch(referee_service_pb2.StartMatchRequest(setup=begin, viewers=named(1, 15)))
            chosen = seats.state.legal_moves()[0]
            contract.referee.ApplyAction(apply_request(seats.state, move(1, str(chosen)), viewers=named(15)))
            still = apply_request(seats.state, move(1, nowhere(seats.game)))
            refused(lambda still=still: contract.referee.ApplyAction(still))  # type: ignore[misc]
            # Refused in every game: not an arrangement, or nothing to arrange.
            wrong = action_pb2.Action(seat=1, arrange=arrangement({"a1": "flag", "b2": "guard"}))
            refused(
                lambda wrong=wrong, seats=seats: contract.referee.ApplyAction(apply_request(seats.game.start(), wrong))  # type: ignore[misc]
            )
            refused(lambda: contract.raw("/shinpan.v1.RefereeService/GetGame", b"\xffguard"))
        look = referee_service_pb2.DescribeStateRequest(state=wrap(arranged_state("hidden-hasami").state))
        for request_id in ("request-1", 'not"an}id', "x" * 65):
            contract.referee.DescribeState(look, metadata=[("x-request-id", request_id)])
    return path.read_text()


def lines(log: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.splitlines()]


def test_every_line_is_json_with_the_same_keys(log: str) -> None:
    calls = [line for line in lines(log) if line["event"] == "call"]
    assert len(calls) == 5 * len(engine_core.games()) + 3
    for call in calls:
        assert set(call) == {"time", "level", "event", "request_id", "method", "code", "reason", "used", "micros"}
        assert 0 < call["micros"] < 60_000_000
        assert (call["code"] == "OK") == (call["reason"] == "")
    assert {call["reason"] for call in calls} == {
        "",
        "ILLEGAL_MOVE",
        "INVALID_ARRANGEMENT",
        "ALREADY_ARRANGED",
        "MALFORMED_REQUEST",
    }


def test_request_ids(log: str) -> None:
    ids = [line["request_id"] for line in lines(log) if line.get("method", "").endswith("DescribeState")]
    assert ids[0] == "request-1"
    assert len(set(ids)) == 3
    assert all(re.fullmatch(r"[A-Za-z0-9._-]{1,64}", one) for one in ids)


def test_nothing_secret_is_logged(log: str) -> None:
    words = re.findall(r"[A-Za-z0-9+/=_-]+", log)
    for game_id in engine_core.games():
        seats = arranged_state(game_id)
        assert not set(seats.game.kinds) & set(words)
        token = wrap(seats.state).token
        assert base64.b64encode(token[8:32]).decode().rstrip("=") not in log
        assert token[8:32].hex() not in log
        assert str(seats.state.legal_moves()[0]) not in words
        assert nowhere(seats.game) not in words
    assert "secret-match" not in log
    assert "SHPN" not in log


def test_calls_are_answered_when_nobody_reads_the_log() -> None:
    reader, writer = os.pipe()
    with (
        os.fdopen(writer, "wb") as file,
        ServerProcess(log=file) as process,
        grpc.insecure_channel(process.address) as channel,
    ):
        os.close(reader)
        file.close()
        contract = Contract(channel)
        for _ in range(3):
            assert contract.referee.ListGames(referee_service_pb2.ListGamesRequest()).games


def test_the_access_log_can_be_switched_off(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with (
        path.open("wb") as file,
        ServerProcess(log=file, access_log=False) as process,
        grpc.insecure_channel(process.address) as channel,
    ):
        Contract(channel).referee.ListGames(referee_service_pb2.ListGamesRequest())
    assert all(line["event"] != "call" for line in lines(path.read_text()))
