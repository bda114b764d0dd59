"""Answers that break off on their way, as a proxy makes of a server that is killed: the client asks once more.

And errors of others, whose details are not what gRPC writes.
"""

import base64
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import StreamEnded
from shinpan import Referee, ServiceError

Answer = Callable[[H2Connection, int], None]
HEADERS = [(":status", "200"), ("content-type", "application/grpc")]
EMPTY = bytes(5)
"""A message without fields, behind its prefix."""


def breaks_off(connection: H2Connection, stream: int) -> None:
    """The beginning of an answer, ended without a status."""
    connection.send_headers(stream, HEADERS)
    connection.send_data(stream, EMPTY, end_stream=True)


def is_reset(connection: H2Connection, stream: int) -> None:
    """The beginning of an answer, and a reset."""
    connection.send_headers(stream, HEADERS)
    connection.reset_stream(stream, 2)


def is_whole(connection: H2Connection, stream: int) -> None:
    """An empty message and the status OK."""
    connection.send_headers(stream, HEADERS)
    connection.send_data(stream, EMPTY)
    connection.send_headers(stream, [("grpc-status", "0")], end_stream=True)


def is_an_error_of_the_service(connection: H2Connection, stream: int) -> None:
    """INTERNAL, as the service says it."""
    status = status_pb2.Status(code=grpc.StatusCode.INTERNAL.value[0], message="The server failed.")
    status.details.add().Pack(error_details_pb2.ErrorInfo(reason="SERVER_FAULT", domain="shinpan"))
    trailers = [("grpc-status", str(status.code)), ("grpc-status-details-bin", _base64(status.SerializeToString()))]
    connection.send_headers(stream, [*HEADERS, *trailers], end_stream=True)


def has_details_of_its_own(connection: H2Connection, stream: int) -> None:
    """NOT_FOUND of something between, which writes other details than gRPC does."""
    trailers = [("grpc-status", "5"), ("grpc-message", "no route"), ("grpc-status-details-bin", _base64(b"route 7"))]
    connection.send_headers(stream, [*HEADERS, *trailers], end_stream=True)


def has_a_detail_that_is_cut(connection: H2Connection, stream: int) -> None:
    """NOT_FOUND, with one detail that cannot be read and one that can."""
    info = error_details_pb2.ErrorInfo(reason="UNKNOWN_GAME", domain="shinpan")
    status = status_pb2.Status(code=grpc.StatusCode.NOT_FOUND.value[0], message="no route")
    for _ in range(2):
        status.details.add().Pack(info)
    status.details[0].value = status.details[0].value[:-1]
    trailers = [("grpc-status", "5"), ("grpc-status-details-bin", _base64(status.SerializeToString()))]
    connection.send_headers(stream, [*HEADERS, *trailers], end_stream=True)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


class Server:
    """A server that gives these answers in turn, the last one for ever, on one connection at a time."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = answers
        self.asked = 0
        """Calls that have arrived."""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        """Take no more connections."""
        self._listening.close()

    def _serve(self) -> None:
        with suppress(OSError):  # closed
            while True:
                peer, _ = self._listening.accept()
                with peer:
                    self._converse(peer)

    def _converse(self, peer: socket.socket) -> None:
        connection = H2Connection(H2Configuration(client_side=False))
        connection.initiate_connection()
        peer.sendall(connection.data_to_send())
        while data := peer.recv(65536):
            for event in connection.receive_data(data):
                if isinstance(event, StreamEnded):
                    answer = self._answers[min(self.asked, len(self._answers) - 1)]
                    self.asked += 1
                    answer(connection, event.stream_id)
            peer.sendall(connection.data_to_send())


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


@pytest.mark.parametrize(
    ("answer", "reason"), [(has_details_of_its_own, ""), (has_a_detail_that_is_cut, "UNKNOWN_GAME")]
)
def test_details_that_cannot_be_read_are_left_out(answer: Answer, reason: str, serve: Callable[..., Server]) -> None:
    with Referee(serve(answer).address) as referee, pytest.raises(ServiceError) as raised:
        referee.games()
    error = raised.value
    assert (error.code, error.reason, error.message) == (grpc.StatusCode.NOT_FOUND, reason, "no route")
