"""The rules data that the tests read: beside the repository, and a small sample of recorded games inside it."""

import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

import engine_core

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
SAMPLE = Path(__file__).resolve().parents[1] / "data"

HAVE_SHARED = SHARED.is_dir()
needs_shared = pytest.mark.skipif(not HAVE_SHARED, reason="the folder shared/data is not beside the repository")

Record = dict[str, Any]
"""One object of a data file, as its README describes it."""


def positions() -> list[Record]:
    """The test positions of all games that are loaded; none without the shared data."""
    if not HAVE_SHARED:
        return []
    loaded = set(engine_core.games())
    found: list[Record] = json.loads((SHARED / "positions.json").read_text(encoding="utf-8"))
    return [case for case in found if case["game"] in loaded]


def position_case(case_id: str) -> Record:
    """One test position by its id."""
    return next(case for case in positions() if case["id"] == case_id)


def combat() -> Record:
    """The combat matrices; empty without the shared data."""
    if not HAVE_SHARED:
        return {"matrices": {}, "letters": {}, "rosters": {}}
    found: Record = json.loads((SHARED / "combat.json").read_text(encoding="utf-8"))
    return found


def recorded_games(name: str) -> list[Record]:
    """The recorded games of one shared file whose game is loaded; none without the shared data."""
    return _games(SHARED / name) if HAVE_SHARED else []


def sample_games() -> list[Record]:
    """The recorded games that are kept in the repository."""
    return _games(SAMPLE / "yorktown_sample.jsonl.gz")


def _games(path: Path) -> list[Record]:
    loaded = set(engine_core.games())
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [game for game in map(json.loads, lines) if game["game"] in loaded]


def by_seat(pieces: dict[str, dict[str, str]]) -> dict[int, dict[str, str]]:
    """Pieces as the engine takes them: JSON has its seats as texts."""
    return {int(seat): men for seat, men in pieces.items()}


def params(records: Iterable[Record], *, name: Callable[[Record], str] = lambda record: str(record["id"])) -> list[Any]:
    """Parameters of a test, one for each record; a single skipped one where the shared data are absent."""
    found = [pytest.param(record, id=name(record)) for record in records]
    if not found and not HAVE_SHARED:
        return [pytest.param({}, id="no-shared-data", marks=needs_shared)]
    return found


def result_of(expected: Record | None) -> tuple[tuple[int, ...], str] | None:
    """A result of the data as the engine gives it: the winning seats and the reason."""
    if expected is None:
        return None
    winners = () if expected.get("draw") else tuple(expected.get("winners", [expected.get("winner")]))
    return winners, expected["reason"]


def playing(name: str, seed: int, plies: int, **options: str) -> engine_core.State:
    """A match with arrangements, if any, drawn from a seed, after so many plies that follow from it too."""
    game = engine_core.load(name, **options)
    state = game.start()
    for seat in game.seats if state.phase == "arrangement" else ():
        state = state.arrange(seat, game.random_arrangement(seat, seed=seed)).state
    for ply in range(plies):
        if state.result is None:
            moves = state.legal_moves()
            state = state.play(moves[(7 * ply + seed) % len(moves)]).state
    return state
