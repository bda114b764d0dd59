"""Waiting for what another process or thread brings about, by asking for it."""

from collections.abc import Callable
from time import monotonic
from typing import Final

DEADLINE_SECONDS: Final = 60.0


def wait_for(condition: Callable[[], bool]) -> None:
    """Ask until it holds; fails after a minute."""
    deadline = monotonic() + DEADLINE_SECONDS
    while not condition():
        assert monotonic() < deadline, "it never came true"
