"""What a client is promised while pods come and go: with the shipped service config, no call fails.

Each promise is kept on every way to the pods: the names of the headless Service, nginx, HAProxy and Envoy. Without it,
too, no call is lost that a pod has begun.
"""

import json
import os
import signal
from collections.abc import Mapping
from pathlib import Path

import pytest
from deploy.callers import ALONE, CONFIGURED, Callers
from deploy.conftest import Deployments, Running, opened
from deploy.everywhere import matches
from deploy.names import HEADLESS, Names
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
    assert (killed.exits, killed.failed_probes) == ([128 + signal.SIGKILL], 0)


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


@pytest.mark.parametrize("components", [("sealed-tokens",), ("native-transport", "sealed-tokens")], ids="-".join)
def test_sigterm_under_load_loses_no_call_of_stubs_that_repeat_nothing(
    running: Running, deployment: Deployments, components: tuple[str, ...]
) -> None:
    """Straight at the pod they are answered until they are turned away; with the service config they notice nothing."""
    with running(deployment(*components)) as replicas, Names(replicas.ready):
        leaving = replicas.add()
        replicas.add()
        straight = Callers(f"ipv4:{leaving.address}:50051", "straight", ALONE)
        configured = Callers(HEADLESS, "configured", CONFIGURED)
        with straight, configured:
            replicas.remove(leaving)
    assert configured.ends == []
    assert len(straight.ends) == len(straight.answered)
    for end in straight.ends:
        assert end.startswith("UNAVAILABLE"), end
        told = ("Connection refused", "GOAWAY received; Error code: 0", "The server is stopping.")
        assert any(one in end for one in told), end
    lines = [json.loads(line) for line in leaving.said.splitlines() if line.startswith("{")]
    signalled = [line.get("message") for line in lines].index("not ready, still serving")
    worked_on = [line["request_id"] for line in lines if line["event"] == "call"]
    assert worked_on.count("straight") == sum(straight.answered), "what was worked on has been answered"
    after = {line["request_id"] for line in lines[signalled:] if line["event"] == "call"}
    assert after == {"straight", "configured"}
