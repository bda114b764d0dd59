"""Long, many and strange values cost little, and their errors still reach the caller."""

import time
from collections.abc import Callable, Sequence
from typing import Any

import grpc
import pytest
from contract import Contract, Seats, apply_request, arrangement, named, refused, resign, setup
from google.rpc import error_details_pb2, status_pb2
from shinpan.v1 import action_pb2, referee_service_pb2

from service.errors import Refusal, Violation, status_of

LIMIT = 8 * 1024
"""Bytes of headers that a client accepts unless told otherwise."""
LETTERS = ("x", "é", "将", "😀", "%", "\n", "'", "\\", "\x00")


def headers_size(code: grpc.StatusCode, status: status_pb2.Status) -> int:
    """Bytes of the headers of an error, counted as HTTP/2 does, with the details in base64."""
    message = "".join(
        letter if " " <= letter <= "~" and letter != "%" else "%00" * len(letter.encode()) for letter in status.message
    )
    details = (status.ByteSize() + 2) // 3 * 4
    pairs = {"grpc-status": len(str(code.value[0])), "grpc-message": len(message), "grpc-status-details-bin": details}
    return sum(len(name) + size + 32 for name, size in pairs.items())


def violations_of(status: status_pb2.Status) -> Sequence[Any]:
    bad_request = error_details_pb2.BadRequest()
    assert status.details[1].Unpack(bad_request)
    return list(bad_request.field_violations)


@pytest.mark.parametrize("letter", LETTERS, ids=ascii)
def test_every_error_fits_into_the_headers(letter: str) -> None:
    text = 3_000 * letter
    many = [Violation(f"{text[:90]}[{index}]", text, "WRONG") for index in range(2_000)]
    metadata: dict[str, Any] = {f"name{index}": text for index in range(6)}
    for count in (1, 20, 2_000):
        status = status_of(Refusal("INVALID_VALUE", text, violations=many[:count], **metadata))
        assert headers_size(grpc.StatusCode.INVALID_ARGUMENT, status) < LIMIT - 300
        assert status.message.endswith("…")
        assert all(violation.description for violation in violations_of(status))
        if count == 1:
            assert violations_of(status)[0].description.startswith(text[:40])


def test_short_texts_stay_whole() -> None:
    refusal = Refusal.of_field("INVALID_VALUE", "field", "is 100 % 将 wrong.", value="将")
    status = status_of(refusal)
    assert status.message == violations_of(status)[0].description == "field is 100 % 将 wrong."


def test_rather_all_violations_than_whole_sentences() -> None:
    many = [Violation(f"placements[{index}]", "It is wrong because of this and that. " * 4) for index in range(60)]
    shown = violations_of(status_of(Refusal("INVALID_VALUE", "Wrong.", violations=many)))
    assert [violation.field for violation in shown] == [violation.field for violation in many]
    assert all(violation.description.startswith("It is wrong because") for violation in shown)


@pytest.mark.parametrize("text", ["😀" * 600, "将" * 100_000, "a" * 1_000_000], ids=["emoji", "cjk", "latin"])
def test_long_texts_are_refused_as_bad_input(contract: Contract, seats: Seats, text: str) -> None:
    def start(**fields: Any) -> Callable[[], object]:
        request = referee_service_pb2.StartMatchRequest(setup=setup(**fields))
        return lambda: contract.referee.StartMatch(request)

    def act(action: action_pb2.Action) -> Callable[[], object]:
        request = apply_request(seats.state, action)
        return lambda: contract.referee.ApplyAction(request)

    def place(square: str, kind: str) -> Callable[[], object]:
        action = action_pb2.Action(seat=1, arrange=arrangement([(square, kind)]))
        request = apply_request(seats.game.start(), action)
        return lambda: contract.referee.ApplyAction(request)

    cases: list[tuple[str, Callable[[], object]]] = [
        ("UNKNOWN_GAME", start(game=text)),
        ("UNKNOWN_OPTION", start(game="hidden-hasami", options={text: "7x7"})),
        ("INVALID_OPTION_VALUE", start(game="hidden-hasami", options={"board": text})),
        ("MALFORMED_MOVE", act(action_pb2.Action(seat=1, move=action_pb2.Move(text=text)))),
        ("INVALID_ARRANGEMENT", place(text, "leader")),
        ("INVALID_ARRANGEMENT", place("a1", text)),
    ]
    for reason, call in cases:
        error = refused(call)
        assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, reason)


def quickly(call: Callable[[], object]) -> Any:
    """The error of a call that is refused, which takes no longer than reading its request does."""
    started = time.monotonic()
    error = refused(call)
    assert time.monotonic() - started < 2.0
    return error


def test_many_placements(contract: Contract, seats: Seats) -> None:
    limit = len(seats.game.squares) + 64
    for count, shown in ((limit, None), (limit + 1, 1), (16_000, 1), (250_000, 1)):
        action = action_pb2.Action(seat=1, arrange=arrangement([("a9", "nobody")] * count))
        request = apply_request(seats.game.start(), action)
        error = quickly(lambda request=request: contract.referee.ApplyAction(request))  # type: ignore[misc]
        assert error.reason == "INVALID_ARRANGEMENT"
        if shown is not None:
            assert error.fields == ("action.arrange.placements",)
            assert error.metadata["placements"] == str(count)
        else:
            assert int(error.metadata["violations_found"]) > len(error.fields) > 50


def test_violations_name_the_place_in_the_arrangement(contract: Contract, seats: Seats) -> None:
    pieces = list(seats.arrangements[1].items())
    pairs = [*pieces[:3], pieces[0], *pieces[3:]]
    request = apply_request(seats.game.start(), action_pb2.Action(seat=1, arrange=arrangement(pairs)))
    error = refused(lambda: contract.referee.ApplyAction(request))
    assert set(error.fields) == {"action.arrange.placements[3]", "action.arrange.placements"}


@pytest.mark.parametrize(
    ("winners", "reason", "place"),
    [
        ([1] * 1_000_000, "INVALID_ACTION", 1),
        ([2, 2], "INVALID_ACTION", 1),
        ([1, 2, 1], "INVALID_ACTION", 2),
        ([1, 2, 3], "INVALID_SEAT", 2),
        ([9] * 1_000_000, "INVALID_SEAT", 0),
    ],
    ids=["many", "twice", "more than seats", "unknown", "many unknown"],
)
def test_winners(contract: Contract, seats: Seats, winners: list[int], reason: str, place: int) -> None:
    ruling = action_pb2.Ruling(adjudication=action_pb2.Adjudication(winners=winners))
    request = apply_request(seats.state, action_pb2.Action(ruling=ruling))
    error = quickly(lambda: contract.referee.ApplyAction(request))
    assert (error.reason, error.fields) == (reason, (f"action.ruling.adjudication.winners[{place}]",))


def test_many_viewers(contract: Contract, seats: Seats) -> None:
    request = apply_request(seats.state, resign(1), viewers=named(*[1] * 1_000_000))
    error = quickly(lambda: contract.referee.ApplyAction(request))
    assert (error.reason, error.fields) == ("INVALID_VIEWER", ("viewers[1]",))
