"""A server of which each call is answered by a script, with HTTP/2 that no gRPC library would write."""

import base64
import socket
import threading
from collections.abc import Callable
from contextlib import suppress

import grpc
from google.protobuf import duration_pb2
from google.rpc import error_details_pb2, status_pb2
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import StreamEnded

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
    trailers = [("grpc-status", str(status.code)), ("grpc-status-details-bin", encoded(status.SerializeToString()))]
    connection.send_headers(stream, [*HEADERS, *trailers], end_stream=True)


def has_details_of_its_own(connection: H2Connection, stream: int) -> None:
    """NOT_FOUND of something between, which writes other details than gRPC does."""
    trailers = [("grpc-status", "5"), ("grpc-message", "no route"), ("grpc-status-details-bin", encoded(b"route 7"))]
    connection.send_headers(stream, [*HEADERS, *trailers], end_stream=True)


def is_overload(connection: H2Connection, stream: int) -> None:
    """RESOURCE_EXHAUSTED, as the service says it, with the time after which to ask again: a quarter of a second."""
    status = status_pb2.Status(code=grpc.StatusCode.RESOURCE_EXHAUSTED.value[0], message="Too many calls.")
    status.details.add().Pack(error_details_pb2.ErrorInfo(reason="OVERLOADED", domain="shinpan"))
    status.details.add().Pack(error_details_pb2.RetryInfo(retry_delay=duration_pb2.Duration(nanos=250_000_000)))
    trailers = [("grpc-status", str(status.code)), ("grpc-status-details-bin", encoded(status.SerializeToString()))]
    connection.send_headers(stream, [*HEADERS, *trailers], end_stream=True)


def encoded(data: bytes) -> str:
    """Bytes as the value of a header whose name ends with -bin."""
    return base64.b64encode(data).decode()


class Server:
    """A server that gives these answers in turn on each connection, the last one for ever."""

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
                threading.Thread(target=self._converse, args=(peer,), daemon=True).start()

    def _converse(self, peer: socket.socket) -> None:
        connection = H2Connection(H2Configuration(client_side=False))
        connection.initiate_connection()
        asked = 0
        with peer, suppress(ConnectionError):  # whoever called is gone
            peer.sendall(connection.data_to_send())
            while data := peer.recv(65536):
                for event in connection.receive_data(data):
                    if isinstance(event, StreamEnded):
                        answer = self._answers[min(asked, len(self._answers) - 1)]
                        asked += 1
                        self.asked += 1
                        answer(connection, event.stream_id)
                peer.sendall(connection.data_to_send())
