"""States of the Python client: no printed form shows their bytes, which are there for whoever asks for them."""

import logging
import pickle
import pprint
import reprlib
import string
from base64 import b64encode
from collections.abc import Iterator

import pytest
from shinpan import Answer, Referee, StateToken

from service.process import ServerProcess

GAME = "hidden-hasami"
SEED = 20261130
WINDOW_BYTES = 6


@pytest.fixture(scope="module")
def referee() -> Iterator[Referee]:
    with ServerProcess() as running, Referee(running.address) as connected:
        yield connected


@pytest.fixture(scope="module")
def begun(referee: Referee) -> Answer:
    """A match in play, without updates."""
    return start(referee, ())


def start(referee: Referee, viewers: tuple[int, ...]) -> Answer:
    placed = {seat: referee.draw_arrangement(GAME, seat, SEED) for seat in (1, 2)}
    return referee.start_match(GAME, arrangements=placed, viewers=viewers)


def printed(value: object) -> Iterator[str]:
    """A value in every form that Python prints it in."""
    yield from (str(value), repr(value), ascii(value), format(value), f"{value}", f"{value!r}", f"{[value]}")
    yield from (pprint.pformat(value), reprlib.repr(value), string.Template("$it").substitute(it=value))
    yield logging.LogRecord("", logging.INFO, "", 0, "%s and %r", (value, value), None).getMessage()


def spellings(secret: bytes) -> Iterator[str]:
    """How a part of a secret can look in a text."""
    for place in range(len(secret) - WINDOW_BYTES + 1):
        part = secret[place : place + WINDOW_BYTES]
        yield from (part.hex(), repr(part)[2:-1], part.decode("latin-1"), b64encode(part).decode())
        yield str(list(part))[1:-1]


def test_nothing_printed_shows_a_state_or_digest(referee: Referee, begun: Answer) -> None:
    knowledge = referee.update(begun.state, 1, knowledge=True).knowledge
    assert knowledge is not None
    sample = referee.sample_states(knowledge, 1, SEED)[0]
    states = (begun, begun.state, sample, referee.reseal(begun.state))
    told = [(value, secret) for value in states for secret in (begun.state, sample, begun.digest)]
    for value, secret in (*told, (referee.describe(begun.state), begun.digest)):
        for text in printed(value):
            assert not [part for part in spellings(bytes(secret)) if part in text], text


def test_an_answer_shows_its_updates(referee: Referee) -> None:
    answer = start(referee, (2,))
    assert repr(answer) == f"Answer(state=StateToken({len(answer.state)} bytes), updates={answer.updates!r})"
    assert repr(answer.updates[2]) in repr(answer)


def test_its_bytes_are_the_state(referee: Referee, begun: Answer) -> None:
    kept = bytes(begun.state)
    assert type(kept) is bytes
    assert kept.startswith(b"SHPN"), "as every token does"
    assert referee.updates(kept, [1, 2]) == referee.updates(begun.state, [1, 2])
    assert referee.describe(StateToken(kept)).digest == begun.digest


def test_equal_bytes_are_equal_tokens(begun: Answer) -> None:
    kept = bytes(begun.state)
    assert begun.state == StateToken(kept) == kept
    assert begun.state != StateToken(kept + b"!")
    assert {begun.state: 1}[StateToken(kept)] == 1
    copied = pickle.loads(pickle.dumps(begun))
    assert copied == begun
    assert type(copied.state) is StateToken, "nor does a copy show it"
