"""The table of faults names a test in each row, and each test of a fault is in it; this runs with the other tests."""

import ast
from collections.abc import Iterator
from pathlib import Path

from faults.table import ROOT, rows

TESTS = ROOT / "tests"


def functions(path: Path) -> set[str]:
    """The tests of a file."""
    return {
        node.name
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def faults() -> Iterator[str]:
    """Every test of this folder that is one of a fault."""
    for path in sorted((TESTS / "faults").glob("test_*.py")):
        if path != Path(__file__):
            yield from (f"faults/{path.name}::{name}" for name in sorted(functions(path)))


def test_every_row_names_tests_that_there_are() -> None:
    assert len(rows()) >= 12
    for row in rows():
        assert row.tests, row.fault
        assert 0 < row.seconds <= 60
        for test in row.tests:
            file, _, name = test.partition("::")
            assert name in functions(TESTS / file), test


def test_every_test_of_a_fault_is_in_one_row() -> None:
    named = [test for row in rows() for test in row.tests]
    assert len(named) == len(set(named))
    assert set(faults()) <= set(named)
