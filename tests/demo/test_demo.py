"""The demonstration: what it shows, and that a disagreement is one."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import engine_core

ROOT = Path(__file__).resolve().parents[2]
GAMES = ROOT / "tests/data/yorktown_sample.jsonl.gz"


def demo(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the demonstration."""
    return subprocess.run(
        [sys.executable, "-m", "demo", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


def records() -> list[dict[str, object]]:
    """The recorded games that start from full arrangements."""
    with gzip.open(GAMES, "rt", encoding="utf-8") as lines:
        return [record for record in map(json.loads, lines) if record["setup"] != "sparse"]


def write(path: Path, games: list[dict[str, object]]) -> Path:
    """A file of recorded games."""
    path.write_bytes(gzip.compress("".join(json.dumps(game) + "\n" for game in games).encode()))
    return path


def test_every_game_is_shown_and_the_recorded_games_agree(tmp_path: Path) -> None:
    shortest = min(records(), key=lambda record: len(str(record["moves"])))
    done = demo("--games", write(tmp_path / "games.jsonl.gz", [shortest]))
    assert done.returncode == 0, done.stdout + done.stderr
    games = engine_core.games()
    for number, game in enumerate(games, 1):
        assert f"[{number}/{len(games)}]" in done.stdout
        assert f"({game})" in done.stdout
    assert done.stdout.count("Opening:") == done.stdout.count("End:") == len(games)
    assert "1 of 1 recorded games agree" in done.stdout
    assert "The server has stopped" in done.stdout


def test_a_disagreement_is_named_and_fails(tmp_path: Path) -> None:
    game = min(records(), key=lambda record: len(str(record["moves"])))
    counts = list(game["legal_counts"])  # type: ignore[call-overload]
    wrong_count = game | {"id": "wrong-count", "legal_counts": [counts[0] + 1, *counts[1:]]}
    wrong_result = game | {"id": "wrong-result", "result": {"winner": 1, "reason": "no-legal-move"}}
    wrong_board = game | {"id": "wrong-board", "final_board": {"1": {}, "2": {}}}
    wrong_battle = game | {"id": "wrong-battle", "battles": [[1, "B"]]}
    wrong = [wrong_count, wrong_result, wrong_board, wrong_battle]
    done = demo("--games", write(tmp_path / "games.jsonl.gz", wrong))
    assert done.returncode == 1
    assert "0 of 4 recorded games agree" in done.stdout
    assert f"ply 1: {counts[0]} legal moves, not {counts[0] + 1}" in done.stdout
    assert "the result is" in done.stdout
    assert "the final boards differ" in done.stdout
    assert "battle None, not B" in done.stdout


def test_a_missing_file_of_games_is_an_error_before_anything_starts(tmp_path: Path) -> None:
    done = demo("--games", tmp_path / "nothing")
    assert done.returncode == 2
    assert "--games" in done.stderr
