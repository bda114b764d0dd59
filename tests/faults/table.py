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
    """The table, in its order."""
    section = DOCUMENT.read_text().partition("\n## Faults\n")[2].partition("\n## ")[0]
    found = []
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) == 4 and (seconds := re.fullmatch(r"([\d.]+) s", cells[3])):
            tests = tuple(re.findall(r"`([\w/]+\.py::\w+)`", cells[2]))
            found.append(Row(cells[0], tests, cells[1], float(seconds[1])))
    return found


def stated_seconds(test: str) -> float:
    """The seconds within which the service is well again after the fault of a test, `file::function`."""
    (row,) = (row for row in rows() if test in row.tests)
    return row.seconds
