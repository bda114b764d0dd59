"""The page about writing games: its example is served and played, and it names all that a file can say."""

import json
import random
import re
import subprocess
import sys
import tomllib
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from jsonschema import Draft202012Validator
from shinpan import Referee

from engine_core import schema
from engine_core.catalogue import read_rulesets
from engine_core.ruleset_document import MAX_DEPTH, MAX_FILE_BYTES, MAX_LINE_CHARACTERS
from engine_core.ruleset_file import LIMITS, MAX_COMBINATIONS, MAX_OPTIONS
from engine_core.ruleset_schema import ruleset_schema
from service.process import ServerProcess

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/rulesets.md").read_text(encoding="utf-8")
EXAMPLE, _, _, REVISION = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
SEED = 20261202

TABLES = [table for table in vars(schema).values() if isinstance(table, type) and is_dataclass(table)]
CODE = " ".join(re.findall(r"`([^`\n]+)`", PAGE))
WORDS = set(re.findall(r"[\w!-]+", CODE))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "night-watch.toml").write_text(EXAMPLE, encoding="utf-8")
    return tmp_path


def words_of(hint: Any) -> set[str]:
    """The words that a value may be."""
    if get_origin(hint) is Literal:
        return {word for word in get_args(hint) if isinstance(word, str)}
    return {word for part in get_args(hint) for word in words_of(part)}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_every_key_and_every_word_is_told(table: type) -> None:
    hints = get_type_hints(table, include_extras=True)
    for field in fields(table):
        assert field.name in WORDS, f"{table.__name__}.{field.name} is not in docs/rulesets.md"
        for word in words_of(hints[field.name]):
            assert word in WORDS, f"{table.__name__}.{field.name} = {word!r} is not in docs/rulesets.md"


def test_the_tables_were_found() -> None:
    assert {"BoardTable", "FlagReached", "OptionTable", "RulesetFile"} <= {table.__name__ for table in TABLES}


def test_the_options_of_every_game_and_the_limits_are_told() -> None:
    assert {option.name for option in LIMITS} <= WORDS
    for limit in (MAX_FILE_BYTES, MAX_LINE_CHARACTERS, MAX_DEPTH, MAX_OPTIONS, MAX_COMBINATIONS):
        assert f" {limit:,} " in PAGE.replace("\n", " "), limit


def test_the_example_has_the_published_form() -> None:
    assert not list(Draft202012Validator(json.loads(ruleset_schema())).iter_errors(tomllib.loads(EXAMPLE)))


def test_the_command_tells_what_the_example_says(folder: Path) -> None:
    command = [sys.executable, "-m", "engine_core", "check", str(folder / "night-watch.toml")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    for line in (
        "   6   .   .   .   #   .   .",
        "   4   .   .           .   o",
        "   3   o   .           .   .",
        "  captain   B   A   A   A!",
        "  watchman  D   B   A   A!",
        "  thief     A   D   B   A!",
    ):
        assert line in done.stdout.splitlines(), f"{line!r} is not in:\n{done.stdout}"


def test_the_example_is_played_over_the_client(folder: Path) -> None:
    """Random matches; each side sees its own pieces and the backs of the others."""
    reasons = set()
    with ServerProcess(rulesets=str(folder)) as server, Referee(server.address) as referee:
        game = referee.game("night-watch", thief="any")
        assert len(game.squares) == 6 * 6 - 4
        for number in range(6):
            rng = random.Random(SEED + number)
            arrangements = {seat: referee.draw_arrangement(game.id, seat, seed=rng.randrange(99)) for seat in (1, 2)}
            match = referee.start_match(
                game.id, options={"thief": "any"}, arrangements=arrangements, viewers=[1, 2], diagrams=True
            )
            for seat, other in ((1, 2), (2, 1)):
                diagram = match.updates[seat].view.diagram or ""
                assert diagram.count(f"{other}?") == 7
                assert f"{seat}?" not in diagram
            while (mover := match.updates[1].status.to_move) is not None:
                actions = match.updates[mover].legal_actions
                assert actions is not None
                match = referee.move(match.state, mover, rng.choice(actions.moves), viewers=[1, 2])
            result = match.updates[2].status.result
            assert result is not None
            reasons.add(result.reason)
    assert reasons <= {"flag-captured", "headquarters-entered", "no-legal-move"}
    assert len(reasons) >= 2


def test_the_revision_of_the_example(folder: Path) -> None:
    path = folder / "night-watch@2.toml"
    path.write_text(REVISION, encoding="utf-8")
    first, second = read_rulesets([folder / "night-watch.toml", path])
    assert (second.id, first.revision, second.revision) == ("night-watch", 1, 2)
    assert (len(first.ruleset({}).board.camps), len(second.ruleset({}).board.camps)) == (2, 0)
