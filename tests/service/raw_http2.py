"""A client of HTTP/2 that does what no gRPC client does: frames one by one, late, broken or too many."""

import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import (
    ConnectionTerminated,
    DataReceived,
    Event,
    ResponseReceived,
    StreamEnded,
    StreamReset,
    TrailersReceived,
)

TIMEOUT = 60.0
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def message(data: bytes) -> bytes:
    """A gRPC message with its prefix."""
    return struct.pack(">BI", 0, len(data)) + data


def frame(kind: int, flags: int, stream: int, payload: bytes, length: int | None = None) -> bytes:
    """An HTTP/2 frame; `length` is what its header says, right unless given."""
    said = len(payload) if length is None else length
    return struct.pack(">I", said)[1:] + struct.pack(">BBI", kind, flags, stream) + payload


@dataclass
class Exchange:
    """What has come back on one stream."""

    headers: dict[str, str] = field(default_factory=dict)
    data: bytes = b""
    ended: bool = False
    reset: int | None = None
    """The error code of a reset."""


class RawClient:
    """One connection; a context manager."""

    def __init__(self, address: str, *, greet: bool = True) -> None:
        """Connect, and send the preface unless told not to."""
        host, _, port = address.rpartition(":")
        self.socket = socket.create_connection((host, int(port)), TIMEOUT)
        self.http2 = H2Connection(H2Configuration(header_encoding="utf-8"))
        self.streams: dict[int, Exchange] = {}
        self.gone: int | None = None
        """The error code with which the server ended the connection; -1 when it only closed it."""
        if greet:
            self.http2.initiate_connection()
            self.flush()

    def flush(self) -> None:
        """Send what h2 has made."""
        self.socket.sendall(self.http2.data_to_send())

    def open(self, path: str) -> int:
        """Make the headers of a call, not sent yet; the number of its stream."""
        stream = self.http2.get_next_available_stream_id()
        headers = [
            (":method", "POST"),
            (":scheme", "http"),
            (":path", path),
            (":authority", "localhost"),
            ("content-type", "application/grpc"),
            ("te", "trailers"),
        ]
        self.http2.send_headers(stream, headers)
        self.streams[stream] = Exchange()
        return stream

    def call(self, path: str, data: bytes) -> int:
        """Make a whole call, not sent yet; the number of its stream."""
        stream = self.open(path)
        self.http2.send_data(stream, message(data), end_stream=True)
        return stream

    def read(self, until: Callable[[], bool]) -> None:
        """Read, answering settings and pings but opening no windows, until it is so or the connection has ended."""
        while not until() and self.gone is None:
            try:
                received = self.socket.recv(65536)
            except ConnectionError:
                received = b""
            if not received:
                self.gone = -1
                return
            for event in self.http2.receive_data(received):
                self._take(event)
            with suppress(ConnectionError):  # what has been sent to us can still be read
                self.flush()

    def ended(self, stream: int) -> bool:
        """Whether a stream has its whole answer."""
        return self.streams[stream].ended or self.streams[stream].reset is not None

    def has(self, stream: int, count: int = 0) -> bool:
        """Whether a stream has its headers and so many bytes, or no more will come."""
        exchange = self.streams[stream]
        return self.ended(stream) or (bool(exchange.headers) and len(exchange.data) >= count)

    def answer(self, stream: int) -> Exchange:
        """Wait for a whole answer."""
        self.read(lambda: self.ended(stream))
        return self.streams[stream]

    def _take(self, event: Event) -> None:
        if isinstance(event, ResponseReceived | TrailersReceived):
            assert event.stream_id is not None
            for name, value in event.headers or ():
                self.streams[event.stream_id].headers[str(name)] = str(value)
        elif isinstance(event, DataReceived):
            assert event.stream_id is not None
            self.streams[event.stream_id].data += event.data or b""
        elif isinstance(event, StreamEnded):
            assert event.stream_id is not None
            self.streams[event.stream_id].ended = True
        elif isinstance(event, StreamReset):
            assert event.stream_id is not None
            self.streams[event.stream_id].reset = int(event.error_code or 0)
        elif isinstance(event, ConnectionTerminated):
            self.gone = int(event.error_code or 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.close()
