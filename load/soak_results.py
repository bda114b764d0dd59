"""What came of a soak: a summary in JSON, and its samples in CSV."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from load.drift import Drift

FOLDER: Final = Path(__file__).parent / "results"
SUMMARY: Final = "soak.json"
SAMPLES: Final = "soak.csv"
REFUSED_SHARE: Final = 0.001
"""Of the calls, at most so many may be refused: the objective of docs/operations.md."""


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


class Soak(BaseModel):
    """A run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    layout: Literal[1] = 1
    at: str
    """When it ended, in UTC."""
    commit: str
    machine: dict[str, str]
    versions: dict[str, str]
    busy: float
    """Load average of the machine just before."""
    niceness: int
    transport: str
    minutes: float
    capacity: float
    """Calls for each second of the server's CPU, measured just before."""
    rate: float
    """Calls a second that h2load sent."""
    users: int
    """Of Locust."""
    calls: int
    refused: int
    match_calls: int
    match_failures: int
    checks: int
    wrong: int
    kept: bool
    """Whether Locust's run kept its thresholds."""
    generator_share: float
    """Of its core, that Locust used."""
    drifts: dict[str, Drift]

    @property
    def met(self) -> bool:
        """Whether Locust's thresholds and the objective were kept, and nothing was answered wrongly or drifted."""
        answered = self.refused <= REFUSED_SHARE * self.calls
        return self.kept and not self.wrong and answered and all(one.met for one in self.drifts.values())


def write(folder: Path, soak: Soak, samples: Sequence[Sample]) -> None:
    """Both files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SUMMARY).write_text(soak.model_dump_json(indent=1) + "\n")
    with (folder / SAMPLES).open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(Sample._fields)
        rows.writerows(samples)


def read(folder: Path = FOLDER) -> tuple[Soak, list[Sample]]:
    """What was written."""
    soak = Soak.model_validate_json((folder / SUMMARY).read_text())
    with (folder / SAMPLES).open(newline="") as file:
        samples = [
            Sample(**{name: Sample.__annotations__[name](value) for name, value in row.items()})
            for row in csv.DictReader(file)
        ]
    return soak, samples
