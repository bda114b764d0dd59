"""What a long run was made on and with, and how busy the machine was."""

import os
from datetime import UTC, datetime
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

from load import machine

QUIET: Final = 0.5
"""A load average above which others work on the machine."""


class Conditions(BaseModel):
    """Base of the results of a run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    layout: Literal[1] = 1
    """The version of this layout."""
    at: str
    """When it was made, in UTC."""
    commit: str
    machine: dict[str, str]
    versions: dict[str, str]
    busy: float
    """Load average of the machine just before."""
    niceness: int
    """Of everything that was run."""


def now() -> dict[str, Any]:
    """The fields of `Conditions` as they are now."""
    return {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": machine.commit(),
        "machine": machine.machine(),
        "versions": machine.versions(),
        "busy": machine.busy(),
        "niceness": os.nice(0),
    }
