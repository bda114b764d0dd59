"""Whether something has changed in the course of a long run: its last third against its first."""

from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict

from load.latency import percentile

WARMUP_SHARE: Final = 0.1
"""Of the samples, the first do not count."""
LEAST_SAMPLES: Final = 4


class Drift(BaseModel):
    """Of one quantity."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    first: float
    """Median of the first third of the samples, or another percentile that was asked for."""
    last: float
    """The same of the last third."""
    most: float
    """The largest ratio of last to first that is no drift."""

    @property
    def ratio(self) -> float:
        """Last to first."""
        return self.last / self.first

    @property
    def met(self) -> bool:
        """Whether there is none."""
        return self.ratio <= self.most


def drift(values: Sequence[float], most: float, percent: int = 50) -> Drift:
    """Of samples at even times, all above 0; ValueError when they are too few to say anything.

    Where neighbours can only make a value larger, a low percentile of the samples tells more of the server than their
    median.
    """
    if len(values) < LEAST_SAMPLES:
        raise ValueError(f"{len(values)} samples say nothing of a drift; {LEAST_SAMPLES} are needed")
    counted = values[round(WARMUP_SHARE * len(values)) :]
    third = max(2, len(counted) // 3)
    first, last = percentile(counted[:third], percent), percentile(counted[-third:], percent)
    return Drift(first=first, last=last, most=most)
