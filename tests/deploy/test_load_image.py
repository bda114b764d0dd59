"""The image that deploy/load.Dockerfile makes, run as deploy/compose.yaml says: its matches are played and checked."""

import json
import os
from typing import Any

import pytest
import yaml
from deploy.conftest import OTHER_ADDRESS, Deployments, Running
from deploy.pods import NETWORK, Pod, podman
from deploy.tools import DEPLOY

from load.scenarios.request_events import CALL, CHECK

pytestmark = [
    pytest.mark.containers,
    pytest.mark.skipif("SHINPAN_TEST_NAMESPACE" not in os.environ, reason="run by `make test-containers`"),
]

SHORTLY = ("--headless", "--users=2", "--run-time=10s", "--json", "--only-summary")


def test_locust_plays_against_the_server_that_compose_names(running: Running, deployment: Deployments) -> None:
    with running(deployment()) as replicas:
        counted = played_against(replicas.add())
    calls, checks = (sum(e["num_requests"] for e in counted if e["method"] == kind) for kind in (CALL, CHECK))
    assert calls > 50
    assert checks >= 2
    assert [entry for entry in counted if entry["num_failures"]] == []


def played_against(pod: Pod) -> list[dict[str, Any]]:
    """What Locust has counted in a short run, a row for each kind of call."""
    locust = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["locust"]
    flags = [f"--tmpfs={path}" for path in locust["tmpfs"]]
    flags += [f"--cap-drop={name}" for name in locust["cap_drop"]]
    flags += [f"--security-opt={option}" for option in locust["security_opt"]]
    assert locust["read_only"]
    flags += [f"--network={NETWORK}", f"--ip={OTHER_ADDRESS}"]
    command = [word.replace("server:", f"{pod.address}:") for word in locust["command"]]
    # Its verdict on times is for other machines: the code may be 0 or 1.
    told = podman("run", "--read-only", *flags, f"localhost/{locust['image']}", *command, *SHORTLY, check=False)
    rows: list[dict[str, Any]] = json.loads(told)
    return rows
