"""The rules data beside the repository that the oracle is checked against."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[3] / "shared/data"

needs_data = pytest.mark.skipif(not FOLDER.is_dir(), reason="the rules data are not here")


def positions() -> list[dict[str, Any]]:
    """All test positions, none when the data are missing."""
    path = FOLDER / "positions.json"
    return list(json.loads(path.read_text())) if path.exists() else []


def combat() -> dict[str, Any]:
    return dict(json.loads((FOLDER / "combat.json").read_text()))


def graph(name: str) -> dict[str, Any]:
    return dict(json.loads((FOLDER / name).read_text()))


def games(name: str) -> list[dict[str, Any]]:
    with gzip.open(FOLDER / name, "rt") as lines:
        return [json.loads(line) for line in lines]


def by_seat(pieces: dict[str, dict[str, str]]) -> dict[int, dict[str, str]]:
    return {int(seat): men for seat, men in pieces.items()}
