"""The image, run as the manifest says on a base made of Debian's packages (a stand-in for the official Python image):
hardened, updated, killed, scaled, out of memory, while matches are played against it.
"""

import base64
import copy
import json
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest
import yaml
from deploy.pods import NETWORK, Replicas, podman
from deploy.tools import DEPLOY, kustomized, objects
from deploy.traffic import Traffic

pytestmark = [
    pytest.mark.containers,
    pytest.mark.skipif("SHINPAN_TEST_NAMESPACE" not in os.environ, reason="run by `make test-containers`"),
]

SUBNET = "10.89.77"
ADDRESSES = [f"{SUBNET}.{number}" for number in range(11, 16)]
TARGET = "ipv4:" + ",".join(f"{address}:50051" for address in ADDRESSES)
"""All addresses that a pod may have: what the headless Service would resolve to, and some that nobody answers at."""
SMALL = 112
"""A memory limit in MiB, enough for a server at rest."""


@pytest.fixture(scope="module")
def manifest(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """The Deployment of the local overlay with sealed tokens."""
    overlay = tmp_path_factory.mktemp("overlay")
    kubernetes = os.path.relpath(DEPLOY / "kubernetes", overlay)
    settings = {
        "resources": [f"{kubernetes}/overlays/local"],
        "components": [f"{kubernetes}/components/sealed-tokens"],
    }
    (overlay / "kustomization.yaml").write_text(yaml.safe_dump(settings))
    return objects(kustomized(overlay))["Deployment", "shinpan"]


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """The Secret of keys, as files that the server's group may read."""
    keys = tmp_path_factory.mktemp("keys")
    (keys / "token-keys").write_text("1:" + base64.b64encode(bytes(range(32))).decode() + "\n")
    for path, mode in ((keys, 0o750), (keys / "token-keys", 0o440)):  # as fsGroup and defaultMode have it
        os.chown(path, 0, 65532)
        path.chmod(mode)
    return {"shinpan-token-keys": keys}


@pytest.fixture
def replicas(manifest: Mapping[str, Any], secrets: Mapping[str, Path]) -> Iterator[Replicas]:
    """No pods yet; all are gone afterwards."""
    podman("network", "rm", "--force", NETWORK)
    podman("network", "create", "--subnet", f"{SUBNET}.0/24", "--disable-dns", NETWORK)
    running = Replicas(manifest, ADDRESSES, secrets)
    try:
        yield running
    finally:
        for pod in list(running.pods):
            running.remove(pod)
        podman("rm", "--all", "--force", "--time", "0")
        podman("network", "rm", "--force", NETWORK)


def test_a_pod_is_as_hardened_as_its_manifest(replicas: Replicas) -> None:
    pod = replicas.add()
    status = podman("exec", pod.name, "python", "-c", "print(open('/proc/1/status').read())")
    facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert facts["Uid"].split() == ["65532"] * 4
    assert int(facts["CapEff"], 16) == 0
    assert (facts["NoNewPrivs"], facts["Seccomp"]) == ("1", "2")
    write = "import sys, tempfile\ntry: open('/opt/shinpan/x', 'w')\nexcept OSError as error: print(error.errno)"
    assert podman("exec", pod.name, "python", "-c", write) == "30"  # EROFS
    limits = json.loads(podman("inspect", pod.name))[0]["HostConfig"]
    assert (limits["Memory"], limits["NanoCpus"]) == (256 << 20, 10**9)
    assert not podman("exec", pod.name, "python", "-c", "import importlib.util as u; print(u.find_spec('pip') or '')")


def test_matches_with_sealed_tokens(replicas: Replicas) -> None:
    pod = replicas.add()
    with Traffic(f"ipv4:{pod.address}:50051", threads=2) as traffic:
        traffic.go_on(200)


def test_a_rolling_update_of_two_loses_no_call(replicas: Replicas) -> None:
    for _ in range(2):
        replicas.add()
    with Traffic(TARGET) as traffic:
        traffic.go_on(100)
        replicas.roll()
        traffic.go_on(100)


def test_a_killed_pod_loses_no_call_and_comes_back(replicas: Replicas) -> None:
    killed, _ = replicas.add(), replicas.add()
    with Traffic(TARGET) as traffic:
        traffic.go_on(100)
        killed.ready.clear()
        killed.kill()
        traffic.go_on(300)
        assert killed.ready.wait(60)
        traffic.go_on(100)
    assert killed.restarts == 1


def test_scaling_from_one_to_three_and_back(replicas: Replicas) -> None:
    first = replicas.add()
    with Traffic(TARGET) as traffic:
        traffic.go_on(100)
        for _ in range(2):
            replicas.add()
        traffic.go_on(300)
        replicas.remove(first)
        traffic.go_on(100)


def test_a_pod_that_is_out_of_memory_is_started_again(
    replicas: Replicas, manifest: Mapping[str, Any], secrets: Mapping[str, Path]
) -> None:
    small = copy.deepcopy(dict(manifest))
    small["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"]["memory"] = f"{SMALL}Mi"
    few = Replicas(small, ADDRESSES, secrets)
    pod = few.add()
    request = b"\x0a" + bytes(4 << 20)

    def flood(_: int) -> None:
        with grpc.insecure_channel(f"{pod.address}:50051") as channel:
            call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/shinpan.v1.RefereeService/GetGame")
            pending = [call.future(request, timeout=30) for _ in range(16)]
            for answer in pending:
                answer.exception()

    with ThreadPoolExecutor(8) as callers:
        rounds = 0
        while not pod.restarts and rounds < 20:
            list(callers.map(flood, range(8)))
            rounds += 1
    assert pod.restarts
    pod.ready.clear()
    assert pod.ready.wait(60)
    few.remove(pod)
