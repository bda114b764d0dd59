"""Clients that misuse HTTP/2: others are answered all the same, and nothing of theirs stays behind."""

import struct
from functools import partial
from time import monotonic

import grpc
import pytest
from contract import Contract, Seats, wrap
from h2.exceptions import ProtocolError
from h2.settings import SettingCodes, Settings
from raw_http2 import PREFACE, RawClient, frame, message
from shinpan.v1 import referee_service_pb2
from test_admin import samples

from service.process import ServerProcess

LIST_GAMES = "/shinpan.v1.RefereeService/ListGames"
DESCRIBE = "/shinpan.v1.RefereeService/DescribeState"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 8, 9
END_STREAM, END_HEADERS = 1, 4
REFUSED_STREAM, CANCEL = 7, 8
GREETING = PREFACE + frame(SETTINGS, 0, 0, b"")
RESETS = 3_000
FLOOD_BYTES = 16 * 1024 * 1024


def describe(seats: Seats) -> bytes:
    return referee_service_pb2.DescribeStateRequest(state=wrap(seats.state)).SerializeToString()


def is_answered(process: ServerProcess, seats: Seats, limit: float) -> bool:
    """Whether a new caller gets its answer within so many seconds; one that is refused for load asks again."""
    until = monotonic() + limit
    with grpc.insecure_channel(process.address, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
        while (left := until - monotonic()) > 0:
            try:
                return bool(Contract(channel).raw(DESCRIBE, describe(seats), timeout=left))
            except grpc.RpcError as error:
                if not (isinstance(error, grpc.Call) and error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED):
                    raise
    return False


def ends_it(client: RawClient) -> bool:
    """Whether the server ends the connection."""
    client.read(lambda: False)
    return client.gone is not None


@pytest.mark.parametrize("whole", [False, True], ids=["headers", "requests"])
def test_rapid_resets(server: ServerProcess, seats: Seats, whole: bool, limit: float) -> None:
    """Streams that are opened and reset at once, many more than may wait."""
    with RawClient(server.address) as client:
        client.read(lambda: bool(client.http2.remote_settings.max_frame_size))
        try:
            for _ in range(RESETS):
                stream = client.call(DESCRIBE, describe(seats)) if whole else client.open(DESCRIBE)
                client.http2.reset_stream(stream, CANCEL)
                client.flush()
                client.read(lambda: client.http2.outbound_flow_control_window > 2_000)
        except (ConnectionError, ProtocolError):
            pass  # the server has had enough of it, as it may
        assert is_answered(server, seats, limit)
    assert is_answered(server, seats, limit)
    assert samples(server)["shinpan_waiting_calls", ()] == 0


def test_a_client_that_does_not_read(
    strict_server: ServerProcess, strict: Contract, seats: Seats, limit: float
) -> None:
    """The server has one thread; no answer that is not read holds it."""
    expected = strict.raw(DESCRIBE, describe(seats))
    with RawClient(strict_server.address, greet=False) as client:
        # A window of no bytes: answers cannot be sent.
        client.http2.local_settings = Settings(initial_values={SettingCodes.INITIAL_WINDOW_SIZE: 0})
        client.http2.initiate_connection()
        client.flush()
        slow = []
        for _ in range(3):
            stream = client.call(DESCRIBE, describe(seats))
            client.flush()
            client.read(partial(client.has, stream))
            slow.append(stream)
        assert is_answered(strict_server, seats, limit)
        assert not any(client.streams[stream].data for stream in slow)
        for stream in slow:
            while not client.ended(stream):
                client.http2.increment_flow_control_window(16, stream)
                client.flush()
                client.read(partial(client.has, stream, len(client.streams[stream].data) + 1))
            assert client.streams[stream].headers["grpc-status"] == "0"
            assert client.streams[stream].data == message(expected)


def test_a_client_that_trickles(strict_server: ServerProcess, strict: Contract, seats: Seats, limit: float) -> None:
    """Headers and request come a byte at a time; others do not wait for them."""
    expected = strict.raw(DESCRIBE, describe(seats))
    with RawClient(strict_server.address) as client:
        stream = client.open(DESCRIBE)
        headers = client.http2.data_to_send()
        for index in range(len(headers)):
            client.socket.sendall(headers[index : index + 1])
            if index in (3, 20):
                assert is_answered(strict_server, seats, limit)
        for byte in message(describe(seats)):
            client.http2.send_data(stream, bytes([byte]))
            client.flush()
        assert is_answered(strict_server, seats, limit)
        client.http2.end_stream(stream)
        client.flush()
        answer = client.answer(stream)
    assert (answer.headers["grpc-status"], answer.data) == ("0", message(expected))


def test_more_streams_than_allowed_are_refused(seats: Seats) -> None:
    """By the native transport, which allows 1024 at once on a connection; grpcio has no limit."""
    with ServerProcess(transport="native") as process, RawClient(process.address) as client:
        streams = [client.open(DESCRIBE) for _ in range(1_034)]  # before the limit has been heard of
        client.flush()
        client.read(lambda: sum(client.ended(stream) for stream in streams) >= 10)
        assert {client.streams[stream].reset for stream in streams[1_024:]} == {REFUSED_STREAM}
        client.http2.send_data(streams[0], message(describe(seats)), end_stream=True)
        client.flush()
        assert client.answer(streams[0]).headers["grpc-status"] == "0"


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" + bytes(64), id="another protocol"),
        pytest.param(GREETING + frame(DATA, 0, 0, b"x"), id="data of no stream"),
        pytest.param(GREETING + frame(SETTINGS, 0, 0, bytes(5)), id="half a setting"),
        pytest.param(GREETING + frame(PING, 0, 0, bytes(7)), id="a short ping"),
        pytest.param(GREETING + frame(HEADERS, END_HEADERS | END_STREAM, 1, b"\xff" * 40), id="no HPACK"),
        pytest.param(GREETING + frame(HEADERS, END_HEADERS | END_STREAM, 2, b"\x82"), id="an even stream"),
        pytest.param(GREETING + frame(CONTINUATION, END_HEADERS, 1, b"\x82"), id="a continuation of nothing"),
        pytest.param(GREETING + frame(RST_STREAM, 0, 1, struct.pack(">I", CANCEL)), id="a reset of nothing"),
        pytest.param(GREETING + frame(WINDOW_UPDATE, 0, 0, bytes(4)), id="a window update of nothing"),
        pytest.param(GREETING + frame(DATA, 0, 1, bytes(64), length=(1 << 24) - 1), id="too long a frame"),
    ],
)
def test_broken_connections(transport: str, server: ServerProcess, seats: Seats, sent: bytes, limit: float) -> None:
    """The native transport ends them. So does grpcio, but some only after a while."""
    with RawClient(server.address, greet=False) as client:
        client.http2.initiate_connection()
        client.http2.clear_outbound_data_buffer()
        client.socket.sendall(sent)
        assert transport == "grpcio" or ends_it(client)
    assert is_answered(server, seats, limit)


