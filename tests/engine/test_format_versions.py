"""A match that was started under version 1 of the state format goes on under the version of today.

The states in `tests/data/states_version_1.jsonl` were written by the release that wrote version 1, after the
arrangements and moves beside them and a draw offer of seat 1; `next` are the moves that followed.
"""

import json
import zlib
from pathlib import Path
from typing import Any

import pytest

import engine_core
from engine_core import REFEREE, State

FILE = Path(__file__).parents[1] / "data" / "states_version_1.jsonl"
RECORDS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def replayed(record: dict[str, Any]) -> State:
    """The same match, played today."""
    state = engine_core.load(record["game"], **record["options"]).start(match_id=b"version-1")
    for seat, arrangement in record["arrangements"].items():
        state = state.arrange(int(seat), arrangement).state
    for move in record["moves"]:
        state = state.play(move).state
    return state.offer_draw(1).state


@pytest.mark.parametrize("record", RECORDS, ids=[f"{number}-{record['game']}" for number, record in enumerate(RECORDS)])
def test_a_match_goes_on(record: dict[str, Any]) -> None:
    old = bytes.fromhex(record["state"])
    state, today = engine_core.decode(old), replayed(record)
    assert old[0] == 1
    assert state == today
    assert state.to_bytes()[0] == 2
    assert engine_core.decode(state.to_bytes()) == state
    for move in record["next"]:
        state, today = state.play(move).state, today.play(move).state
    assert state == today
    assert state.view(REFEREE) == today.view(REFEREE)


def test_the_notes_on_heralds_are_added() -> None:
    """What version 1 does not say follows from the kinds: whose removal showed a flag."""
    game = engine_core.load("luzhanqi-tournament")
    pieces = {1: {"c3": "bomb", "b1": "flag", "a2": "captain"}, 2: {"c2": "marshal", "b12": "flag", "a11": "captain"}}
    state = game.position(pieces, to_move=1).play("c3c2").state
    assert state.view(1).kinds[game.squares.index("b12")] == game.kinds.index("flag") + 1
    data = state.to_bytes()
    body = bytes((1,)) + data[1:-4]
    battle = bytes((state.knowledge(1).battles()[0][0], state.knowledge(1).battles()[0][1]))
    place = body.rindex(battle)
    assert body[place + 2] == 3 + 16
    body = body[: place + 2] + bytes((3,)) + body[place + 3 :]
    assert engine_core.decode(checked(body)) == state


def test_what_version_1_does_not_have_is_refused_in_it() -> None:
    state = engine_core.decode(bytes.fromhex(RECORDS[0]["state"]))
    (sample,) = state.sample(1, 1, seed=1)
    data = sample.to_bytes()
    with pytest.raises(engine_core.StateError) as refused:
        engine_core.decode(checked(bytes((1,)) + data[1:-4]))
    assert refused.value.reason == "STATE_HEADER"


def checked(body: bytes) -> bytes:
    """With the checksum that belongs to it."""
    return body + zlib.crc32(body).to_bytes(4, "little")
