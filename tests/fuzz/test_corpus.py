"""The inputs that fuzzing begins with, and those that it has found: each is checked as fuzzing does."""

from pathlib import Path

import pytest

import engine_core
from fuzz.__main__ import target_named
from fuzz.seeds import SEEDS
from fuzz.target import CORPUS, NAMES

FINDINGS = Path(__file__).parent / "findings"
WELCOME = ("accepted", "answered")
CORPUS_BYTES = 64 * 1024


def test_every_target_has_seeds() -> None:
    assert set(SEEDS) == set(NAMES)
    assert sorted(folder.name for folder in CORPUS.iterdir()) == sorted(NAMES)
    assert sum(file.stat().st_size for file in CORPUS.rglob("*") if file.is_file()) < CORPUS_BYTES


@pytest.mark.parametrize("name", NAMES)
def test_the_corpus_is_what_the_script_writes(name: str) -> None:
    """Otherwise rules, format or API have changed: `python -m fuzz.seeds` writes it anew."""
    assert {file.name: file.read_bytes() for file in (CORPUS / name).iterdir()} == dict(SEEDS[name]())


@pytest.mark.parametrize("name", NAMES)
def test_every_seed_goes_all_the_way(name: str) -> None:
    target = target_named(name)
    for file in sorted((CORPUS / name).iterdir()):
        reached = list(target.check(file.read_bytes()))
        assert any(word in what for what in reached for word in WELCOME), (file.name, reached)


@pytest.mark.parametrize(
    "file", [file for name in NAMES for file in sorted(FINDINGS.glob(f"{name}/*"))], ids=lambda file: file.name
)
def test_what_was_found_is_found_no_more(file: Path) -> None:
    list(target_named(file.parent.name).check(file.read_bytes()))


def test_a_chase_that_began_outside_its_history_is_refused() -> None:
    """In knowledge whose ties are too many to judge it by a sample. Its samples end the process."""
    with pytest.raises(engine_core.StateError):
        engine_core.decode((FINDINGS / "refused" / "chase-outside-its-history").read_bytes())


def test_movement_that_no_moves_show_is_refused_before_deduction() -> None:
    """Sixteen pieces with sixteen sets of kinds have tables of millions of entries; forty would fill the memory."""
    with pytest.raises(engine_core.StateError, match="moves that no moves of its kinds can have shown"):
        engine_core.decode((FINDINGS / "refused" / "movement-of-every-sort").read_bytes())
