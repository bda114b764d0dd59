"""How many users there are when, in the scenario `spike`."""

from typing import Final, NamedTuple


class Stage(NamedTuple):
    """A number of users, until so many seconds after the beginning."""

    until: float
    users: int


STAGES: Final = (Stage(10, 5), Stage(20, 100), Stage(30, 5))


def users_at(seconds: float) -> int | None:
    """The users that there should be so long after the beginning; None when the run is over."""
    return next((stage.users for stage in STAGES if seconds < stage.until), None)
