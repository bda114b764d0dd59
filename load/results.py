"""What a run measured, as it is kept in JSON."""

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from load.figures import figures
from load.rounds import Spread, spread
from load.targets import TARGETS, judge


class Measured(BaseModel):
    """One figure."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    unit: str
    meaning: str
    values: tuple[float, ...] = Field(min_length=1)
    """One for each round."""

    @property
    def spread(self) -> Spread:
        """Median and range."""
        return spread(self.values)


class Judged(BaseModel):
    """One target."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    promise: str
    bound: str
    must: bool
    of: str | None
    """The figure that decided; None when it was not measured."""
    to: str | None
    """What it was divided by."""
    value: Spread | None
    """Median, lowest and highest over the rounds."""
    met: bool | None
    """None when it was not measured."""


class Results(BaseModel):
    """A run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    layout: Literal[1] = 1
    """The version of this layout."""
    at: str
    """When it ended, in UTC."""
    commit: str
    machine: dict[str, str]
    versions: dict[str, str]
    busy: float
    """Load average of the machine just before."""
    rounds: int
    load_seconds: float
    """How long a server was loaded for one measurement."""
    figures: dict[str, Measured]
    """By their stable names."""
    targets: dict[str, Judged]
    """By their stable names, all of them."""
    unmeasured: dict[str, str]
    """What could not be measured, and why."""

    def median(self, name: str) -> float | None:
        """The median of a figure; None when it was not measured."""
        measured = self.figures.get(name)
        return None if measured is None else measured.spread.median


def measured(taken: Mapping[str, Sequence[float]]) -> dict[str, Measured]:
    """Figures with what they say, in the order in which they are listed; KeyError for one that is not listed."""
    listed = figures()
    order = {name: place for place, name in enumerate(listed)}
    return {
        name: Measured(unit=listed[name].unit, meaning=listed[name].meaning, values=tuple(taken[name]))
        for name in sorted(taken, key=lambda name: order[name])
    }


def judged(taken: Mapping[str, Sequence[float]]) -> dict[str, Judged]:
    """Every target, with what was measured of it."""
    found = {}
    for target in TARGETS:
        verdict = judge(target, taken)
        found[target.name] = Judged(
            promise=target.promise,
            bound=target.bound,
            must=target.must,
            to=target.to,
            of=None if verdict is None else verdict.of,
            value=None if verdict is None else verdict.value,
            met=None if verdict is None else verdict.met,
        )
    return found
