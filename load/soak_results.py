"""What came of a soak: a summary in JSON, and its samples in CSV."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from load import samples
from load.conditions import Conditions
from load.drift import Drift
from load.samples import Sample

FOLDER: Final = Path(__file__).parent / "results"
SUMMARY: Final = "soak.json"
_SAMPLES: Final = "soak.csv"
REFUSED_SHARE: Final = 0.001
"""Of the calls, at most so many may be refused: the objective of docs/operations.md."""

QUIET_PERCENT: Final = 25
"""Latencies are compared by the quietest quarter of the samples: neighbours on the machine only make them worse."""


class Soak(Conditions):
    """A run."""

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
    waited: tuple[float, float] | None = None
    """For how much of the time threads of the server waited for their core, in the first third of the run and in the
    last: for each other, and for what else ran on the machine. None where it was not looked at."""

    @property
    def met(self) -> bool:
        """Whether Locust's thresholds and the objective were kept, and nothing was answered wrongly or drifted."""
        answered = self.refused <= REFUSED_SHARE * self.calls
        return self.kept and not self.wrong and answered and all(one.met for one in self.drifts.values())


def write(folder: Path, soak: Soak, seen: Sequence[Sample]) -> None:
    """Both files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SUMMARY).write_text(soak.model_dump_json(indent=1) + "\n")
    samples.write(folder / _SAMPLES, seen)


def read(folder: Path = FOLDER) -> tuple[Soak, list[Sample]]:
    """What was written."""
    return Soak.model_validate_json((folder / SUMMARY).read_text()), samples.read(folder / _SAMPLES)