def test_endless_headers_end(server: ServerProcess, seats: Seats, limit: float) -> None:
    """Continuations without an end are not collected for ever."""
    chunk = frame(CONTINUATION, 0, 1, b"\x00\x01a\x7f\x00" + bytes(127) + b"\x00" * 8)
    with RawClient(server.address, greet=False) as client:
        client.http2.initiate_connection()
        client.http2.clear_outbound_data_buffer()
        client.socket.sendall(GREETING + frame(HEADERS, 0, 1, b"\x83"))
        with pytest.raises(ConnectionError):
            client.socket.sendall(chunk * (FLOOD_BYTES // len(chunk)))
    assert is_answered(server, seats, limit)


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        pytest.param(b"", {"12", "13"}, id="no message"),
        pytest.param(b"\0\0\0\0", {"12", "13"}, id="half a prefix"),
        pytest.param(b"\0\0\0\0\x09short", {"12", "13"}, id="half a message"),
        pytest.param(b"\1\0\0\0\1x", {"12", "13"}, id="compressed with nothing"),
        pytest.param(b"\7\0\0\0\1x", {"0", "12", "13"}, id="no such flag"),  # grpcio passes over it
    ],
)
def test_broken_messages_are_answered(
    server: ServerProcess, seats: Seats, body: bytes, codes: set[str], limit: float
) -> None:
    """With an error of the transport's, or a reset of the stream; the connection goes on."""
    with RawClient(server.address) as client:
        stream = client.open(LIST_GAMES)
        client.http2.send_data(stream, body, end_stream=True)
        client.flush()
        answer = client.answer(stream)
        assert answer.reset is not None or answer.headers["grpc-status"] in codes
        assert client.gone is None
        again = client.call(LIST_GAMES, b"")
        client.http2.increment_flow_control_window(1 << 20)
        client.flush()
        assert client.answer(again).headers["grpc-status"] == "0"
    assert is_answered(server, seats, limit)
