"""A server that stands still for a moment, as on a machine whose cores others use: what came is answered or refused."""

import signal

import grpc
import pytest

from service.process import ServerProcess

LIST_GAMES = "/shinpan.v1.RefereeService/ListGames"
CALLS = 3000
"""More than 1000, from which on grpc would cancel calls that nobody has taken yet."""


@pytest.mark.parametrize("served_by", ["grpcio", "native"])
def test_calls_that_came_meanwhile_are_answered_or_refused(served_by: str) -> None:
    with ServerProcess(transport=served_by) as server, grpc.insecure_channel(server.address) as channel:
        call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(LIST_GAMES)
        answer = call(b"")
        server.process.send_signal(signal.SIGSTOP)
        try:
            waiting = [call.future(b"", timeout=60) for _ in range(CALLS)]
        finally:
            server.process.send_signal(signal.SIGCONT)
        errors = [one.exception() for one in waiting]
        codes = {error.code() for error in errors if isinstance(error, grpc.RpcError)}
        assert codes <= {grpc.StatusCode.RESOURCE_EXHAUSTED}
        answered = [one.result() for one, error in zip(waiting, errors, strict=True) if error is None]
        assert answered
        assert set(answered) == {answer}
