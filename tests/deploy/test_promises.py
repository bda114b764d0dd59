"""What a client is promised while pods come and go: with the shipped service config, no call fails.

Each promise is kept on every way to the pods: the names of the headless Service, nginx, HAProxy and Envoy. Matches are
played on all of them at the same time, so that what happens to the pods happens once.
"""

import os
import socket
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from deploy.conftest import Deployments, Running, opened
from deploy.names import Names
from deploy.pods import Replicas, podman
from deploy.proxy import envoy, haproxy, left_out_by_envoy, left_out_by_haproxy, until
from deploy.traffic import Traffic

pytestmark = [
    pytest.mark.containers,
    pytest.mark.skipif("SHINPAN_TEST_NAMESPACE" not in os.environ, reason="run by `make test-containers`"),
]

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


def test_a_rolling_update_of_two_loses_no_call(replicas: Replicas, ways: Mapping[str, str]) -> None:
    replicas.add()
    with matches(ways) as everywhere:
        replicas.roll()
        everywhere.reach(replicas)


def test_a_killed_pod_loses_no_call_and_comes_back(replicas: Replicas, ways: Mapping[str, str]) -> None:
    replicas.add()
    killed = replicas.pods[0]
    with matches(ways) as everywhere:
        everywhere.reach(replicas)
        killed.kill()
        everywhere.go_on(100)
        assert killed.restarted.wait(30)
        assert killed.ready.wait(60)
    assert killed.restarts == 1


def test_scaling_from_one_to_three_and_back_loses_no_call(replicas: Replicas, ways: Mapping[str, str]) -> None:
    first = replicas.pods[0]
    with matches(ways) as everywhere:
        for _ in range(2):
            replicas.add()
        everywhere.reach(replicas)
        replicas.remove(first)


def test_on_the_native_transport_a_pod_is_replaced_and_no_call_lost(
    running: Running, deployment: Deployments, tmp_path: Path
) -> None:
    manifest = deployment("native-transport", "sealed-tokens")
    with running(manifest) as replicas, opened(replicas, tmp_path) as ways:
        assert "pygrpc_native" in podman(
            "exec", replicas.pods[0].name, "python", "-c", "print(open('/proc/1/maps').read())"
        )
        with matches(ways) as everywhere:
            replicas.roll()
            everywhere.reach(replicas)


def test_proxies_heed_that_a_pod_is_not_serving(replicas: Replicas, tmp_path: Path) -> None:
    ended, other = replicas.add(), replicas.add()
    both = [ended.address, other.address]  # names that lag behind
    with (
        Names(lambda: both),
        haproxy(tmp_path) as by_haproxy,
        envoy(tmp_path) as by_envoy,
        matches({"haproxy": by_haproxy.target, "envoy": by_envoy.target}) as played,
        ThreadPoolExecutor(1) as meanwhile,
    ):
        assert left_out_by_haproxy(tmp_path) == left_out_by_envoy() == set()
        end = meanwhile.submit(replicas.remove, ended)
        until(lambda: left_out_by_haproxy(tmp_path) == {ended.address}, 20, by_haproxy.log)
        until(lambda: left_out_by_envoy() == {ended.address}, 20, by_envoy.log)
        with socket.create_connection((ended.address, 50051), timeout=5):
            pass  # it takes connections still, so that it is not those that were missed
        played.go_on(50)
        end.result()
