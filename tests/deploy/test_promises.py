"""What a client is promised while pods come and go: with the shipped service config, no call fails.

Each promise is kept on every way to the pods: the names of the headless Service, nginx, HAProxy and Envoy.
"""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from deploy.conftest import Deployments, Running, opened
from deploy.everywhere import matches
from deploy.pods import Replicas, podman

pytestmark = [
    pytest.mark.containers,
    pytest.mark.skipif("SHINPAN_TEST_NAMESPACE" not in os.environ, reason="run by `make test-containers`"),
]


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
