"""Asking a server whether it is well: a call on a connection of its own, whose answer is right."""

from collections.abc import Callable
from time import monotonic
from typing import Final

import grpc
import yaml
from contract import Contract, arranged_state, wrap
from faults.table import ROOT
from grpc_health.v1 import health_pb2, health_pb2_grpc
from shinpan.v1 import referee_service_pb2

SERVING = health_pb2.HealthCheckResponse.SERVING
MANIFEST: Final = ROOT / "deploy/kubernetes/base/deployment.yaml"


def probe_seconds() -> float:
    """How long Kubernetes waits for an answer to its readiness probe."""
    (container,) = yaml.safe_load(MANIFEST.read_text())["spec"]["template"]["spec"]["containers"]
    return float(container["readinessProbe"]["timeoutSeconds"])


def answers(address: str, timeout: float = 5.0) -> bool:
    """Whether a new caller gets the right answer."""
    state = arranged_state("hidden-hasami").state
    with grpc.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
        request = referee_service_pb2.ListLegalActionsRequest(state=wrap(state), seat=1)
        try:
            answer = Contract(channel).referee.ListLegalActions(request, timeout=timeout)
        except grpc.RpcError:
            return False
    assert list(answer.legal_actions.moves) == [int(move) for move in state.legal_moves()], "a wrong answer"
    return True


def healthy(admin_address: str) -> bool:
    """Whether liveness and readiness are on, each told before Kubernetes would give up asking."""
    timeout = probe_seconds()
    with grpc.insecure_channel(admin_address, options=[("grpc.use_local_subchannel_pool", 1)]) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        asked = [health_pb2.HealthCheckRequest(service=name) for name in ("liveness", "readiness")]
        try:
            return all(stub.Check(one, timeout=timeout).status == SERVING for one in asked)
        except grpc.RpcError:
            return False


def well_within(seconds: float, since: float, condition: Callable[[], bool]) -> None:
    """Ask until it holds; fails when that takes longer, from a time of `monotonic` on, than the table states."""
    held = False
    while not held:
        held = condition()
        assert monotonic() <= since + seconds, f"not well again within the stated {seconds:g} s"
