"""Requests that are read without protobuf say what protobuf reads in them; others are left to it."""

import random
from typing import Any

import pytest
from contract import named
from google.protobuf.message import DecodeError
from shinpan.v1 import action_pb2, referee_service_pb2, state_pb2

from service import action_reader

SEED = 20261130
Request = referee_service_pb2.ApplyActionRequest


def plain_request(chance: random.Random) -> Request:
    """A request with a packed move; every number has its small, large and default values."""
    return Request(
        state=state_pb2.State(token=chance.randbytes(chance.choice((1, 40, 127, 128, 500, 20_000)))),
        action=action_pb2.Action(
            seat=chance.choice((0, 1, 2, 4, 127, 128, 2**32 - 1)),
            move=action_pb2.Move(packed=chance.choice((0, 1, 127, 128, 0x1234, 0xFFFF, 0x10000, 2**32 - 1))),
        ),
        expected_revision=chance.choice((None, 0, 1, 300, 2**31, 2**32 - 1)),
        viewers=named(*chance.choices((0, 1, 2, 3, 4, 14, 15, 99), k=chance.choice((0, 0, 1, 2, 6)))),
        include_diagrams=chance.random() < 0.3,
        include_knowledge=chance.random() < 0.3,
        expect_hypothetical=chance.random() < 0.3,
    )


def fields_of(request: Request) -> dict[str, Any]:
    """What protobuf reads; fails on what the reader has no words for."""
    assert request.action.WhichOneof("kind") == "move"
    assert request.action.move.WhichOneof("spelling") == "packed"
    return {
        "token": request.state.token,
        "seat": request.action.seat,
        "packed": request.action.move.packed,
        "expected_revision": request.expected_revision if request.HasField("expected_revision") else None,
        "viewers": list(request.viewers),
        "include_diagrams": request.include_diagrams,
        "include_knowledge": request.include_knowledge,
        "expect_hypothetical": request.expect_hypothetical,
    }


def test_plain_requests_are_read() -> None:
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    for _ in range(5_000):
        request = plain_request(chance)
        assert action_reader.read(request.SerializeToString()) == fields_of(request)


def damaged(data: bytes, chance: random.Random) -> bytes:
    """A request with bytes changed, left out, put in, or said twice; most often at its beginning or its end."""
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        near = min(len(data), 24)
        place = chance.choice((chance.randrange(near + 1), len(data) - chance.randrange(near + 1)))
        end = place + chance.choice((0, 1, 1, 2, 8))
        new = chance.choice((b"", b"\0", b"\x80", b"\xff", bytes((chance.randrange(256),)), data[place:end] * 2))
        data = data[:place] + new + data[end:]
        if chance.random() < 0.05:
            data = data[: chance.randrange(len(data) + 1)]
        if chance.random() < 0.05:
            data += plain_request(chance).SerializeToString()
        data = data or b"\n"
    return data


def test_damaged_requests_say_what_protobuf_reads() -> None:
    """Or nothing: what protobuf refuses is never read."""
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    read = left = 0
    for _ in range(60_000):
        data = damaged(plain_request(chance).SerializeToString(), chance)
        found = action_reader.read(data)
        if found is None:
            left += 1
            continue
        read += 1
        try:
            request = Request.FromString(data)
        except DecodeError:
            pytest.fail(f"{data.hex()} was read")
        assert found == fields_of(request), data.hex()
        again = Request()
        again.CopyFrom(request)
        again.DiscardUnknownFields()
        assert again.ByteSize() == request.ByteSize(), f"{data.hex()} has unknown fields"
    print(read, left)
    assert read > 5_000
    assert left > 5_000


UNUSUAL = {
    "no state": Request(action=action_pb2.Action(seat=1, move=action_pb2.Move(packed=1))),
    "an empty state": Request(state=state_pb2.State(), action=action_pb2.Action(move=action_pb2.Move(packed=1))),
    "no action": Request(state=state_pb2.State(token=b"t")),
    "no move": Request(state=state_pb2.State(token=b"t"), action=action_pb2.Action(seat=1)),
    "an empty move": Request(state=state_pb2.State(token=b"t"), action=action_pb2.Action(move=action_pb2.Move())),
    "text": Request(state=state_pb2.State(token=b"t"), action=action_pb2.Action(move=action_pb2.Move(text="a1a2"))),
    "another kind": Request(
        state=state_pb2.State(token=b"t"), action=action_pb2.Action(seat=1, resign=action_pb2.Resignation())
    ),
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_what_is_unusual_is_left_to_protobuf(name: str) -> None:
    assert action_reader.read(UNUSUAL[name].SerializeToString()) is None


PLAIN = bytes.fromhex("0a030a0174 1204 1a02 0805".replace(" ", ""))


@pytest.mark.parametrize(
    "data",
    [
        PLAIN[5:] + PLAIN[:5],  # in another order
        PLAIN + PLAIN[:5],  # a field twice
        PLAIN + bytes.fromhex("2001"),  # viewers one by one
        PLAIN + bytes.fromhex("4001"),  # a field that does not exist
        PLAIN + bytes.fromhex("2802"),  # a truth above 1
        PLAIN + bytes.fromhex("188100"),  # a number that is longer than it has to be
        PLAIN + bytes.fromhex("18ffffffffffffffffff01"),  # one of 64 bits
        PLAIN + bytes.fromhex("220affffffffffffffffff01"),  # an enum below 0
        PLAIN[:-4] + bytes.fromhex("1b08051c"),  # a group
    ],
    ids=["order", "twice", "unpacked", "unknown", "truth", "long", "64 bits", "negative", "group"],
)
def test_unusual_encodings_are_left_to_protobuf(data: bytes) -> None:
    assert action_reader.read(PLAIN) is not None
    assert action_reader.read(data) is None
