"""Matches on every way to the pods at once, so that what happens to the pods happens once for all of them."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager

from deploy.pods import Replicas
from deploy.proxy import until
from deploy.traffic import Traffic

SECONDS_TO_SPREAD = 60
"""Within that, clients call a pod that was added: connections end after 30 s, give or take a tenth, and then names are
looked up again, at most each 30 s."""


class Everywhere:
    """Matches on every way at once."""

    def __init__(self, played: Mapping[str, Traffic]) -> None:
        self._played = played

    def go_on(self, calls: int) -> None:
        """Wait until so many more calls have been answered on every way."""
        for traffic in self._played.values():
            traffic.go_on(calls)

    def reach(self, replicas: Replicas) -> None:
        """Wait until calls on every way have reached every pod."""
        missing = [(name, pod) for name in self._played for pod in replicas.pods]

        def reached() -> bool:
            self.go_on(0)
            missing[:] = [(name, pod) for name, pod in missing if f'"request_id":"{name}"' not in pod.log()]
            return not missing

        until(reached, SECONDS_TO_SPREAD, lambda: f"not reached: {[(name, pod.name) for name, pod in missing]}")


@contextmanager
def matches(ways: Mapping[str, str]) -> Iterator[Everywhere]:
    """Matches on every way while the block lasts; leaving it fails when any call did."""
    with ExitStack() as started:
        played = {name: started.enter_context(Traffic(target, name)) for name, target in ways.items()}
        everywhere = Everywhere(played)
        everywhere.go_on(50)
        yield everywhere
        everywhere.go_on(50)
