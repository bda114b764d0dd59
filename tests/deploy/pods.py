"""Pods as a kubelet would run them: what the manifest says of container, probes, preStop and grace, done with podman.

The network is podman's own bridge, so everything here runs as root in a network namespace made for it; see
`run_containers`.
"""

import os
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import grpc
from deploy.tools import ROOT
from grpc_health.v1 import health_pb2, health_pb2_grpc

STORE = ROOT / ".tools/containers"
NETWORK = "shinpan"
OUT_OF_MEMORY = STORE / "oom"
"""A file that podman leaves where it was started, when the kernel has ended a container for lack of memory."""
_ENVIRONMENT = {**os.environ, "CONTAINERS_CONF": str(ROOT / "tests/deploy/containers.conf")}
_UNITS = {"Mi": 1 << 20, "Gi": 1 << 30}


def podman(*arguments: str, check: bool = True) -> str:
    """Run podman on the storage of the tests; what it prints."""
    command = ["podman", "--root", str(STORE / "root"), "--runroot", str(STORE / "run"), *arguments]
    done = subprocess.run(command, cwd=STORE, env=_ENVIRONMENT, capture_output=True, text=True, check=False)
    assert not check or done.returncode == 0, f"{' '.join(arguments)}\n{done.stderr}"
    return done.stdout.strip()


def _memory(quantity: str) -> int:
    return int(quantity[:-2]) * _UNITS[quantity[-2:]]


def _cpus(quantity: str) -> float:
    return int(quantity[:-1]) / 1000 if quantity.endswith("m") else float(quantity)


