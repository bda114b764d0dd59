"""Every vector of every version, asked of the servers that are now."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from google.protobuf.message import Message

from conformance.api import read_api
from conformance.comparison import differences
from conformance.methods import METHODS, Method
from conformance.resealing import resealed
from conformance.servers import Servers
from conformance.vectors import Vector, read

_LIST_GAMES = "shinpan.v1.RefereeService/ListGames"


@dataclass
class Report:
    """What became of the vectors of a version."""

    asked: int = 0
    broken: list[str] = field(default_factory=list)
    """A line for each vector whose answer is another now, with the first differences."""
    superseded: Counter[str] = field(default_factory=Counter)
    """By game, how many vectors begin matches under a revision of its rules that new matches no longer take."""


def check(servers: Servers, folder: Path, only: Callable[[Vector], bool] = lambda _: True) -> Report:
    """Ask a server the vectors of a version, all or `only` some."""
    methods, report = read_api(folder), Report()
    files = {file.name: read(file) for file in sorted(folder.glob("*.jsonl"))}
    revisions = _superseded(servers, files["service.jsonl"])
    for name, vectors in files.items():
        for vector in filter(only, vectors):
            asked = _under_its_rules(vector, methods[vector.method], revisions)
            if isinstance(asked, str):
                report.superseded[asked] += 1
                continue
            report.asked += 1
            found = broken(servers, asked, methods)
            if found:
                report.broken.append(f"{folder.name}/{name}: {vector.name}: {'; '.join(found[:3])}")
    return report


def broken(servers: Servers, vector: Vector, methods: Mapping[str, Method]) -> list[str]:
    """How the answer to one vector differs from it."""
    method = methods[vector.method]
    outcome = servers.call(vector.server, vector.method, vector.request, vector.bearer)
    found = differences(vector, outcome, method)
    if found and isinstance(vector.outcome, bytes):
        return differences(resealed(servers, vector, method), outcome, method)
    return found


def _superseded(servers: Servers, vectors: list[Vector]) -> Mapping[str, int]:
    """The revisions at the time of the vectors, of games that have another one now."""
    then = next(vector for vector in vectors if vector.method == _LIST_GAMES and vector.server == "plain")
    known, now = _revisions(then.outcome), _revisions(servers.call("plain", _LIST_GAMES, b""))
    return {game: revision for game, revision in known.items() if now.get(game, revision) != revision}


def _revisions(answer: object) -> Mapping[str, int]:
    assert isinstance(answer, bytes)
    listed: Any = METHODS[_LIST_GAMES].response.FromString(answer)
    return {game.id: game.revision for game in listed.games}


def _under_its_rules(vector: Vector, method: Method, revisions: Mapping[str, int]) -> Vector | str:
    """The vector, naming the revision of its time; or its game, when it begins a match, which takes the newest."""
    if not revisions:
        return vector
    request: Any = method.request.FromString(vector.request)
    setup = getattr(request, "setup", None)
    if isinstance(setup, Message) and request.HasField("setup") and request.setup.game in revisions:
        game: str = request.setup.game
        return game
    if getattr(request, "game", "") in revisions and not request.revision:
        request.revision = revisions[request.game]
        return replace(vector, request=request.SerializeToString())
    return vector
