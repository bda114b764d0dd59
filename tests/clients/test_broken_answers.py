"""Answers that break off on their way, as a proxy makes of a server that is killed: the client asks once more.

And errors of others, whose details are not what gRPC writes.
"""

from collections.abc import Callable, Iterator

import grpc
import pytest
from clients.scripted_server import (
    HEADERS,
    Answer,
    Server,
    breaks_off,
    encoded,
    has_details_of_its_own,
    is_an_error_of_the_service,
    is_overload,
    is_reset,
    is_whole,
)
from google.rpc import error_details_pb2, status_pb2
from h2.connection import H2Connection
from shinpan import Referee, ServiceError


def has_a_detail_that_is_cut(connection: H2Connection, stream: int) -> None:
    """NOT_FOUND, with one detail that cannot be read and one that can."""
    info = error_details_pb2.ErrorInfo(reason="UNKNOWN_GAME", domain="shinpan")
    status = status_pb2.Status(code=grpc.StatusCode.NOT_FOUND.value[0], message="no route")
    for _ in range(2):
        status.details.add().Pack(info)
    status.details[0].value = status.details[0].value[:-1]
    trailers = [("grpc-status", "5"), ("grpc-status-details-bin", encoded(status.SerializeToString()))]
    connection.send_headers(stream, [*HEADERS, *trailers], end_stream=True)


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    """Makes servers."""
    made: list[Server] = []

    def make(*answers: Answer) -> Server:
        made.append(Server(*answers))
        return made[-1]

    yield make
    for server in made:
        server.close()


@pytest.mark.parametrize("broken", [breaks_off, is_reset])
def test_an_answer_that_breaks_off_is_asked_for_once_more(broken: Answer, serve: Callable[..., Server]) -> None:
    server = serve(broken, is_whole)
    with Referee(server.address) as referee:
        assert referee.games() == ()
    assert server.asked == 2


@pytest.mark.parametrize("broken", [breaks_off, is_reset])
def test_one_that_breaks_off_again_is_an_error(broken: Answer, serve: Callable[..., Server]) -> None:
    server = serve(broken)
    with Referee(server.address) as referee, pytest.raises(ServiceError) as raised:
        referee.games()
    assert raised.value.reason == ""
    assert server.asked == 2


def test_what_the_service_says_is_not_asked_again(serve: Callable[..., Server]) -> None:
    server = serve(is_an_error_of_the_service)
    with Referee(server.address) as referee, pytest.raises(ServiceError) as raised:
        referee.games()
    assert (raised.value.code, raised.value.reason) == (grpc.StatusCode.INTERNAL, "SERVER_FAULT")
    assert server.asked == 1


def test_the_service_says_when_to_ask_again(serve: Callable[..., Server]) -> None:
    with Referee(serve(is_overload).address) as referee, pytest.raises(ServiceError) as raised:
        referee.games()
    error = raised.value
    assert (error.code, error.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "OVERLOADED")
    assert error.retry_after == 0.25


@pytest.mark.parametrize(
    ("answer", "reason"), [(has_details_of_its_own, ""), (has_a_detail_that_is_cut, "UNKNOWN_GAME")]
)
def test_details_that_cannot_be_read_are_left_out(answer: Answer, reason: str, serve: Callable[..., Server]) -> None:
    with Referee(serve(answer).address) as referee, pytest.raises(ServiceError) as raised:
        referee.games()
    error = raised.value
    assert (error.code, error.reason, error.message) == (grpc.StatusCode.NOT_FOUND, reason, "no route")
