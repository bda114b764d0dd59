"""The published JSON Schema: it takes what the engine takes, and refuses what has not the form of a ruleset file."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine.test_base_rulesets import HEAD, KING
from engine.test_rulesets import SMALL, changed
from engine_core.ruleset_document import BUILT_IN
from engine_core.ruleset_schema import ruleset_schema

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = ROOT / "docs/ruleset.schema.json"

FILES = [*sorted(BUILT_IN.glob("*.toml")), *sorted((Path(__file__).parent / "rulesets").glob("*.toml"))]


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    schema: dict[str, Any] = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def mistakes(validator: Draft202012Validator, text: str) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(tomllib.loads(text))]


def test_what_is_published_is_what_the_engine_checks() -> None:
    """`make schema` writes it."""
    assert PUBLISHED.read_text(encoding="utf-8") == ruleset_schema()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_good_files(validator: Draft202012Validator, path: Path) -> None:
    """As written: with choices, and some with a base."""
    assert mistakes(validator, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "text",
    [
        SMALL,
        changed("files = 4", 'files = { option = "reach", 2 = 4, any = 5 }'),
        changed('zone = ["a1-d1"]', 'zone = { option = "reach", 2 = ["a1-d1"], any = ["a1-d2"] }'),
        changed('zone = ["a1-d1"]', 'zone = ["a1-c1", { option = "reach", 2 = "d1", any = [] }]'),
        changed('zone = ["a1-d1"]', 'zone = { 1 = ["a1-d1"], 2 = ["a4-d4"] }'),
        changed("range = 1", 'range = { option = "reach", 2 = { option = "reach", 2 = 1 }, any = 2 }'),
        changed(
            '[[endings]]\nwhen = "no', '[[endings]]\noption = "reach"\n2 = []\nany = []\n\n[[endings]]\nwhen = "no'
        ),
        changed('id = "small"', 'id = "small"\nrevision = 3'),
        HEAD,
        HEAD + KING,
        HEAD + "[board]\nfiles = 6\n",
        HEAD + '[options.stuck]\nvalues = ["draw"]\n',
        HEAD + "[movement.new]\nfly = true\n",
        'base = "small"\n',
    ],
)
def test_good_texts(validator: Draft202012Validator, text: str) -> None:
    assert mistakes(validator, text) == []


@pytest.mark.parametrize(
    "text",
    [
        changed('id = "small"\n', ""),
        changed('id = "small"', 'id = "Small Game"'),
        changed('id = "small"', 'id = { option = "reach", 2 = "a", any = "b" }'),
        changed('id = "small"', 'id = "small"\nrevision = 0'),
        changed("files = 4\n", ""),
        changed("files = 4", "files = 27"),
        changed("files = 4", 'files = "4"'),
        changed("files = 4", "files = true"),
        changed("files = 4", "files = 4\nwidth = 4"),
        changed("files = 4", 'files = { option = "reach", 2 = 4, any = 27 }'),
        changed("files = 4", "files = { 2 = 4, any = 5 }"),
        changed("count = 2", "count = 5"),
        changed("range = 1", 'range = "far"'),
        changed('letter = "C"', 'letter = "CC"'),
        changed('letter = "C"\n', ""),
        changed('zone = ["a1-d1"]', 'zone = ["1a"]'),
        changed('zone = ["a1-d1"]', 'zone = { 5 = ["a1-d1"] }'),
        changed('zone = ["a1-d1"]', 'zone = ["a1-c1", { option = "reach", 2 = 4, any = [] }]'),
        changed("only.flag", 'only."The Flag"'),
        changed('outcome = "A!"', 'outcome = "win"'),
        changed('when = "flag-captured"', 'when = "flag-taken"'),
        changed('when = "flag-captured"', 'when = "capture-threshold"'),
        changed('when = "no-legal-move"', 'when = "no-legal-move"\nkinds = ["flag"]'),
        changed('values = ["2", "any"]', "values = []"),
        changed('values = ["2", "any"]', 'values = ["2", "any"]\ncolour = "red"'),
        changed('meaning = "How far a scout goes."\n', ""),
        changed("[options.reach]", "[options.Reach]"),
        SMALL + "[extra]\n",
        "",
        HEAD + "[board]\nfiles = 27\n",
        HEAD + "[board]\nwidth = 6\n",
        HEAD + "[extra]\n",
        HEAD + '[[kinds]]\nid = "king"\n',
        HEAD.replace('"small"', "5"),
        HEAD + "[options.stuck]\nvalues = [1]\n",
    ],
)
def test_bad_texts(validator: Draft202012Validator, text: str) -> None:
    assert mistakes(validator, text)
