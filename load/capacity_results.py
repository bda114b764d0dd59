"""What came of a search for the capacity: a summary in JSON, and the samples of each hold in CSV."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict

from load import samples
from load.conditions import Conditions
from load.samples import Sample

FOLDER: Final = Path(__file__).parent / "results"
SUMMARY: Final = "capacity.json"
OBJECTIVE_MS: Final = 25.0
"""What 99 % of calls have to take less than: the objective of docs/operations.md."""
HELD_SHARE: Final = 0.85
"""Of the capacity, at which a server is held."""


class Step(BaseModel):
    """A load that was offered for some seconds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    offered: float
    """Calls a second."""
    answered: float
    """Calls a second; less than was offered when the server did not keep up."""
    refused: int
    """Calls."""
    mean_ms: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    cpu_share: float
    """Of its core, that the server used."""
    generator_share: float
    """Of its core, that h2load used."""

    @property
    def well(self) -> bool:
        """Whether the objective is kept and nothing is refused."""
        return self.p99_ms <= OBJECTIVE_MS and not self.refused

    @property
    def power(self) -> float:
        """Throughput by mean latency, as Kleinrock has it: largest at the knee of the curve."""
        return self.answered / self.mean_ms


class Hold(BaseModel):
    """A server that was held at `HELD_SHARE` of its capacity; of percentiles, the medians of its samples."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rate: float
    minutes: float
    calls: int
    refused: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    worst_p99_ms: float
    """Of all samples."""
    cpu_share: float
    generator_share: float
    """Of its core, that Locust used; h2load uses a few per cent besides."""
    memory_mb: float
    """Largest of all samples."""
    match_calls: int
    match_failures: int
    checks: int
    wrong: int

    @property
    def well(self) -> bool:
        """Whether the objective is kept, as it was by the turns of some seconds that the capacity is from."""
        return self.p99_ms <= OBJECTIVE_MS and not self.refused


class Found(BaseModel):
    """One transport."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    per_core: float
    """Calls for each second of the server's CPU when it is sent as much as it answers; neighbours change it little."""
    steps: tuple[Step, ...]
    """By what was offered; of each step the turn with the lowest p99."""
    hold: Hold

    @property
    def capacity(self) -> Step:
        """The highest load at which the objective is kept."""
        return capacity(self.steps)

    @property
    def knee(self) -> Step:
        """Beyond it latency grows faster than throughput."""
        return max(self.steps, key=lambda step: step.power)


class Capacity(Conditions):
    """A run."""

    rounds: int
    """Turns of each step."""
    step_seconds: float
    transports: dict[str, Found]

    @property
    def met(self) -> bool:
        """Whether servers that were held kept the objective, no call failed and no answer was wrong."""
        holds = [found.hold for found in self.transports.values()]
        return all(hold.well and not hold.match_failures and not hold.wrong for hold in holds)


def capacity(steps: Sequence[Step]) -> Step:
    """See `Found.capacity`; ValueError when no load is answered so."""
    well = [step for step in steps if step.well]
    if not well:
        raise ValueError(
            f"p99 is {min(step.p99_ms for step in steps):.1f} ms at best, and the objective {OBJECTIVE_MS:g} ms: the "
            "machine is too busy to measure on"
        )
    return max(well, key=lambda step: step.offered)


def hold_file(folder: Path, transport: str) -> Path:
    """Where the samples of a hold are kept."""
    return folder / f"hold-{transport}.csv"


def write(folder: Path, found: Capacity, holds: Mapping[str, Sequence[Sample]]) -> None:
    """All files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SUMMARY).write_text(found.model_dump_json(indent=1) + "\n")
    for transport, seen in holds.items():
        samples.write(hold_file(folder, transport), seen)


def read(folder: Path = FOLDER) -> Capacity:
    """The summary that was written."""
    return Capacity.model_validate_json((folder / SUMMARY).read_text())
