"""Every reason of the published enum is reached, with its documented code."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import grpc
import pytest
from contract import (
    REFEREE,
    Aborted,
    Contract,
    Refused,
    Seats,
    Silent,
    apply_request,
    arrangement,
    move,
    named,
    read_status,
    refused,
    resign,
    setup,
    wrap,
)
from guarded import BACKEND, bearing, sealed
from shinpan.v1 import (
    action_pb2,
    analysis_service_pb2,
    error_reason_pb2,
    referee_service_pb2,
    state_pb2,
)

import engine_core
from conformance import broken_states
from engine_core.ruleset_file import read
from service import requests
from service.config import read_settings
from service.errors import Refusal, code_of, status_of
from service.logs import RequestIds
from service.method import Method
from service.metrics import Metrics

ROOT = Path(__file__).resolve().parents[2]
REASONS = [
    name.removeprefix("ERROR_REASON_")
    for name in error_reason_pb2.ErrorReason.DESCRIPTOR.values_by_name
    if name != "ERROR_REASON_UNSPECIFIED"
]


class Servers(NamedTuple):
    """Servers with their settings, and a match in play."""

    default: Contract
    strict: Contract
    private: Contract
    guarded: grpc.Channel
    seats: Seats

    def apply(self, action: action_pb2.Action, **fields: Any) -> Refused:
        return self.apply_to(self.seats.state, action, **fields)

    def apply_to(self, state: engine_core.State | bytes, action: action_pb2.Action, **fields: Any) -> Refused:
        request = apply_request(state, action, **fields)
        return refused(lambda: self.default.referee.ApplyAction(request))

    def game(self, game: str, **options: str) -> Refused:
        request = referee_service_pb2.GetGameRequest(game=game, options=options)
        return refused(lambda: self.default.referee.GetGame(request))

    def state(self, data: bytes) -> Refused:
        request = referee_service_pb2.DescribeStateRequest(state=wrap(data))
        return refused(lambda: self.default.referee.DescribeState(request))

    def sealed(self, token: state_pb2.State) -> Refused:
        request = referee_service_pb2.DescribeStateRequest(state=token)
        return refused(lambda: bearing(self.guarded, BACKEND).referee.DescribeState(request))

    def changed(self, offset: int, value: int) -> Refused:
        return self.state(broken_states.with_byte(self.seats.state, offset, value))


@pytest.fixture(scope="module")
def servers(contract: Contract, strict: Contract, private: Contract, guarded: grpc.Channel, seats: Seats) -> Servers:
    return Servers(contract, strict, private, guarded, seats)


def dispatched(remaining: float | None) -> tuple[Refused, int]:
    """The error of a method that would fail, and how often it was called."""
    calls: list[object] = []

    def failing(request: object, _: object) -> NoReturn:
        calls.append(request)
        raise RuntimeError("secret")

    method = Method(
        "a.Service",
        "Do",
        referee_service_pb2.ListGamesRequest,
        failing,
        read_settings([], {}),
        Metrics(),
        RequestIds(),
        None,
    )
    context = Silent(remaining)
    with pytest.raises(Aborted):
        method(b"", context)
    code = next(code for code in grpc.StatusCode if code.value[0] == context.status.code)
    return read_status(code, context.status), len(calls)


def seat_out(_: Servers) -> Refused:
    game = engine_core.Game(read(ROOT / "tests/engine/rulesets/trio.toml").ruleset({}))
    pieces = {1: {"a1": "flag", "c1": "rook"}, 2: {"a5": "flag", "c5": "guard"}, 3: {"e3": "flag", "e2": "guard"}}
    state = game.position(pieces, to_move=1).resign(3).state
    with pytest.raises(Refusal) as caught:
        requests.apply(state, resign(3))
    with pytest.raises(Refusal) as moved:
        requests.apply(state, move(3, "e2e1"))
    assert moved.value.reason == caught.value.reason
    return read_status(code_of(caught.value.reason), status_of(caught.value))


def overloaded(servers: Servers) -> Refused:
    """One thread and one waiting call: of many long calls at once, some are refused."""
    request = analysis_service_pb2.PlayoutRequest(state=wrap(servers.seats.state), games=5000, seed=1)
    calls = [servers.strict.analysis.Playout.future(request) for _ in range(12)]
    errors = []
    for call in calls:
        try:
            call.result()
        except grpc.RpcError as error:
            errors.append(error)
    assert 0 < len(errors) < len(calls), "some are answered, some refused"

    def fail() -> NoReturn:
        raise errors[0]

    return refused(fail)


def too_large(method: str, path: str, size: int) -> Callable[[Servers], Refused]:
    def call(servers: Servers) -> Refused:
        return refused(lambda: servers.strict.raw(f"/shinpan.v1.RefereeService/{method}", path.encode() * size))

    return call


def batch_too_large(servers: Servers) -> Refused:
    replay = referee_service_pb2.ReplayMatchRequest(state=wrap(servers.seats.state), actions=[resign(1)] * 5)
    error = refused(lambda: servers.strict.referee.ReplayMatch(replay))
    assert (error.reason, error.metadata["limit"]) == ("BATCH_TOO_LARGE", "4")
    request = referee_service_pb2.BatchGetUpdatesRequest(items=[referee_service_pb2.GetUpdateRequest()] * 4)
    return refused(lambda: servers.strict.referee.BatchGetUpdates(request))


def answer_too_large(servers: Servers) -> Refused:
    looks = referee_service_pb2.GetUpdateRequest(
        state=wrap(servers.seats.state), viewers=named(1, 2), include_diagrams=True
    )
    request = referee_service_pb2.BatchGetUpdatesRequest(items=[looks] * 3)
    refused(lambda: servers.strict.referee.GetGame(referee_service_pb2.GetGameRequest(game="gunjin-shogi")))
    return refused(lambda: servers.strict.referee.BatchGetUpdates(request))


def budget_exceeded(servers: Servers) -> Refused:
    state = wrap(servers.seats.state)
    deep = analysis_service_pb2.PerftRequest(state=state, depth=9)
    error = refused(lambda: servers.default.analysis.Perft(deep))
    assert (error.reason, error.metadata["limit"]) == ("BUDGET_EXCEEDED", "8")
    wide = analysis_service_pb2.PerftRequest(state=state, depth=3)
    error = refused(lambda: servers.strict.analysis.Perft(wide))
    assert (error.reason, error.metadata["limit"]) == ("BUDGET_EXCEEDED", "1000")
    assert servers.default.analysis.Perft(wide).nodes == engine_core.perft(servers.seats.state, 3)
    long = analysis_service_pb2.PlayoutRequest(state=state, games=100_000)
    error = refused(lambda: servers.strict.analysis.Playout(long))
    assert (error.reason, error.metadata["limit"]) == ("BUDGET_EXCEEDED", "20000000")
    many = analysis_service_pb2.PlayoutRequest(state=state, games=10_001)
    return refused(lambda: servers.default.analysis.Playout(many))


def referee_disabled(servers: Servers) -> Refused:
    state = wrap(servers.seats.state)
    for call, request in (
        (servers.private.analysis.Playout, analysis_service_pb2.PlayoutRequest(state=state, games=1)),
        (servers.private.analysis.Perft, analysis_service_pb2.PerftRequest(state=state, depth=1)),
        (servers.private.referee.ApplyAction, apply_request(servers.seats.state, resign(1), viewers=named(REFEREE))),
        (
            servers.private.referee.StartMatch,
            referee_service_pb2.StartMatchRequest(setup=setup("hidden-hasami"), viewers=named(REFEREE)),
        ),
        (
            servers.private.referee.ReplayMatch,
            referee_service_pb2.ReplayMatchRequest(setup=setup("hidden-hasami"), viewers=named(REFEREE)),
        ),
    ):
        assert refused(lambda call=call, request=request: call(request)).reason == "REFEREE_DISABLED"  # type: ignore[misc]
    look = referee_service_pb2.GetUpdateRequest(state=state, viewers=named(1, REFEREE))
    return refused(lambda: servers.private.referee.GetUpdate(look))


def permission_missing(servers: Servers) -> Refused:
    state = sealed(servers.seats.state, 513, audience="arena")
    request = referee_service_pb2.GetUpdateRequest(state=state, viewers=named(1, REFEREE))
    error = refused(lambda: bearing(servers.guarded, BACKEND).referee.GetUpdate(request))
    assert error.metadata == {"permission": "referee-view"}
    return error


def stale(servers: Servers) -> Refused:
    error = servers.apply(resign(1), expected_revision=1)
    assert error.metadata == {"revision": "2", "expected_revision": "1"}
    assert servers.apply(resign(1), expected_revision=0).reason == "STALE_STATE"
    return error


def invalid_arrangement(servers: Servers) -> Refused:
    pairs = [*list(servers.seats.arrangements[1].items())[1:], ("a1", "dragon"), ("z9", "guard"), ("b1", "guard")]
    action = action_pb2.Action(seat=1, arrange=arrangement(pairs))
    error = servers.apply_to(servers.seats.game.start(), action)
    assert "action.arrange.placements[6]" in error.fields
    assert "action.arrange.placements[7]" in error.fields
    assert int(error.metadata["violations_found"]) == len(error.fields)
    in_setup = referee_service_pb2.StartMatchRequest(setup=setup("hidden-hasami", arrangements={2: arrangement(pairs)}))
    other = refused(lambda: servers.default.referee.StartMatch(in_setup))
    assert other.fields[0].startswith("setup.arrangements[2].placements")
    return error


def ended(seats: Seats) -> engine_core.State:
    return seats.state.resign(1).state


def played(seats: Seats) -> engine_core.State:
    state = seats.state
    for _ in range(2):
        state = next(
            turn.state for turn in map(state.play, state.legal_moves()) if not turn.captured and not turn.state.result
        )
    return state


def offered(seats: Seats) -> engine_core.State:
    return seats.state.offer_draw(1).state


OFFER = action_pb2.DrawOffer()
ACCEPT = action_pb2.DrawAcceptance()

CASES: dict[str, Callable[[Servers], Refused]] = {
    "MALFORMED_REQUEST": lambda on: refused(lambda: on.default.raw("/shinpan.v1.RefereeService/GetGame", b"\xff")),
    "FIELD_REQUIRED": lambda on: on.game(""),
    "INVALID_VALUE": lambda on: refused(
        lambda: on.default.referee.StartMatch(
            referee_service_pb2.StartMatchRequest(setup=setup("hidden-hasami", match_id=b"x" * 33))
        )
    ),
    "UNKNOWN_GAME": lambda on: on.game("chess"),
    "UNKNOWN_OPTION": lambda on: on.game("hidden-hasami", size="7"),
    "INVALID_OPTION_VALUE": lambda on: on.game("hidden-hasami", board="8x8"),
    "INVALID_SEAT": lambda on: on.apply(resign(3)),
    "VIEWER_UNSPECIFIED": lambda on: on.apply(resign(1), viewers=named(1, 0)),
    "INVALID_VIEWER": lambda on: on.apply(resign(1), viewers=named(3)),
    "INVALID_ACTION": lambda on: on.apply(
        action_pb2.Action(seat=1, ruling=action_pb2.Ruling(adjudication=action_pb2.Adjudication()))
    ),
    "MALFORMED_MOVE": lambda on: on.apply(move(1, "b3z9")),
    "INVALID_ARRANGEMENT": invalid_arrangement,
    "STATE_FORMAT": lambda on: refused(
        lambda: on.default.referee.DescribeState(
            referee_service_pb2.DescribeStateRequest(state=state_pb2.State(token=b"SHPN\x02\x00\x00\x00abc"))
        )
    ),
    "STATE_LENGTH": lambda on: on.state(on.seats.state.to_bytes()[:-1]),
    "STATE_VERSION": lambda on: on.state(b"\x09" + on.seats.state.to_bytes()[1:]),
    "STATE_CHECKSUM": lambda on: on.state(on.seats.state.to_bytes()[:-1] + b"\x00"),
    "STATE_HEADER": lambda on: on.changed(broken_states.FLAGS, 0xFF),
    "STATE_PHASE": lambda on: on.changed(broken_states.PHASE, 7),
    "STATE_ROSTER": lambda on: on.changed(broken_states.KINDS, 9),
    "STATE_OCCUPANCY": lambda on: on.changed(broken_states.SQUARES, on.seats.game.squares.index("b1")),
    "STATE_EVIDENCE": lambda on: on.changed(broken_states.SQUARES, on.seats.game.squares.index("a4")),
    "STATE_HISTORY": lambda on: on.state(broken_states.with_byte(played(on.seats), -2, 48)),
    "STATE_RESULT": lambda on: on.state(broken_states.with_byte(ended(on.seats), broken_states.WINNERS, 0)),
    "RULESET_UNAVAILABLE": lambda on: on.state(broken_states.with_other_rules(on.seats.state)),
    "ILLEGAL_MOVE": lambda on: on.apply(move(1, "a1b1")),
    "NOT_YOUR_TURN": lambda on: on.apply(move(2, "a7a6")),
    "MATCH_OVER": lambda on: on.apply_to(ended(on.seats), move(2, "a7a6")),
    "ARRANGEMENT_PENDING": lambda on: on.apply_to(on.seats.game.start(), move(1, "a1a2")),
    "ALREADY_ARRANGED": lambda on: on.apply(action_pb2.Action(seat=1, arrange=arrangement(on.seats.arrangements[1]))),
    "SEAT_OUT": seat_out,
    "DRAW_OFFER_OPEN": lambda on: on.apply_to(offered(on.seats), action_pb2.Action(seat=2, offer_draw=OFFER)),
    "NO_DRAW_OFFER": lambda on: on.apply(action_pb2.Action(seat=2, accept_draw=ACCEPT)),
    "HYPOTHETICAL_STATE": lambda on: on.state(on.seats.state.sample(1, 1, 1)[0].to_bytes()),
    "REAL_STATE": lambda on: on.apply(resign(1), expect_hypothetical=True),
    "TOKEN_SEALED": lambda on: refused(
        lambda: on.default.referee.DescribeState(
            referee_service_pb2.DescribeStateRequest(state=sealed(on.seats.state, 513))
        )
    ),
    "TOKEN_NOT_SEALED": lambda on: on.sealed(wrap(on.seats.state)),
    "TOKEN_KEY_UNKNOWN": lambda on: on.sealed(sealed(on.seats.state, 2, audience="arena")),
    "TOKEN_REFUSED": lambda on: on.sealed(sealed(on.seats.state, 1, audience="ladder")),
    "BEARER_MISSING": lambda on: refused(lambda: Contract(on.guarded).raw("/shinpan.v1.RefereeService/ListGames", b"")),
    "BEARER_UNKNOWN": lambda on: refused(
        lambda: bearing(on.guarded, "nobody's").raw("/shinpan.v1.RefereeService/ListGames", b"")
    ),
    "PERMISSION_MISSING": permission_missing,
    "STALE_STATE": stale,
    "REFEREE_DISABLED": referee_disabled,
    "MESSAGE_TOO_LARGE": too_large("GetGame", "\n\x00", 10_001),
    "ANSWER_TOO_LARGE": answer_too_large,
    "BATCH_TOO_LARGE": batch_too_large,
    "BUDGET_EXCEEDED": budget_exceeded,
    "OVERLOADED": overloaded,
    "DEADLINE_EXCEEDED": lambda on: dispatched(0.0)[0],
    "SERVER_FAULT": lambda on: dispatched(None)[0],
}

LIMITS = {
    "MESSAGE_TOO_LARGE": "20000",
    "ANSWER_TOO_LARGE": "2048",
    "BATCH_TOO_LARGE": "3",
    "BUDGET_EXCEEDED": "10000",
    "OVERLOADED": "1",
}


class Documented(NamedTuple):
    """What the comment of a reason says."""

    code: str
    example: str


def documentation() -> dict[str, Documented]:
    """The code and the example of every reason as the comments of the enum give them."""
    text = (ROOT / "proto/shinpan/v1/error_reason.proto").read_text(encoding="utf-8")
    found = re.findall(r"// ([A-Z_]+)\. Example: ((?:.+\n)+?)  ERROR_REASON_([A-Z_]+) =", text)
    return {
        reason: Documented(code, re.sub(r"\s*\n\s*(// )?", " ", example).strip()) for code, example, reason in found
    }


def form_of(message: str, metadata: Mapping[str, str]) -> str:
    """A pattern that fits a message also with other values of what varies in it."""
    form = re.escape(message)
    for value in sorted(metadata.values(), key=len, reverse=True):
        shortened = value.endswith("…")
        form = re.sub(re.escape(re.escape(value.removesuffix("…"))) + ("[^;]*" if shortened else ""), "*", form)
    return re.sub(r"(?<!\\)\*", ".+", form)


def test_every_reason_has_a_case() -> None:
    assert sorted(CASES) == sorted(REASONS)


@pytest.mark.parametrize("reason", REASONS)
def test_reason_is_reached(servers: Servers, reason: str) -> None:
    error = CASES[reason](servers)
    assert error.reason == reason
    documented = documentation()[reason]
    assert error.code.name == documented.code
    assert re.fullmatch(form_of(error.message, error.metadata), documented.example), error
    assert (error.retry_seconds is not None) == (reason == "OVERLOADED")
    if reason in LIMITS:
        assert error.metadata["limit"] == LIMITS[reason]
    for number in set(re.findall(r"\d+", error.message)) - {"1", "2"}:  # "from 1", "reads 1 to 2": do not vary
        assert any(number in value for value in error.metadata.values()), error


def test_a_passed_deadline_means_no_work() -> None:
    error, calls = dispatched(-1.0)
    assert (error.code, calls) == (grpc.StatusCode.DEADLINE_EXCEEDED, 0)


def test_a_fault_tells_nothing_but_where_to_look() -> None:
    error, calls = dispatched(None)
    assert calls == 1
    assert error.metadata == {"request_id": "the-test"}
    assert "secret" not in error.message


def test_overload_says_when_to_come_back(servers: Servers) -> None:
    assert overloaded(servers).retry_seconds == 0.25
