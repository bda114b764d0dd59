"""Whether what a server answers is what a vector expects.

An answer is read as the version of the vector knows it: a field that was added later is not there, and any other
difference is one, but for what the API promises to nobody. Words for people may be written anew: names, summaries and
meanings, and the messages of errors, of which code and reason count. ListGames may have more games.
"""

from collections.abc import Callable, Iterator
from typing import Any

from google.protobuf.message import Message
from google.rpc import error_details_pb2

from conformance.methods import Method
from conformance.vectors import Refused, Vector

_FOR_PEOPLE = {
    "shinpan.v1.Game": ("name", "summary"),
    "shinpan.v1.GameSummary": ("name", "summary"),
    "shinpan.v1.Kind": ("name",),
    "shinpan.v1.Option": ("meaning",),
}
"""Fields by their messages."""
_GAMES = "shinpan.v1.ListGamesResponse"
_STATUS = "google.rpc.Status"


def differences(vector: Vector, outcome: bytes | Refused, method: Method) -> list[str]:
    """Where an outcome is not as the vector says, each place with what is there and what was expected."""
    if outcome == vector.outcome:
        return []
    if isinstance(outcome, Refused) or isinstance(vector.outcome, Refused):
        return [f"{_told(outcome)}; expected {_told(vector.outcome)}"]
    expected, answered = (method.response.FromString(data) for data in (vector.outcome, outcome))
    answered.DiscardUnknownFields()
    if expected.DESCRIPTOR.full_name == _GAMES:
        _keep_known_games(expected, answered)
    return list(_differences("", expected, answered))


def _told(outcome: bytes | Refused) -> str:
    return f"{outcome.reason or 'no reason'} ({outcome.code})" if isinstance(outcome, Refused) else "an answer"


def _keep_known_games(expected: Any, answered: Any) -> None:
    """Take away the games that the vector does not have."""
    known = {game.id for game in expected.games}
    kept = [game for game in answered.games if game.id in known]
    del answered.games[:]
    answered.games.extend(kept)


def _differences(path: str, expected: Any, answered: Any) -> Iterator[str]:
    """Where two messages of one kind differ."""
    name = expected.DESCRIPTOR.full_name
    if name == _STATUS:
        yield from _compared(path, _error(expected), _error(answered))
        return
    for field in expected.DESCRIPTOR.fields:
        if field.name in _FOR_PEOPLE.get(name, ()):
            continue
        where = f"{path}.{field.name}" if path else field.name
        one, other = getattr(expected, field.name), getattr(answered, field.name)
        if field.is_repeated:
            yield from _of_many(where, one, other)
        elif field.has_presence and expected.HasField(field.name) != answered.HasField(field.name):
            yield f"{where} is {'not ' if expected.HasField(field.name) else ''}set"
        elif field.message_type is not None:
            yield from _differences(where, one, other)
        else:
            yield from _compared(where, one, other)


def _of_many(path: str, expected: Any, answered: Any) -> Iterator[str]:
    """Where two repeated fields or maps differ."""
    if hasattr(expected, "keys"):
        yield from _compared(path, dict(expected), dict(answered))
        return
    if len(expected) != len(answered):
        yield f"{path} has {len(answered)} entries; expected {len(expected)}"
        return
    for place, (one, other) in enumerate(zip(expected, answered, strict=True)):
        compare: Callable[..., Iterator[str]] = _differences if isinstance(one, Message) else _compared
        yield from compare(f"{path}[{place}]", one, other)


def _compared(path: str, expected: object, answered: object) -> Iterator[str]:
    if expected != answered:
        yield f"{path} is {answered!r}; expected {expected!r}"


def _error(status: Any) -> tuple[int, list[str]]:
    """The code and the reasons of an item's error."""
    name = error_details_pb2.ErrorInfo.DESCRIPTOR.full_name
    infos = [detail.value for detail in status.details if detail.type_url.endswith(f"/{name}")]
    return status.code, [error_details_pb2.ErrorInfo.FromString(info).reason for info in infos]
