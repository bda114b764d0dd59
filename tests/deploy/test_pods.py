"""The image, run as the manifest says on a base made of Debian's packages (a stand-in for the official Python image):
hardened, and out of memory.
"""

import copy
import errno
import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from deploy.conftest import Deployments, Running
from deploy.pods import OUT_OF_MEMORY, Pod, Replicas, podman
from deploy.traffic import GAME, Traffic
from shinpan import Referee

pytestmark = [
    pytest.mark.containers,
    pytest.mark.skipif("SHINPAN_TEST_NAMESPACE" not in os.environ, reason="run by `make test-containers`"),
]

SMALL = 112
"""A memory limit in MiB, enough for a server at rest."""


def test_a_pod_is_as_hardened_as_its_manifest_and_plays_with_sealed_tokens(replicas: Replicas) -> None:
    pod = replicas.add()
    status = podman("exec", pod.name, "python", "-c", "print(open('/proc/1/status').read())")
    facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert facts["Uid"].split() == ["65532"] * 4
    assert int(facts["CapEff"], 16) == 0
    assert (facts["NoNewPrivs"], facts["Seccomp"]) == ("1", "2")
    write = "try: open('/opt/shinpan/x', 'w')\nexcept OSError as error: print(error.errno)"
    assert int(podman("exec", pod.name, "python", "-c", write)) == errno.EROFS
    limits = json.loads(podman("inspect", pod.name))[0]["HostConfig"]
    assert (limits["Memory"], limits["NanoCpus"]) == (256 << 20, 10**9)
    target = f"ipv4:{pod.address}:50051"
    with Referee(target) as referee:
        token = referee.start_match(GAME).state
    assert int.from_bytes(token[6:8], "little") == 1  # the id of the key in the Secret
    with Traffic(target) as traffic:
        traffic.go_on(200)


def test_a_pod_that_is_out_of_memory_is_started_again(running: Running, deployment: Deployments) -> None:
    small = copy.deepcopy(dict(deployment()))
    small["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"]["memory"] = f"{SMALL}Mi"
    with running(small) as replicas:
        run_out_of_memory(replicas.add())


def run_out_of_memory(pod: Pod) -> None:
    """Send a pod more than it can hold until it is gone, and wait until it is back."""
    request = b"\x0a" + bytes(4 << 20)

    def flood(_: int) -> None:
        with grpc.insecure_channel(f"{pod.address}:50051") as channel:
            call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/shinpan.v1.RefereeService/GetGame")
            pending = [call.future(request, timeout=30) for _ in range(16)]
            for answer in pending:
                answer.exception()

    OUT_OF_MEMORY.unlink(missing_ok=True)
    with ThreadPoolExecutor(8) as callers:
        rounds = 0
        while not pod.exits and rounds < 20:
            list(callers.map(flood, range(8)))
            rounds += 1
    assert pod.restarted.wait(30)
    assert pod.ready.wait(60)
    assert set(pod.exits) == {128 + signal.SIGKILL}
    assert pod.failed_probes == 0, "probes have killed it, not the lack of memory"
    assert OUT_OF_MEMORY.exists()
