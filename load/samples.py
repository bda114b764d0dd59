"""Stretches of a long run, as they are kept in CSV."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Sample(NamedTuple):
    """What was seen in a stretch of the run."""

    second: float
    """When it ended, from the beginning of the run."""
    calls: int
    """Sent by h2load."""
    refused: int
    """Of them."""
    p50_ms: float
    p95_ms: float
    p99_ms: float
    match_calls: int
    """Made by users of Locust."""
    match_failures: int
    """Of them."""
    checks: int
    """Matches and playouts that were compared with the engine."""
    wrong: int
    """Of them, those that found a wrong answer."""
    cpu_us: float
    """Of the server, for each call of both kinds."""
    cpu_share: float
    """Of its core, that the server used."""
    memory_mb: float
    """Resident, at the end."""
    waited_share: float
    """For how much of the time a thread of the server waited for its core, all of them added up."""


def write(file: Path, samples: Sequence[Sample]) -> None:
    """A line for each, under their names."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", newline="") as lines:
        rows = csv.writer(lines, lineterminator="\n")
        rows.writerow(Sample._fields)
        rows.writerows(samples)


def read(file: Path) -> list[Sample]:
    """What was written."""
    kinds = Sample.__annotations__
    with file.open(newline="") as lines:
        return [Sample(**{name: kinds[name](value) for name, value in row.items()}) for row in csv.DictReader(lines)]
