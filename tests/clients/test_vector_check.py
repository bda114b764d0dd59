"""That the check of conformance vectors fails where it must, and only there."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from shinpan.v1 import game_pb2, referee_service_pb2

from conformance.api import read_api
from conformance.check import broken
from conformance.comparison import differences
from conformance.servers import Servers
from conformance.vectors import Refused, Vector, read, versions

OLDEST = versions()[0]
API = read_api(OLDEST)
VECTORS = [vector for file in sorted(OLDEST.glob("*.jsonl")) for vector in read(file)]
ANSWERED = [vector for vector in VECTORS if isinstance(vector.outcome, bytes)]
SEED = 20261130
UNKNOWN_FIELD = b"\xfa\x7d\x03new"
"""Field 2015, which no message has: three bytes."""


def compared(vector: Vector, answer: Message | bytes) -> list[str]:
    """The differences when a server gives this answer."""
    outcome = answer if isinstance(answer, bytes) else answer.SerializeToString()
    return differences(vector, outcome, API[vector.method])


def answer_of(vector: Vector) -> Any:
    """The answer of a vector, as the API is now."""
    assert isinstance(vector.outcome, bytes)
    return API[vector.method].response.FromString(vector.outcome)


def vectors_of(method: str) -> Iterator[Vector]:
    return (vector for vector in ANSWERED if vector.method.endswith(f"/{method}"))


def leaves(message: Any, path: str = "") -> Iterator[tuple[str, Any, FieldDescriptor]]:
    """Every field of a message and of those in it that holds a single value and is set, with its path."""
    for field, value in message.ListFields():
        where = f"{path}.{field.name}"
        if field.message_type is None:
            yield where, message, field
        elif field.message_type.GetOptions().map_entry:
            continue
        elif field.is_repeated:
            for one in value:
                yield from leaves(one, where)
        else:
            yield from leaves(value, where)


def change(message: Any, field: FieldDescriptor) -> None:
    """Give a field another value of its type."""
    value = getattr(message, field.name)
    if field.is_repeated:
        value.append(value[0])
        return
    others: dict[type, Any] = {bool: lambda: not value, str: lambda: value + "x", bytes: lambda: value + b"\0"}
    setattr(message, field.name, others.get(type(value), lambda: value + 1)())


FOR_PEOPLE = {
    "shinpan.v1.Game.name",
    "shinpan.v1.Game.summary",
    "shinpan.v1.GameSummary.name",
    "shinpan.v1.GameSummary.summary",
    "shinpan.v1.Kind.name",
    "shinpan.v1.Option.meaning",
    "google.rpc.Status.message",
}


@pytest.mark.parametrize("method", sorted(API))
def test_every_changed_value_is_a_difference(method: str) -> None:
    """One field of one answer at a time: unless it is of words for people, the vector is broken."""
    chance = random.Random(f"{SEED} {method}")
    some = chance.choices(list(vectors_of(method.partition("/")[2])), k=5)
    vector = max(some, key=lambda one: len(one.outcome))
    tried = 0
    for number, (path, _, _) in enumerate(list(leaves(answer_of(vector)))):
        answer = answer_of(vector)
        where, message, field = list(leaves(answer))[number]
        if field.full_name.startswith("google.protobuf.Any.") or (tried and chance.random() > 0.3):
            continue
        assert where == path
        change(message, field)
        tried += 1
        assert bool(compared(vector, answer)) == (field.full_name not in FOR_PEOPLE), (vector.name, path)
    assert tried


@pytest.mark.parametrize("method", sorted(API))
def test_a_field_of_later_is_none(method: str) -> None:
    vector = next(vectors_of(method.partition("/")[2]))
    assert isinstance(vector.outcome, bytes)
    assert compared(vector, vector.outcome + UNKNOWN_FIELD) == []


def test_a_field_of_later_inside_is_none() -> None:
    vector = next(vectors_of("ApplyAction"))
    answer = answer_of(vector)
    answer.updates[0].view.MergeFromString(UNKNOWN_FIELD)
    answer.updates[0].status.MergeFromString(UNKNOWN_FIELD)
    assert compared(vector, answer) == []
    answer.updates[0].view.seats = b""
    assert compared(vector, answer) != []


def test_what_lacks_and_what_is_more_is_a_difference() -> None:
    vector = next(vectors_of("ApplyAction"))
    spoilers: tuple[Callable[[Any], object], ...] = (
        lambda answer: answer.updates.pop(),
        lambda answer: answer.updates.add(),
        lambda answer: answer.updates[0].ClearField("status"),
        lambda answer: answer.ClearField("digest"),
        lambda answer: answer.updates.reverse(),
    )
    for spoil in spoilers:
        answer = answer_of(vector)
        spoil(answer)
        assert compared(vector, answer) != []


def test_an_event_of_a_later_sort_is_a_difference() -> None:
    """It is in a field that an old client does not know, in place of one that it does."""
    vector = next(one for one in vectors_of("ApplyAction") if answer_of(one).updates[0].events)
    answer = answer_of(vector)
    answer.updates[0].events[-1].Clear()
    answer.updates[0].events[-1].MergeFromString(UNKNOWN_FIELD)
    assert compared(vector, answer) != []


def test_more_games_are_none_and_a_game_less_is_one() -> None:
    (vector,) = (one for one in vectors_of("ListGames") if one.server == "plain")
    assert isinstance(vector.outcome, bytes)
    answer = referee_service_pb2.ListGamesResponse.FromString(vector.outcome)
    answer.games.insert(0, game_pb2.GameSummary(id="another-game"))
    assert compared(vector, answer) == []
    del answer.games[1]
    assert compared(vector, answer) != []


def test_of_errors_of_items_code_and_reason_count() -> None:
    vector = next(vectors_of("BatchGetUpdates"))
    answer = answer_of(vector)
    item = answer.items[-1].error
    item.message = "Other words."
    item.details[1].value = b""
    assert compared(vector, answer) == []
    item.details[0].value = error_details_pb2.ErrorInfo(reason="STALE_STATE").SerializeToString()
    assert compared(vector, answer) != []
    answer = answer_of(vector)
    answer.items[-1].error.code += 1
    assert compared(vector, answer) != []


def test_errors_are_compared_by_code_and_reason() -> None:
    vector = next(vector for vector in VECTORS if isinstance(vector.outcome, Refused))
    assert isinstance(vector.outcome, Refused)
    code, reason = vector.outcome
    for outcome, differs in (
        (Refused(code, reason), False),
        (Refused("INTERNAL", reason), True),
        (Refused(code, "STALE_STATE"), True),
        (b"", True),
    ):
        assert bool(differences(vector, outcome, API[vector.method])) == differs
    answered = ANSWERED[0]
    assert differences(answered, Refused(code, reason), API[answered.method])


def test_a_vector_that_was_tampered_with_is_broken() -> None:
    """Asked of real servers: as it is, it holds; of another request or another answer, it does not."""
    vector = next(one for one in vectors_of("ApplyAction") if len(answer_of(one).updates) > 1)
    (other,) = (one for one in vectors_of("ListGames") if one.server == "plain")
    answer = answer_of(vector)
    moves = answer.updates[answer.updates[0].status.to_move - 1].legal_actions.moves
    moves.pop()
    with Servers() as servers:
        assert broken(servers, vector, API) == []
        fewer = Vector(vector.name, vector.server, vector.method, vector.request, answer.SerializeToString())
        assert any("legal_actions.moves" in line for line in broken(servers, fewer, API))
        asked = Vector(vector.name, vector.server, vector.method, other.request, vector.outcome)
        assert broken(servers, asked, API) == ["FIELD_REQUIRED (INVALID_ARGUMENT); expected an answer"]
