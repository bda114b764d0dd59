"""The newest conformance vectors through the Python client, and that they have everything."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from shinpan import ServiceError
from shinpan.v1 import analysis_service_pb2_grpc, error_reason_pb2, referee_service_pb2, referee_service_pb2_grpc

from conformance.methods import METHODS
from conformance.servers import BEARER, Servers
from conformance.vectors import Refused, Vector, read, versions

NEWEST = versions()[-1]
FILES = sorted(NEWEST.glob("*.jsonl"))
STUBS: dict[str, Any] = {
    "shinpan.v1.RefereeService": referee_service_pb2_grpc.RefereeServiceStub,
    "shinpan.v1.AnalysisService": analysis_service_pb2_grpc.AnalysisServiceStub,
}
BEARERS = {"none": (), "known": (("authorization", f"Bearer {BEARER}"),), "unknown": (("authorization", "Bearer x"),)}
NOT_BY_A_REQUEST = {"UNSPECIFIED", "MALFORMED_REQUEST", "OVERLOADED", "DEADLINE_EXCEEDED", "SERVER_FAULT"}
"""Reasons that README.md of the vectors says no message brings about."""


@pytest.fixture(scope="module")
def running() -> Iterator[Servers]:
    with Servers() as servers:
        yield servers


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_vectors_through_the_client(running: Servers, file: Path) -> None:
    channels = {name: grpc.insecure_channel(address) for name, address in running.addresses.items()}
    for vector in read(file):
        service, method = vector.method.split("/")
        stub = getattr(STUBS[service](channels[vector.server]), method)
        request = METHODS[vector.method].request.FromString(vector.request)
        try:
            answer = stub(request, timeout=30, metadata=BEARERS[vector.bearer])
        except grpc.RpcError as failed:
            error = ServiceError.of_rpc(failed)
            assert Refused(error.code.name, error.reason) == vector.outcome, vector.name
            continue
        assert isinstance(vector.outcome, bytes), f"{vector.name} was answered"
        assert answer == METHODS[vector.method].response.FromString(vector.outcome), vector.name
    for channel in channels.values():
        channel.close()


def test_every_game_has_its_file(running: Servers) -> None:
    answer = running.call("plain", "shinpan.v1.RefereeService/ListGames", b"")
    assert isinstance(answer, bytes)
    games = [game.id for game in referee_service_pb2.ListGamesResponse.FromString(answer).games]
    assert sorted(file.stem for file in FILES) == sorted([*games, "service"])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_method_is_asked_about_every_game(file: Path) -> None:
    """With seals and without; what tells about no game, or of real states to nobody, is in the other file."""
    found = {(vector.server, vector.method) for vector in _answered(file)}
    if file.stem == "service":
        assert ("plain", "shinpan.v1.RefereeService/ListGames") in found
        return
    of_no_game = {"shinpan.v1.RefereeService/ListGames"}
    of_real_states = {"shinpan.v1.AnalysisService/Playout"}
    expected = {("plain", method) for method in METHODS} | {("sealed", method) for method in METHODS}
    lacking = {("plain", method) for method in of_no_game} | {
        ("sealed", method) for method in of_no_game | of_real_states
    }
    assert found == expected - lacking


def test_every_reason_is_brought_about() -> None:
    every = itertools.chain.from_iterable(map(read, FILES))
    found = {vector.outcome.reason for vector in every if isinstance(vector.outcome, Refused)}
    named = {name.removeprefix("ERROR_REASON_") for name in error_reason_pb2.ErrorReason.DESCRIPTOR.values_by_name}
    assert found == named - NOT_BY_A_REQUEST
    readme = (NEWEST.parent / "README.md").read_text(encoding="utf-8")
    assert all(reason in readme for reason in NOT_BY_A_REQUEST - {"UNSPECIFIED"})


def test_names_are_unique() -> None:
    for file in FILES:
        names = [vector.name for vector in read(file)]
        assert len(names) == len(set(names))


def test_lines_are_what_they_are_read_as() -> None:
    for file in FILES:
        for line in file.read_text(encoding="utf-8").splitlines():
            assert Vector.of_line(line).line() == line


def _answered(file: Path) -> Iterator[Vector]:
    return (vector for vector in read(file) if isinstance(vector.outcome, bytes))
