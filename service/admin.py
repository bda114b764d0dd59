"""The admin port: health, reflection and channelz in plain text, with threads of its own.

A load balancer or a Kubernetes probe asks `grpc.health.v1.Health` for the service `liveness` (the process answers) or
`readiness` (it wants calls); the empty name is the same as `readiness`.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import grpc
from grpc_channelz.v1 import channelz
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from service.admission import AdmissionPool

LIVENESS: Final = "liveness"
READINESS: Final = "readiness"
_THREADS: Final = 4
_MAX_HELD_THREADS: Final = 256
"""Each open stream of reflection and each half request holds a thread; so many may, and probes still find one."""


class Admin:
    """The admin server of one process: not ready until told."""

    def __init__(self, services: Sequence[str]) -> None:
        self._health = health.HealthServicer(
            experimental_non_blocking=True,
            experimental_thread_pool=ThreadPoolExecutor(2, thread_name_prefix="health"),
        )
        self._health.set(LIVENESS, health_pb2.HealthCheckResponse.SERVING)
        self.set_ready(False)
        pool = AdmissionPool(_THREADS, _MAX_HELD_THREADS)
        pool.start()
        self.server = grpc.server(
            pool,  # type: ignore[arg-type]  # it only submits
            options=(("grpc.so_reuseport", 0),),
        )
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self.server)
        channelz.add_channelz_servicer(self.server)
        names = (
            *services,
            health.SERVICE_NAME,
            "grpc.channelz.v1.Channelz",
            reflection.SERVICE_NAME,
        )
        reflection.enable_server_reflection(names, self.server)

    def set_ready(self, ready: bool) -> None:
        """Say whether the process wants calls."""
        status = health_pb2.HealthCheckResponse.SERVING if ready else health_pb2.HealthCheckResponse.NOT_SERVING
        for name in (READINESS, ""):
            self._health.set(name, status)
