"""What a run has to keep: read from a file, compared with what was seen."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

FILE: Final = Path(__file__).parent.parent / "thresholds.toml"

_Share = Annotated[float, Field(ge=0, le=1)]
_Positive = Annotated[float, Field(gt=0)]


class Thresholds(BaseModel):
    """Of one scenario. Wrong answers and errors of the scenario itself are never allowed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    failed_share: _Share
    """Of the calls, at most so many fail."""
    p50_ms: _Positive
    """Median of the time of calls, at most."""
    p95_ms: _Positive
    p99_ms: _Positive
    calls_per_second: _Positive
    """At least; below it something else than the service was measured."""
    checks: Annotated[int, Field(ge=1)]
    """Matches and playouts that were compared with the engine, at least."""


class Seen(NamedTuple):
    """What a run came to."""

    calls: int
    failed: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    calls_per_second: float
    checks: int
    wrong: int
    """Of the checks, those that found another answer than the engine's."""
    exceptions: int
    """Errors of the scenario itself."""


def read(path: Path = FILE) -> dict[str, Thresholds]:
    """The thresholds by scenario."""
    return {name: Thresholds.model_validate(table) for name, table in tomllib.loads(path.read_text()).items()}


def broken(thresholds: Thresholds, seen: Seen) -> Iterator[str]:
    """A line for each that is not kept."""
    if seen.wrong:
        yield f"{seen.wrong} of {seen.checks} checks found a wrong answer"
    if seen.exceptions:
        yield f"{seen.exceptions} errors in the scenario itself"
    share = seen.failed / seen.calls if seen.calls else 1.0
    if share > thresholds.failed_share:
        yield f"{seen.failed} of {seen.calls} calls failed; allowed are {thresholds.failed_share:.2%}"
    for name in ("p50_ms", "p95_ms", "p99_ms"):
        value, most = getattr(seen, name), getattr(thresholds, name)
        if value > most:
            yield f"{name} is {value:g}; at most {most:g} is allowed"
    if seen.calls_per_second < thresholds.calls_per_second:
        yield f"{seen.calls_per_second:.1f} calls a second; at least {thresholds.calls_per_second:g} are expected"
    if seen.checks < thresholds.checks:
        yield f"{seen.checks} matches and playouts were checked; at least {thresholds.checks} are expected"
