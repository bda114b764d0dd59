"""The table of faults in docs/operations.md: what it states, which the tests hold it to."""

import re
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
DOCUMENT: Final = ROOT / "docs/operations.md"


class Row(NamedTuple):
    """A fault."""

    fault: str
    tests: tuple[str, ...]
    """`file::function`, files from the folder of tests."""
    seen: str
    seconds: float
    """Within which the service is well again."""


def rows() -> list[Row]:
    """The table, in its order; fails at a row that has not four cells, or no seconds in the last."""
    section = DOCUMENT.read_text().partition("\n## Faults\n")[2].partition("\n## ")[0]
    found = []
    for line in [line for line in section.splitlines() if line.startswith("|")][2:]:  # below the heading
        fault, seen, named, time = (cell.strip() for cell in line.strip("|").split(" | "))
        seconds = re.fullmatch(r"([\d.]+) s", time)
        assert seconds, line
        found.append(Row(fault, tuple(re.findall(r"`([\w/]+\.py::\w+)`", named)), seen, float(seconds[1])))
    return found


def stated_seconds(test: str) -> float:
    """The seconds within which the service is well again after the fault of a test, `file::function`."""
    (row,) = (row for row in rows() if test in row.tests)
    return row.seconds
