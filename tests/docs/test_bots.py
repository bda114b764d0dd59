"""The page about bots: what it shows is run, and wins as often as it says."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shinpan import Referee

from engine_core.deduction import MAX_WORLDS
from engine_core.sampler import MAX_DRAWS
from service.process import ServerProcess

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/bots.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
GAME = "luzhanqi-mini"


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    """What the page defines."""
    names: dict[str, Any] = {}
    for snippet in SNIPPETS:
        exec(snippet, names)
    return names


def wins(match: Callable[..., tuple[int, ...]], count: int) -> int:
    """Matches that the bot wins, from either seat in turn; their numbers are their seeds."""
    print("seeds", range(count))
    with ServerProcess(referee=False) as server, Referee(server.address, timeout=60.0) as referee:
        return sum(match(referee, GAME, 1 + seed % 2, seed) == (1 + seed % 2,) for seed in range(count))


def test_the_bot_is_about_thirty_lines() -> None:
    """It holds an update with knowledge: no state, and no view of another seat."""
    lines = [line for line in SNIPPETS[0].splitlines() if line.strip()]
    assert len(lines) <= 33
    assert "knowledge" in SNIPPETS[0]
    assert "start_match" not in SNIPPETS[0]


def test_the_bot_beats_random_moves(page: dict[str, Any]) -> None:
    assert wins(page["match"], 10) >= 9


@pytest.mark.slow
def test_the_bot_wins_as_often_as_the_page_says(page: dict[str, Any]) -> None:
    told = re.search(r"it wins at least (\d+)\.", PAGE)
    assert told is not None
    assert wins(page["match"], 100) >= int(told[1]) >= 80


def test_guesses(page: dict[str, Any]) -> None:
    """Before the first move: a flag is on b1 or f1 of 14 squares, the three mines on the first rank."""
    with ServerProcess() as server, Referee(server.address) as referee:
        arrangements = {seat: referee.draw_arrangement(GAME, seat, seed=seat) for seat in (1, 2)}
        match = referee.start_match(GAME, arrangements=arrangements, viewers=[1], knowledge=True)
        lines = page["guesses"](referee, GAME, match.updates[1])
    assert len(lines) == 14
    kinds = {line.partition(":")[0]: int(line.rpartition(" ")[2]) for line in lines}
    # Seat 2's second rank: no flag, no mine and no bomb there; its two headquarters: anything.
    assert {kinds[f"{file}7"] for file in "abcdefg"} == {4}
    headquarters = [square for square in ("b8", "f8") if square in kinds]
    assert {kinds[square] for square in headquarters} == {7}
    assert {kinds[f"{file}8"] for file in "acdeg"} == {6}
    assert sum("flag" in line for line in lines) <= len(headquarters)


def test_the_limits_are_the_engines() -> None:
    text = PAGE.replace("\n  ", " ")
    assert f"more than {MAX_DRAWS:,} draws" in text
    assert f"at most {MAX_WORLDS} cases" in text
