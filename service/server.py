"""The server: builds its parts, starts them, and stops them without losing a call."""

import logging
import sys
import threading
from collections.abc import Sequence
from time import monotonic
from typing import Final, NamedTuple

import grpc
from grpc_reflection.v1alpha import reflection
from shinpan.v1 import analysis_service_pb2, referee_service_pb2

import engine_core
from service import sockets, tls
from service.admin import Admin
from service.admission import AdmissionPool
from service.analysis import Analysis
from service.config import Settings
from service.dispatch import Dispatcher
from service.guard import guard_of
from service.logs import AccessLog
from service.metrics import Metrics
from service.referee import Referee
from service.reload import Reloader

_LOG: Final = logging.getLogger("shinpan.server")
_ADMIN_GRACE_SECONDS: Final = 1.0
_DRAIN_POLL_SECONDS: Final = 0.05
_CANCEL_SECONDS: Final = 5.0
"""How long calls that outlast the grace are waited for after they have been cancelled."""


class PortTakenError(OSError):
    """Something else listens on a port that the server was told to listen on."""


class Addresses(NamedTuple):
    """Where a server listens, each as `host:port` with the real port."""

    grpc: str
    admin: str
    metrics: str


class Server:
    """One server. `start` once, then `stop` once.

    `others` are handlers of further methods on the API's port, such as the yardstick of a benchmark.
    """

    def __init__(self, settings: Settings, others: Sequence[grpc.GenericRpcHandler] = ()) -> None:
        """Read the files that the settings name; SettingsFileError when one is wrong."""
        self._settings = settings
        self._metrics = Metrics()
        pool = AdmissionPool(settings.threads, settings.max_waiting_calls)
        self._metrics.waiting.set_function(lambda: pool.waiting)
        access_log = AccessLog(sys.stderr) if settings.access_log else None
        guard = guard_of(settings)
        dispatcher = Dispatcher(settings, self._metrics, pool, access_log, guard)
        self._certificates = tls.certificates(settings) if settings.tls_certificate_file else None
        files = guard.reloaded + ([self._certificates] if self._certificates else [])
        self._reloader = Reloader(files, settings.reload_seconds)
        services = (
            (
                referee_service_pb2.DESCRIPTOR.services_by_name["RefereeService"],
                Referee(settings, self._metrics),
            ),
            (
                analysis_service_pb2.DESCRIPTOR.services_by_name["AnalysisService"],
                Analysis(settings, self._metrics),
            ),
        )
        for descriptor, servicer in services:
            dispatcher.add(descriptor, servicer.handlers())
        names = [descriptor.full_name for descriptor, _ in services]
        self._server = grpc.server(
            pool,
            handlers=[dispatcher, *others],
            options=self._options(settings),
            # Far above our own limits, which answer with a reason: the last line of defence.
            maximum_concurrent_rpcs=4 * (settings.threads + settings.max_waiting_calls) + 64,
        )
        if settings.reflection:
            reflection.enable_server_reflection((*names, reflection.SERVICE_NAME), self._server)
        self._admin = Admin(names)

    @staticmethod
    def _options(settings: Settings) -> list[tuple[str, int]]:
        options = [
            ("grpc.so_reuseport", 0),  # a second server on the port must fail, not share it
            ("grpc.max_receive_message_length", 2 * settings.max_request_bytes),
            ("grpc.max_send_message_length", -1),
        ]
        if settings.max_connection_age_seconds:
            options += [
                ("grpc.max_connection_age_ms", round(settings.max_connection_age_seconds * 1000)),
                (
                    "grpc.max_connection_age_grace_ms",
                    round(settings.max_connection_age_grace_seconds * 1000),
                ),
            ]
        return options

    def start(self) -> Addresses:
        """Listen and answer; PortTakenError when a port is taken."""
        settings = self._settings
        credentials = None
        if self._certificates:
            credentials = tls.credentials(self._certificates, ask_clients=bool(settings.tls_client_ca_file))
        self._port = grpc_port = self._listen(self._server, settings.grpc_port, credentials)
        admin_port = self._listen(self._admin.server, settings.admin_port)
        try:
            self._http = self._metrics.serve(settings.host, settings.metrics_port)
        except OSError as error:
            raise PortTakenError(
                f"cannot listen on {settings.host}:{settings.metrics_port}: {error.strerror}"
            ) from error
        for game in engine_core.games():  # so that no call waits for it
            engine_core.load(game)
        self._server.start()
        self._admin.server.start()
        self._reloader.start()
        self._admin.set_ready(True)
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        return Addresses(f"{host}:{grpc_port}", f"{host}:{admin_port}", f"{host}:{self._http.server_port}")

    def reload(self) -> None:
        """Read keys, callers and certificates again as soon as possible, if their files have changed."""
        self._reloader.now()

    def _listen(self, server: grpc.Server, port: int, credentials: grpc.ServerCredentials | None = None) -> int:
        host = f"[{self._settings.host}]" if ":" in self._settings.host else self._settings.host
        try:
            address = f"{host}:{port}"
            bound = server.add_secure_port(address, credentials) if credentials else server.add_insecure_port(address)
        except RuntimeError:
            bound = 0
        if not bound:
            raise PortTakenError(f"cannot listen on {host}:{port}: is another server running there?")
        return bound

    def stop(self, hurry: threading.Event) -> None:
        """Drain, finish and return. Setting `hurry` cuts the draining short.

        What grpcio does when it is stopped loses the calls that arrive before their connection has been told so.
        Therefore nothing is stopped while there are connections: they are told to go away when they reach their age,
        which loses nothing, and no new ones are taken.
        """
        settings = self._settings
        self._admin.set_ready(False)
        _LOG.info("not ready, still serving")
        hurry.wait(settings.unready_seconds)
        if sockets.stop_listening(self._port):
            _LOG.info("no new connections, %d open", sockets.connections(self._port))
            deadline = monotonic() + settings.drain_seconds
            while not hurry.is_set() and monotonic() < deadline and sockets.connections(self._port):
                hurry.wait(_DRAIN_POLL_SECONDS)
        self._server.stop(settings.stop_grace_seconds).wait(settings.stop_grace_seconds + _CANCEL_SECONDS)
        self._admin.server.stop(_ADMIN_GRACE_SECONDS).wait()
        self._http.shutdown()
        self._reloader.stop()
        _LOG.info("stopped")
