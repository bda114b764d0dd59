"""The API as the tests call it: stubs, requests that are short to write, and the errors that come back."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, NoReturn

import grpc
from google.rpc import error_details_pb2, status_pb2
from shinpan.v1 import (
    action_pb2,
    analysis_service_pb2,
    analysis_service_pb2_grpc,
    game_pb2,
    match_pb2,
    referee_service_pb2,
    referee_service_pb2_grpc,
    state_pb2,
    viewer_pb2,
)

import engine_core
from service.tokens import seal, unseal

SEED = 20261130
"""Of every random arrangement and move of these tests; a failure is repeated by running it again."""

SPECTATOR = viewer_pb2.VIEWER_SPECTATOR
REFEREE = viewer_pb2.VIEWER_REFEREE

SERVICES = (
    referee_service_pb2.DESCRIPTOR.services_by_name["RefereeService"],
    analysis_service_pb2.DESCRIPTOR.services_by_name["AnalysisService"],
)
METHODS = [f"/{service.full_name}/{method.name}" for service in SERVICES for method in service.methods]

TIMEOUT = 30.0

Answer = Callable[..., game_pb2.Game]
"""A game by its id and options, as a server describes it."""


class Contract:
    """Both stubs on one channel, and calls with raw bytes."""

    def __init__(self, channel: grpc.Channel) -> None:
        self.channel = channel
        self.referee: Any = referee_service_pb2_grpc.RefereeServiceStub(channel)
        self.analysis: Any = analysis_service_pb2_grpc.AnalysisServiceStub(channel)

    def raw(self, path: str, data: bytes, timeout: float = TIMEOUT) -> bytes:
        """Call a method by its path with any bytes."""
        call: Any = self.channel.unary_unary(path)
        answer: bytes = call(data, timeout=timeout)
        return answer


class Refused(NamedTuple):
    """An error as a caller gets it."""

    code: grpc.StatusCode
    reason: str
    message: str
    metadata: Mapping[str, str]
    fields: tuple[str, ...]
    retry_seconds: float | None


def read_status(code: grpc.StatusCode, status: status_pb2.Status) -> Refused:
    """A status taken apart; fails when it has not exactly one ErrorInfo of our domain."""
    infos, fields, retry = [], [], None
    for detail in status.details:
        info, request, delay = (
            error_details_pb2.ErrorInfo(),
            error_details_pb2.BadRequest(),
            error_details_pb2.RetryInfo(),
        )
        if detail.Unpack(info):
            infos.append(info)
        elif detail.Unpack(request):
            fields += [violation.field for violation in request.field_violations]
        elif detail.Unpack(delay):
            retry = delay.retry_delay.ToMilliseconds() / 1000
    assert len(infos) == 1, status
    assert infos[0].domain == "shinpan"
    assert status.message
    assert code.value[0] == status.code
    bad_input = code is grpc.StatusCode.INVALID_ARGUMENT and infos[0].reason != "MALFORMED_REQUEST"
    assert bool(fields) == bad_input, "bad input names its fields, and nothing else does"
    return Refused(code, infos[0].reason, status.message, dict(infos[0].metadata), tuple(fields), retry)


def read_error(error: grpc.RpcError) -> Refused:
    """The error of a call taken apart."""
    assert isinstance(error, grpc.Call)
    status = status_pb2.Status()
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            assert isinstance(value, bytes)
            status.MergeFromString(value)
    assert status.message == error.details()
    return read_status(error.code(), status)


def refused(call: Callable[[], object]) -> Refused:
    """The error with which a call is refused; fails when it is not."""
    try:
        answer = call()
    except grpc.RpcError as error:
        return read_error(error)
    raise AssertionError(f"answered with {answer}")


class Aborted(Exception):
    """What a call without a transport raises to end."""


class Silent:
    """A call without a transport, to see what becomes of what no request can bring about."""

    def __init__(self, remaining: float | None, checks: int = 0, active: bool = True) -> None:
        """The time until the deadline as it is told after it has been asked for `checks` times, before that plenty."""
        self.remaining = remaining
        self.checks = checks
        self.active = active
        self.status = status_pb2.Status()

    def is_active(self) -> bool:
        return self.active

    def time_remaining(self) -> float | None:
        self.checks -= 1
        return self.remaining if self.checks < 0 else 60.0

    def invocation_metadata(self) -> Iterable[tuple[str, str]]:
        return (("x-request-id", "the-test"),)

    def set_trailing_metadata(self, metadata: Iterable[tuple[str, bytes]], /) -> None:
        for _, value in metadata:
            self.status.MergeFromString(value)

    def abort(self, code: grpc.StatusCode, details: str) -> NoReturn:
        raise Aborted(code)


class Seats(NamedTuple):
    """A match and how its seats have arranged; nothing where pieces have their places."""

    game: engine_core.Game
    arrangements: Mapping[int, Mapping[str, str]]
    state: engine_core.State


def arranged_state(game_id: str, seed: int = SEED, **options: str) -> Seats:
    """A match in which play has just begun."""
    game = engine_core.load(game_id, **options)
    state = game.start()
    waiting = game.seats if state.phase == "arrangement" else ()
    arrangements = {seat: game.random_arrangement(seat, seed=seed + seat) for seat in waiting}
    for seat, pieces in arrangements.items():
        state = state.arrange(seat, pieces).state
    return Seats(game, arrangements, state)


def wrap(state: engine_core.State | bytes) -> state_pb2.State:
    """A state as a message; bytes are the engine's encoding."""
    return state_pb2.State(token=seal(state if isinstance(state, bytes) else state.to_bytes()))


def unwrap(message: state_pb2.State) -> engine_core.State:
    """The state in a message."""
    return engine_core.decode(unseal(message.token))


def arrangement(pieces: Mapping[str, str] | Iterable[tuple[str, str]]) -> action_pb2.Arrangement:
    """An arrangement of squares and kinds."""
    pairs = pieces.items() if isinstance(pieces, Mapping) else pieces
    return action_pb2.Arrangement(placements=[action_pb2.Placement(square=square, kind=kind) for square, kind in pairs])


def named(*viewers: int) -> Any:
    """Viewers for a request: numbers of an open enum, which the stubs type as closed."""
    return viewers


def setup(game: str, **fields: Any) -> match_pb2.MatchSetup:
    """The setup of a match."""
    return match_pb2.MatchSetup(game=game, **fields)


def move(seat: int, text: str | int) -> action_pb2.Action:
    """A move as an action."""
    spelled = action_pb2.Move(text=text) if isinstance(text, str) else action_pb2.Move(packed=text)
    return action_pb2.Action(seat=seat, move=spelled)


def resign(seat: int) -> action_pb2.Action:
    """A resignation as an action."""
    return action_pb2.Action(seat=seat, resign=action_pb2.Resignation())


def apply_request(
    state: engine_core.State | bytes, action: action_pb2.Action, **fields: Any
) -> referee_service_pb2.ApplyActionRequest:
    """A request of ApplyAction."""
    return referee_service_pb2.ApplyActionRequest(state=wrap(state), action=action, **fields)
