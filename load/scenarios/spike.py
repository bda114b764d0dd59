"""The shape of the scenario `spike`: few users, then suddenly many, then few again."""

from typing import Final, NamedTuple

from locust import LoadTestShape


class Stage(NamedTuple):
    """A number of users, until so many seconds after the beginning."""

    until: float
    users: int


STAGES: Final = (Stage(10, 5), Stage(20, 100), Stage(30, 5))
_AT_ONCE: Final = 100.0
"""Users that may start or stop in a second."""


def users_at(seconds: float) -> int | None:
    """The users that there should be so long after the beginning; None when the run is over."""
    return next((stage.users for stage in STAGES if seconds < stage.until), None)


class SpikeShape(LoadTestShape):
    """Locust asks it each second how many users there should be."""

    def tick(self) -> tuple[int, float] | None:
        """Users and how many may start in a second; None ends the run."""
        users = users_at(self.get_run_time())  # type: ignore[no-untyped-call]
        return None if users is None else (users, _AT_ONCE)