class Pod:
    """One pod of a Deployment: started, probed, restarted when its container ends, and ended as the manifest says."""

    def __init__(self, deployment: Mapping[str, Any], name: str, address: str, secrets: Mapping[str, Path]) -> None:
        """`address` is its IP; `secrets` are folders by the names of the Secrets that the manifest mounts."""
        self.name = name
        self.address = address
        self.ready = threading.Event()
        """Set while the readiness probe succeeds: whether a Service would send calls to it."""
        self.exits: list[int] = []
        """The exit codes of its containers that ended by themselves or were killed, each of which was started again."""
        self.failed_probes = 0
        """How often its container was killed because startup or liveness probes had failed."""
        self.said = ""
        """What its process had written when it was ended."""
        self.restarted = threading.Event()
        """Set when its container has been started again."""
        self._spec: Mapping[str, Any] = deployment["spec"]["template"]["spec"]
        (self._container,) = self._spec["containers"]
        self._secrets = secrets
        self._ending = threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Run the container and its probes; returns at once."""
        podman("run", "--detach", "--name", self.name, *self._run_flags(), self._container["image"])
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._keep_running, self._probe)]
        for thread in self._threads:
            thread.start()

    def end(self) -> int:
        """What a kubelet does with a pod that is deleted; the exit code of its process."""
        self.ready.clear()  # endpoints are withdrawn at the same time
        self._ending.set()
        pause = self._container["lifecycle"]["preStop"]["sleep"]["seconds"]
        threading.Event().wait(pause)  # the manifest's own sleep, not a wait for something
        podman("stop", "--time", str(self._spec["terminationGracePeriodSeconds"] - pause), self.name)
        code = int(podman("inspect", "--format", "{{.State.ExitCode}}", self.name))
        self.said = self.log()
        podman("rm", self.name)
        return code

    def kill(self) -> None:
        """kill -9 of its process, as a crash would end it."""
        podman("kill", "--signal", "KILL", self.name, check=False)  # it may be ending by itself

    def abandon(self) -> None:
        """Look after it no longer."""
        self._ending.set()

    def log(self) -> str:
        """What its process has written."""
        done = subprocess.run(
            ["podman", "--root", str(STORE / "root"), "--runroot", str(STORE / "run"), "logs", self.name],
            env=_ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        return done.stdout

    def _run_flags(self) -> list[str]:
        pod, own = self._spec["securityContext"], self._container["securityContext"]
        limits = self._container["resources"]["limits"]
        memory = str(_memory(limits["memory"]))
        flags = [
            f"--network={NETWORK}", f"--ip={self.address}", f"--user={pod['runAsUser']}:{pod['runAsGroup']}",
            f"--memory={memory}", f"--memory-swap={memory}", f"--cpus={_cpus(limits['cpu'])}", "--pull=never",
        ]  # fmt: skip
        if own["readOnlyRootFilesystem"]:
            flags += ["--read-only", "--read-only-tmpfs=false"]
        if not own["allowPrivilegeEscalation"]:
            flags.append("--security-opt=no-new-privileges")
        flags += [f"--cap-drop={name}" for name in own["capabilities"]["drop"]]
        flags += [f"--env={entry['name']}={entry['value']}" for entry in self._container["env"]]
        volumes = {volume["name"]: volume["secret"]["secretName"] for volume in self._spec.get("volumes", ())}
        for mount in self._container.get("volumeMounts", ()):
            flags.append(f"--volume={self._secrets[volumes[mount['name']]]}:{mount['mountPath']}:ro")
        return flags

    def _keep_running(self) -> None:
        """Start the container again whenever it ends."""
        while True:
            code = podman("wait", self.name, check=False)
            self.ready.clear()
            if self._ending.is_set():
                return
            self.exits.append(int(code))
            podman("start", self.name)
            self.restarted.set()

    def _probe(self) -> None:
        """Ask health as the manifest says, until the pod ends."""
        failures: dict[str, int] = {}
        started = False
        waited = 0
        while not self._ending.wait(1):
            waited += 1
            for kind in ("readinessProbe", "livenessProbe") if started else ("startupProbe",):
                probe = self._container[kind]
                if waited % probe["periodSeconds"]:
                    continue
                good = self._healthy(probe)
                failures[kind] = 0 if good else failures.get(kind, 0) + 1
                failed = failures[kind] >= probe["failureThreshold"]
                if kind == "readinessProbe" and (good or failed):
                    (self.ready.set if good and not self._ending.is_set() else self.ready.clear)()
                elif kind == "startupProbe":
                    started = good
                if kind != "readinessProbe" and failed:
                    failures.clear()
                    started = False
                    self.failed_probes += 1
                    self.kill()

    def _healthy(self, probe: Mapping[str, Any]) -> bool:
        asked = probe["grpc"]
        with grpc.insecure_channel(f"{self.address}:{asked['port']}") as channel:
            request = health_pb2.HealthCheckRequest(service=asked["service"])
            try:
                answer = health_pb2_grpc.HealthStub(channel).Check(request, timeout=probe["timeoutSeconds"])
            except grpc.RpcError:
                return False
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


class Replicas:
    """The pods of one Deployment, and what its controller does: scaling and rolling updates."""

    def __init__(self, deployment: Mapping[str, Any], addresses: Sequence[str], secrets: Mapping[str, Path]) -> None:
        """`addresses` are the IPs that pods may have."""
        self._deployment = deployment
        self._free = list(addresses)
        self._secrets = secrets
        self._made = 0
        self.pods: list[Pod] = []

    def ready(self) -> list[str]:
        """The addresses of the pods that are ready: what the headless Service resolves to."""
        return [pod.address for pod in tuple(self.pods) if pod.ready.is_set()]

    def add(self) -> Pod:
        """Start one more pod, and wait until it is ready."""
        self._made += 1
        pod = Pod(self._deployment, f"shinpan-{self._made}", self._free.pop(0), self._secrets)
        pod.start()
        self.pods.append(pod)
        assert pod.ready.wait(120), f"not ready:\n{pod.log()}"
        return pod

    def remove(self, pod: Pod) -> None:
        """End a pod; its process must end by itself, in time."""
        self.pods.remove(pod)
        assert pod.end() == 0, "killed after its grace, or failed"
        self._free.append(pod.address)

    def abandon(self) -> None:
        """Kill all pods, and start none again."""
        for pod in self.pods:
            pod.abandon()
        podman("rm", "--all", "--force", "--time", "0")

    def roll(self) -> None:
        """A rolling update, with one pod more at a time and none less."""
        strategy = self._deployment["spec"]["strategy"]["rollingUpdate"]
        assert (strategy["maxSurge"], strategy["maxUnavailable"]) == (1, 0)
        for pod in list(self.pods):
            self.add()
            self.remove(pod)
