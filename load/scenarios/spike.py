"""The shape of the scenario `spike`: few users, then suddenly many, then few again."""

from typing import Final

from locust import LoadTestShape

from load.scenarios.stages import users_at

_AT_ONCE: Final = 100.0
"""Users that may start or stop in a second."""


class SpikeShape(LoadTestShape):
    """Locust asks it each second how many users there should be."""

    def tick(self) -> tuple[int, float] | None:
        """Users and how many may start in a second; None ends the run."""
        users = users_at(self.get_run_time())  # type: ignore[no-untyped-call]  # of Locust
        return None if users is None else (users, _AT_ONCE)
