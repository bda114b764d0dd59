"""Who is let in by a bearer token, and what each permission is needed for."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import grpc
import pytest
from contract import METHODS, REFEREE, SPECTATOR, Contract, Refused, Seats, move, named, refused, setup
from guarded import (
    ANALYST,
    ARBITER,
    BACKEND,
    BEARERS,
    OTHER_BACKEND,
    SECRETS,
    access,
    bearing,
    keys,
    sealed,
    tokens,
    written,
)
from shinpan.v1 import analysis_service_pb2, knowledge_pb2, referee_service_pb2

from service.access import AccessFileError, read_access
from service.process import ServerProcess

LIST_GAMES = "/shinpan.v1.RefereeService/ListGames"
HASH = sha256(b"a").hexdigest()
OTHER_HASH = sha256(b"b").hexdigest()


def asked(guarded: grpc.Channel, path: str, *metadata: tuple[str, str]) -> Refused:
    """The error of a call with this metadata and an empty request."""
    call: Any = guarded.unary_unary(path)
    return refused(lambda: call(b"", metadata=metadata, timeout=30))


@pytest.mark.parametrize("path", METHODS)
def test_no_method_answers_a_stranger(guarded: grpc.Channel, path: str) -> None:
    missing = asked(guarded, path)
    assert (missing.code, missing.reason) == (grpc.StatusCode.UNAUTHENTICATED, "BEARER_MISSING")
    unknown = asked(guarded, path, ("authorization", "Bearer the-bearer-of-nobody"))
    assert (unknown.code, unknown.reason) == (grpc.StatusCode.UNAUTHENTICATED, "BEARER_UNKNOWN")


@pytest.mark.parametrize("value", ["", "Bearer", BACKEND, f"Basic {BACKEND}", f"Bearer{BACKEND}"])
def test_what_is_no_bearer_token(guarded: grpc.Channel, value: str) -> None:
    assert asked(guarded, LIST_GAMES, ("authorization", value)).reason == "BEARER_MISSING"


@pytest.mark.parametrize(
    "token", ["", BACKEND[:-1], BACKEND + "x", BACKEND.upper(), sha256(BACKEND.encode()).hexdigest()]
)
def test_almost_a_bearer_token(guarded: grpc.Channel, token: str) -> None:
    """The hash in the file is none either: who reads the file cannot call."""
    assert asked(guarded, LIST_GAMES, ("authorization", f"Bearer {token}")).reason == "BEARER_UNKNOWN"


@pytest.mark.parametrize("bearer", BEARERS)
@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_every_caller_is_known(guarded: grpc.Channel, bearer: str, scheme: str) -> None:
    """The scheme is no matter of case."""
    call: Any = guarded.unary_unary(LIST_GAMES)
    assert call(b"", metadata=(("authorization", f"{scheme} {bearer}"),), timeout=30)


def requests_of(seats: Seats, audience: str) -> dict[str, tuple[str, Callable[[Contract], object]]]:
    """Calls by a name, each with the permission that it needs, or ""."""
    state = sealed(seats.state, 1, audience=audience)
    sample = sealed(seats.state.sample(1, 1, 1)[0], 1, audience=audience)
    knowledge = knowledge_pb2.Knowledge(token=tokens(1, audience=audience).seal(seats.state.knowledge(1).to_bytes()))
    messages, analysis = referee_service_pb2, analysis_service_pb2
    look = messages.GetUpdateRequest(state=state, viewers=named(1, SPECTATOR))
    see = messages.GetUpdateRequest(state=state, viewers=named(1, REFEREE))
    begin = setup("hidden-hasami")
    calls: dict[str, tuple[str, Callable[[Any], object]]] = {
        "games": ("", lambda on: on.referee.ListGames(messages.ListGamesRequest())),
        "game": ("", lambda on: on.referee.GetGame(messages.GetGameRequest(game="hidden-hasami"))),
        "draw": (
            "",
            lambda on: on.analysis.DrawArrangement(analysis.DrawArrangementRequest(game="hidden-hasami", seat=1)),
        ),
        "deduce": ("", lambda on: on.analysis.Deduce(analysis.DeduceRequest(knowledge=knowledge))),
        "sample": ("", lambda on: on.analysis.SampleStates(analysis.SampleStatesRequest(knowledge=knowledge, count=1))),
        "playout of a sample": (
            "",
            lambda on: on.analysis.Playout(
                analysis.PlayoutRequest(state=sample, games=1, expect_hypothetical=True),
            ),
        ),
        "start": ("play", lambda on: on.referee.StartMatch(messages.StartMatchRequest(setup=begin))),
        "apply": (
            "play",
            lambda on: on.referee.ApplyAction(messages.ApplyActionRequest(state=state, action=move(1, "a1a2"))),
        ),
        "look": ("play", lambda on: on.referee.GetUpdate(look)),
        "legal": (
            "play",
            lambda on: on.referee.ListLegalActions(messages.ListLegalActionsRequest(state=state, seat=1)),
        ),
        "describe": ("play", lambda on: on.referee.DescribeState(messages.DescribeStateRequest(state=state))),
        "reseal": ("play", lambda on: on.referee.ResealState(messages.ResealStateRequest(state=state))),
        "replay": ("play", lambda on: on.referee.ReplayMatch(messages.ReplayMatchRequest(setup=begin))),
        "batch": ("play", lambda on: on.referee.BatchGetUpdates(messages.BatchGetUpdatesRequest(items=[look]))),
        "batch of actions": ("play", lambda on: on.referee.BatchApplyActions(messages.BatchApplyActionsRequest())),
        "batch of lists": (
            "play",
            lambda on: on.referee.BatchListLegalActions(messages.BatchListLegalActionsRequest()),
        ),
        "see": ("referee-view", lambda on: on.referee.GetUpdate(see)),
        "see the start": (
            "referee-view",
            lambda on: on.referee.StartMatch(messages.StartMatchRequest(setup=begin, viewers=named(REFEREE))),
        ),
        "see the replay": (
            "referee-view",
            lambda on: on.referee.ReplayMatch(messages.ReplayMatchRequest(setup=begin, viewers=named(REFEREE))),
        ),
        "see after an action": (
            "referee-view",
            lambda on: on.referee.ApplyAction(
                messages.ApplyActionRequest(state=state, action=move(1, "a1a2"), viewers=named(REFEREE))
            ),
        ),
        "playout": (
            "analyse-real-states",
            lambda on: on.analysis.Playout(analysis.PlayoutRequest(state=state, games=1)),
        ),
        "perft": ("analyse-real-states", lambda on: on.analysis.Perft(analysis.PerftRequest(state=state, depth=1))),
    }
    return calls


@pytest.mark.parametrize("bearer", BEARERS)
def test_every_call_needs_its_permission(guarded: grpc.Channel, seats: Seats, bearer: str) -> None:
    """Of all callers: who has it is answered, who lacks it is told which it is."""
    audience, permissions = BEARERS[bearer]
    for name, (needed, call) in requests_of(seats, audience).items():
        wanted = {"play", needed} if needed == "referee-view" else {needed} - {""}
        lacking = wanted.difference(permissions)
        if not lacking:
            assert call(bearing(guarded, bearer)), name
            continue
        error = refused(lambda call=call: call(bearing(guarded, bearer)))  # type: ignore[misc]
        assert (error.code, error.reason) == (grpc.StatusCode.PERMISSION_DENIED, "PERMISSION_MISSING"), name
        assert error.metadata["permission"] == ("play" if "play" in lacking else needed), name


def test_an_item_of_a_batch_is_refused_alone(guarded: grpc.Channel, seats: Seats) -> None:
    state = sealed(seats.state, 1, audience="arena")
    items = [
        referee_service_pb2.GetUpdateRequest(state=state, viewers=named(viewer)) for viewer in (1, REFEREE, SPECTATOR)
    ]
    request = referee_service_pb2.BatchGetUpdatesRequest(items=items)
    answers = bearing(guarded, BACKEND).referee.BatchGetUpdates(request).items
    assert [answer.WhichOneof("outcome") for answer in answers] == ["result", "error", "result"]
    assert answers[1].error.code == grpc.StatusCode.PERMISSION_DENIED.value[0]
    answers = bearing(guarded, ARBITER).referee.BatchGetUpdates(request).items
    assert [answer.WhichOneof("outcome") for answer in answers] == ["result"] * 3


def test_without_an_access_file_everybody_may_do_everything(contract: Contract, seats: Seats) -> None:
    begin = referee_service_pb2.StartMatchRequest(setup=setup("hidden-hasami"), viewers=named(REFEREE))
    assert contract.referee.StartMatch(begin).updates


def test_nothing_secret_is_logged(tmp_path: Path, seats: Seats) -> None:
    """Neither bearer tokens, known or not, nor keys, nor tokens of states."""
    path = tmp_path / "log"
    files: dict[str, Any] = {
        "token_keys_file": written(tmp_path, "keys", keys(1)),
        "access_file": written(tmp_path, "access.toml", access()),
    }
    state = sealed(seats.state, 1, audience="arena")
    look = referee_service_pb2.GetUpdateRequest(state=state, viewers=named(REFEREE))
    with (
        path.open("wb") as log,
        ServerProcess(log=log, **files) as process,
        grpc.insecure_channel(process.address) as channel,
    ):
        assert bearing(channel, ARBITER).referee.GetUpdate(look)
        for bearer in (BACKEND, ANALYST, OTHER_BACKEND, "the-bearer-of-nobody"):
            refused(lambda bearer=bearer: bearing(channel, bearer).referee.GetUpdate(look))  # type: ignore[misc]
    text = path.read_text()
    assert text.count("GetUpdate") == 5
    assert "the-bearer" not in text
    assert "SHPN" not in text
    assert state.token[8:20].hex() not in text
    for bearer in BEARERS:
        assert sha256(bearer.encode()).hexdigest() not in text
    for key_id, secret in SECRETS.items():
        assert secret.hex() not in text
        assert keys(key_id).partition(":")[2][:12] not in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "caller: Field required"),
        ("caller = []", "caller: List should have at least 1 item after validation, not 0"),
        ("caller = [", "it is not TOML: "),
        (f'[[caller]]\nbearer_sha256 = "{HASH}"\naudience = "a"', "caller 1 permissions: Field required"),
        (
            f'[[caller]]\nbearer_sha256 = "{HASH}"\naudience = "a"\npermissions = ["rule"]',
            "caller 1 permissions 1: Input should be 'play', 'referee-view' or 'analyse-real-states'",
        ),
        (
            '[[caller]]\nbearer_sha256 = "secret"\naudience = "a"\npermissions = []',
            "caller 1 bearer_sha256: String should match pattern '^[0-9a-f]{64}$'",
        ),
        (
            f'[[caller]]\nbearer_sha256 = "{HASH}"\naudience = "a"\npermissions = []\nbearer = "secret"',
            "caller 1 bearer: Extra inputs are not permitted",
        ),
        (
            f'[[caller]]\nbearer_sha256 = "{HASH}"\naudience = "{"a" * 65}"\npermissions = []',
            "caller 1 audience: String should have at most 64 characters",
        ),
        ("a=" + "[" * 5000, "it is not TOML that can be read: too deeply nested"),
        ("a=" + "1" * 5000, "it is not TOML: Exceeds the limit"),
        (
            "".join(
                f'[[caller]]\nbearer_sha256 = "{one}"\naudience = "a"\npermissions = []\n'
                for one in (OTHER_HASH, HASH, OTHER_HASH)
            ),
            "caller 3: its bearer token is that of caller 1",
        ),
    ],
)
def test_a_wrong_access_file_is_told_but_not_shown(text: str, message: str) -> None:
    with pytest.raises(AccessFileError) as caught:
        read_access(text)
    assert str(caught.value).startswith(message)
    assert "secret" not in str(caught.value)
    assert HASH not in str(caught.value)
