"""The table of faults names tests in each row, which hold the service to its time, and each test of a fault is in it.

This runs with the other tests.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from faults.table import ROOT, rows

TESTS = ROOT / "tests"


def functions(path: Path) -> dict[str, ast.FunctionDef]:
    """The tests of a file, by their names."""
    return {
        node.name: node
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def faults() -> Iterator[str]:
    """Every test of this folder that is one of a fault."""
    for path in sorted((TESTS / "faults").glob("test_*.py")):
        if path != Path(__file__):
            yield from (f"faults/{path.name}::{name}" for name in sorted(functions(path)))


def is_held_to_its_time(test: str, function: ast.FunctionDef) -> bool:
    """Whether a test uses the stated seconds: its own `stated_seconds`, or the fixture `limit`, which is that."""
    body = [node for statement in function.body for node in ast.walk(statement)]
    asked = [ast.unparse(node) for node in body if isinstance(node, ast.Call)]
    used = {node.id for node in body if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    given = {argument.arg for argument in function.args.args}
    return "limit" in used and ("limit" in given or f"stated_seconds({test!r})" in asked)


def test_every_row_names_tests_that_there_are() -> None:
    assert len(rows()) >= 12
    for row in rows():
        assert row.tests, row.fault
        assert 0 < row.seconds <= 60
        for test in row.tests:
            file, _, name = test.partition("::")
            there = functions(TESTS / file)
            assert name in there, test
            assert is_held_to_its_time(test, there[name]), f"{test} does not use the seconds that its row states"


def test_every_test_of_a_fault_is_in_one_row() -> None:
    named = [test for row in rows() for test in row.tests]
    assert len(named) == len(set(named))
    assert set(faults()) <= set(named)
