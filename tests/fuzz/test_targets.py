"""Targets: a planted fault is noticed, and changed inputs get past what is checked first."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf.message import DecodeError

import engine_core
import fuzz.request
import fuzz.ruleset
import fuzz.token
from engine_core.errors import RulesetUnavailable
from fuzz import framing, messages
from fuzz.__main__ import target_named
from fuzz.target import CORPUS, Finding
from service.tokens import HEADER

SEED = 20261130
ROUNDS = 400


def seed(target: str, name: str) -> bytes:
    return (CORPUS / target / name).read_bytes()


def change(data: bytes, most: int) -> bytes:
    """One byte more, one less, or another; the same for the same bytes."""
    rng = random.Random(data)
    place = rng.randrange(len(data) + 1)
    how = rng.randrange(4)
    middle = b"" if how == 0 else rng.randbytes(1)
    return (data[:place] + middle + data[place + (how != 1) :])[:most]


@pytest.mark.parametrize("target", ["state", "knowledge"])
def test_something_else_than_was_written_is_noticed(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    other = engine_core.decode(seed(target, "mak-yek-play"))
    monkeypatch.setattr(engine_core, "decode", lambda data: other)
    with pytest.raises(Finding, match="is written as it was read"):
        target_named(target).check(seed(target, "hidden-hasami-play"))


def test_a_state_that_does_not_come_back_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    decode: Callable[[bytes], Any] = engine_core.decode
    data = seed("state", "hidden-hasami-play")
    first = decode(data)
    monkeypatch.setattr(engine_core, "decode", lambda read: first if len(read) == len(data) else decode(read))
    with pytest.raises(Finding, match="what follows a state"):
        target_named("state").check(data)


def test_a_token_that_another_audience_opens_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fuzz.token._OPENERS, "other", fuzz.token.OWN)
    with pytest.raises(Finding, match="own audience"):
        fuzz.token.check(seed("token", "capture-flag-barrage-play-sealed"))


def test_an_unexpected_error_of_a_ruleset_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise KeyError("board")

    monkeypatch.setattr(fuzz.ruleset, "read_rulesets", fail)
    with pytest.raises(KeyError):
        fuzz.ruleset.check(seed("ruleset", "relay.toml"))


def test_an_internal_error_of_a_method_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("game")

    monkeypatch.setattr(engine_core, "load", fail)
    with pytest.raises(Finding, match="GetGame is never INTERNAL"):
        fuzz.request.check(seed("request", "GetGame"))


def test_changed_states_have_the_right_length_and_checksum() -> None:
    print(f"seed {SEED}")
    rng = random.Random(SEED)
    original = seed("state", "hidden-hasami-play")
    reasons: Counter[str] = Counter()
    for _ in range(ROUNDS):
        data = framing.mutate(original, rng, lambda old, most: change(old + rng.randbytes(1), most))
        try:
            engine_core.decode(data)
        except (engine_core.StateError, RulesetUnavailable) as error:
            reasons["STATED" if "stated" in error.details else error.reason] += 1
        else:
            reasons["accepted"] += 1
    assert not {"STATED", "STATE_CHECKSUM"} & set(reasons), reasons
    assert len(reasons) >= 5, reasons


def test_changed_requests_are_messages_that_methods_read() -> None:
    print(f"seed {SEED}")
    rng = random.Random(SEED)
    outcomes: Counter[str] = Counter()
    for file in sorted((CORPUS / "request").iterdir()):
        data = file.read_bytes()
        for _ in range(ROUNDS // 20):
            data = fuzz.request.mutate(data, rng, lambda old, most: change(old + rng.randbytes(1), most))
            try:
                fuzz.request.SERVER.requests[fuzz.request.method_of(data)].FromString(data[1:])
            except DecodeError:
                outcomes["malformed"] += 1
                data = file.read_bytes()
            else:
                outcomes["read"] += 1
                fuzz.request.check(data)
    assert outcomes["read"] > 2 * outcomes["malformed"], outcomes


def test_a_changed_token_in_a_request_keeps_its_header() -> None:
    request = fuzz.request.SERVER.requests[fuzz.request.method_of(seed("request", "DescribeState"))]
    rng = random.Random(SEED)
    kept = 0
    for _ in range(ROUNDS):
        message: Any = request.FromString(seed("request", "DescribeState")[1:])
        messages.mutate(message, rng, change)
        kept += message.state.token.startswith(HEADER)
    assert kept > ROUNDS // 2
