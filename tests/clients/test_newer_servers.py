"""Old vectors and newer servers: rules that were revised, and states that are written otherwise, break nothing."""

from dataclasses import replace
from pathlib import Path

import pytest
from shinpan.v1 import referee_service_pb2

from conformance.api import read_api
from conformance.check import broken, check
from conformance.comparison import differences
from conformance.servers import Servers
from conformance.vectors import Vector, read, versions

ROOT = Path(__file__).resolve().parents[2]
OLDEST = versions()[0]
API = read_api(OLDEST)
GAME = "hidden-hasami"


def of_the_game(vector: Vector) -> bool:
    """Vectors that name the game; states and knowledge that are not sealed have its name inside, too."""
    return GAME.encode() in vector.request


def newest_rules(folder: Path) -> str:
    """A folder with a second revision of the game, in which it is won otherwise."""
    text = (ROOT / f"engine_core/rulesets/{GAME}.toml").read_text(encoding="utf-8")
    changed = text.replace("left = 1", "left = 2")
    assert changed != text
    (folder / f"{GAME}.toml").write_text(f"revision = 2\n{changed}", encoding="utf-8")
    return str(folder)


def test_revised_rules_break_nothing(tmp_path: Path) -> None:
    """Matches go on under their rules; only how new ones begin is not compared, and that is counted."""
    vectors = [vector for file in OLDEST.glob("*.jsonl") for vector in read(file) if of_the_game(vector)]
    asked = [API[vector.method].request.FromString(vector.request) for vector in vectors]
    begin = [request for request in asked if getattr(getattr(request, "setup", None), "game", "") == GAME]
    with Servers(rulesets=newest_rules(tmp_path)) as servers:
        report = check(servers, OLDEST, of_the_game)
        asking = next(vector for vector in vectors if vector.name == "the game (plain)")
        assert broken(servers, asking, API), "without its revision, the game is another"
    assert report.broken == []
    assert report.superseded == {GAME: len(begin)}
    assert report.asked == len(vectors) - len(begin) > 100


@pytest.fixture(scope="module")
def sealing() -> list[Vector]:
    """What the sealed server answers with a state."""
    file = OLDEST / f"{GAME}.jsonl"
    methods = ("ApplyAction", "BatchApplyActions", "ReplayMatch", "ResealState", "SampleStates", "StartMatch")
    return [
        vector
        for vector in read(file)
        if vector.server == "sealed" and isinstance(vector.outcome, bytes) and vector.method.endswith(methods)
    ]


def test_another_key_breaks_nothing(sealing: list[Vector]) -> None:
    with Servers(key_ids=(1, 2)) as servers:
        for vector in sealing:
            outcome = servers.call(vector.server, vector.method, vector.request)
            assert differences(vector, outcome, API[vector.method]), "the bytes are others"
            assert broken(servers, vector, API) == []


def test_another_state_is_one_under_any_key(sealing: list[Vector]) -> None:
    """Written anew is only what the vector has: a state that is another stays a difference."""
    applied = [vector for vector in sealing if vector.method.endswith("/ApplyAction")]
    first, second = (
        referee_service_pb2.ApplyActionResponse.FromString(vector.outcome)
        for vector in applied[:2]
        if isinstance(vector.outcome, bytes)
    )
    first.state.CopyFrom(second.state)
    first.digest = second.digest
    for key_ids in ((2, 1), (1, 2)):
        with Servers(key_ids=key_ids) as servers:
            wrong = replace(applied[0], outcome=first.SerializeToString())
            assert [line.split(" ")[0] for line in broken(servers, wrong, API)] == ["state.token", "digest"]
