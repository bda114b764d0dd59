"""Calls of the Python client that fail without the service: each ends by itself, as a ServiceError with no reason."""

import socket
import threading

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2
from shinpan import Referee, ServiceError

PATIENCE_SECONDS = 60.0
"""Far more than any of these may take: a call that is still under way then hangs."""


def failure(referee: Referee) -> ServiceError:
    """The error of a call, after which the connection is closed."""
    errors: list[ServiceError] = []

    def call() -> None:
        with referee:
            try:
                referee.games()
            except ServiceError as error:
                errors.append(error)

    calling = threading.Thread(target=call, daemon=True)
    calling.start()
    calling.join(PATIENCE_SECONDS)
    assert not calling.is_alive(), "the call hangs"
    assert errors, "the call was answered, or failed otherwise"
    assert (errors[0].reason, errors[0].metadata) == ("", {})
    return errors[0]


def test_nobody_listens() -> None:
    with socket.socket() as away:
        away.bind(("127.0.0.1", 0))  # taken, so that nobody else comes to listen there
        error = failure(Referee(f"127.0.0.1:{away.getsockname()[1]}"))
    assert error.code == grpc.StatusCode.UNAVAILABLE
    assert "Connection refused" in error.message


@pytest.mark.parametrize("address", ["127.0.0.1:no-port", "nonsense:port", "no-such-host.invalid:1"])
def test_the_address_leads_nowhere(address: str) -> None:
    error = failure(Referee(address))
    assert error.code == grpc.StatusCode.UNAVAILABLE
    assert address in error.message


@pytest.mark.parametrize("named", [True, False], ids=["deadline", "no deadline named"])
def test_a_server_says_nothing(named: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        error = failure(Referee(address, timeout=0.2) if named else Referee(address))
    assert error.code == grpc.StatusCode.DEADLINE_EXCEEDED


def detailed(*infos: error_details_pb2.ErrorInfo, code: grpc.StatusCode) -> status_pb2.Status:
    status = status_pb2.Status(code=code.value[0], message="No.")
    for info in infos:
        status.details.add().Pack(info)
    return status


def test_a_reason_of_somebody_else_is_none() -> None:
    """A proxy can have errors with reasons, too, even of the same name."""
    code = grpc.StatusCode.FAILED_PRECONDITION
    ours = error_details_pb2.ErrorInfo(reason="ILLEGAL_MOVE", domain="shinpan", metadata={"move": "a1b1"})
    others = error_details_pb2.ErrorInfo(reason="GAME_OVER", domain="proxy.example", metadata={"route": "x"})
    error = ServiceError.of_status(detailed(others, code=code))
    assert (error.code, error.reason, error.metadata, error.message) == (code, "", {}, "No.")
    for infos in ((ours, others), (others, ours)):
        error = ServiceError.of_status(detailed(*infos, code=code))
        assert (error.reason, error.metadata) == ("ILLEGAL_MOVE", {"move": "a1b1"})


def test_a_code_that_is_not_known_is_unknown() -> None:
    assert ServiceError.of_status(status_pb2.Status(code=99)).code == grpc.StatusCode.UNKNOWN
