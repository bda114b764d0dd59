"""Fixtures of the engine's tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.rulesets_folder import Folder, folder_for_a_test


@pytest.fixture
def rulesets(tmp_path: Path) -> Iterator[Folder]:
    """An empty folder for ruleset files; what it serves is gone after the test."""
    yield from folder_for_a_test(tmp_path)
