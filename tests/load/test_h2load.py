"""h2load against a real server."""

import os
from collections.abc import Iterator

import grpc
import pytest
from loading import needs_h2load

from load import h2load
from load.empty import EMPTY, sized, sized_like
from load.loaded import LoadedMethod, sampled_answer
from load.processes import ServerProcess, server_core
from load.requests import APPLY_ACTION


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with ServerProcess("load.plain_server", core=server_core()) as process:
        yield process


def test_messages_are_framed_as_grpc_frames_them() -> None:
    assert h2load.framed(b"") == bytes(5)
    assert h2load.framed(b"abc") == b"\x00\x00\x00\x00\x03abc"
    assert h2load.framed(bytes(258))[:5] == b"\x00\x00\x00\x01\x02"


def test_a_missing_h2load_is_told_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.devnull)
    with pytest.raises(h2load.H2LoadMissing, match="apt-get install nghttp2-client"):
        h2load.program()


@needs_h2load
def test_a_closed_load_is_answered(server: ServerProcess) -> None:
    done = h2load.closed(h2load.Call(server.address, EMPTY, b"x", b""), 100, None)
    assert done.requests == 100
    assert done.rate == 100 / done.seconds > 0


@needs_h2load
def test_an_open_load_keeps_to_its_rate(server: ServerProcess) -> None:
    """100 requests at 400 a second are sent over a quarter of a second; a generator may be late, never early."""
    rows = h2load.open_loop(h2load.Call(server.address, EMPTY, b"", b""), 100, 400.0, None)
    assert len(rows) == 100
    assert rows == sorted(rows)
    assert rows[-1][0] - rows[0][0] > 200_000
    assert all(took > 0 for _, took in rows)


@needs_h2load
def test_answers_of_the_wrong_length_fail(server: ServerProcess) -> None:
    """grpcio answers an unknown method with HTTP 200 and no message: what counts is the bytes of messages."""
    with pytest.raises(h2load.NotAllAnswered, match=r"100 requests .* 0 bytes of messages instead of 800"):
        h2load.closed(h2load.Call(server.address, "/no.Service/Method", b"", b"abc"), 100, None)


@needs_h2load
def test_a_server_that_is_not_there_fails() -> None:
    with pytest.raises(h2load.LoadFailed):
        h2load.closed(h2load.Call("127.0.0.1:1", EMPTY, b"", b""), 1, None)


def test_a_sample_is_checked_by_a_real_client(server: ServerProcess) -> None:
    assert sampled_answer(server.address, EMPTY, b"anything") == b""
    with pytest.raises(h2load.LoadFailed, match=grpc.StatusCode.UNIMPLEMENTED.name):
        sampled_answer(server.address, APPLY_ACTION, b"")


def test_messages_of_the_same_length_without_work() -> None:
    request = sized_like(b"r" * 500, b"a" * 70_000)
    assert len(request) == 500
    assert len(sized(request, None)) == 70_000


@needs_h2load
def test_a_load_is_accounted_for(server: ServerProcess) -> None:
    loaded = LoadedMethod(server, EMPTY, b"")
    before = server.accounts.cpu_seconds()
    answered = loaded.load(0.2)
    spent = server.accounts.cpu_seconds() - before
    assert spent > 0
    assert answered.rate > 0
    assert answered.per_core > 0
    assert server.accounts.resident_bytes() > 10_000_000
