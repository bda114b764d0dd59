"""The server: builds its parts, starts them, and stops them without losing a call."""

import logging
import sys
import threading
from collections.abc import Callable, Mapping
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple

from shinpan.v1 import analysis_service_pb2, referee_service_pb2

import engine_core
from service import runtime, tls
from service.admin import Admin
from service.analysis import Analysis
from service.config import Settings
from service.dispatch import Dispatcher
from service.grpcio_transport import GrpcioTransport
from service.guard import guard_of
from service.keyring import KeyRing
from service.logs import AccessLog
from service.metrics import Metrics
from service.referee import Referee
from service.reload import Reloaded, Reloader
from service.request_game import RequestGame
from service.transport import CANCEL_SECONDS, FLUSH_SECONDS, Behavior, Route, Transport

if TYPE_CHECKING:
    from service.tracing import Tracing

_LOG: Final = logging.getLogger("shinpan.server")
_ADMIN_GRACE_SECONDS: Final = 1.0
_DRAIN_POLL_SECONDS: Final = 0.05
_SPANS_SECONDS: Final = 2.0
SECONDS_TO_END: Final = CANCEL_SECONDS + FLUSH_SECONDS + _ADMIN_GRACE_SECONDS + _SPANS_SECONDS
"""What stopping may take besides the times in the settings."""


class PortTakenError(OSError):
    """Something else listens on a port that the server was told to listen on."""


class Addresses(NamedTuple):
    """Where a server listens, each as `host:port` with the real port."""

    grpc: str
    admin: str
    metrics: str


class Server:
    """One server. `start` once, then `stop` once.

    `others` are further methods on the API's port by their paths, such as the yardstick of a benchmark.
    """

    def __init__(self, settings: Settings, others: Mapping[str, Behavior] | None = None) -> None:
        """Read the files that the settings name; SettingsFileError when one is wrong."""
        self._settings = settings
        self._metrics = Metrics()
        access_log = AccessLog(sys.stderr) if settings.access_log else None
        guard = guard_of(settings)
        dispatcher = Dispatcher(settings, self._metrics, access_log, guard)
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
        routes = {path: Route(method, method.overloaded) for path, method in dispatcher.methods.items()}
        self._tracing: Tracing | None = None
        if settings.tracing:
            from service import tracing  # needs an extra; the settings have looked for it

            games = RequestGame([descriptor for descriptor, _ in services], guard, settings.max_request_bytes)
            self._tracing = tracing.Tracing(tracing.exporting(), games)
            routes = {path: self._tracing.route(path, route) for path, route in routes.items()}
        routes.update({path: Route(behavior, behavior) for path, behavior in (others or {}).items()})
        self._transport: Transport
        if settings.transport == "native":
            from service.native_transport import NativeTransport  # an extra; the settings have looked for it

            self._transport = NativeTransport(settings, routes)
        else:
            runtime.do_not_preempt()
            self._transport = GrpcioTransport(settings, routes, names)
        self._metrics.wait(lambda: self._transport.waiting)
        self._export_ages(guard.keys)
        self._admin = Admin(names)

    def _export_ages(self, keys: Reloaded[KeyRing] | None) -> None:
        """Export when the primary key was made and when the certificate expires, where there are any."""
        if keys is not None:
            self._metrics.gauge(
                "shinpan_token_key_created_timestamp_seconds",
                "Unix time of the date beside the primary key; NaN when there is none.",
                lambda: keys.value.primary.created_timestamp,
            )
        if (certificates := self._certificates) is not None:
            self._metrics.gauge(
                "shinpan_certificate_not_after_timestamp_seconds",
                "Unix time at which the certificate of the API port expires.",
                lambda: certificates.value.not_after.timestamp(),
            )

    def start(self) -> Addresses:
        """Listen and answer; PortTakenError when a port is taken."""
        settings = self._settings
        credentials = None
        if self._certificates:
            credentials = tls.credentials(self._certificates, ask_clients=bool(settings.tls_client_ca_file))
        grpc_port = self._listen(settings.grpc_port, lambda address: self._transport.listen(address, credentials))
        admin_port = self._listen(settings.admin_port, self._admin.server.add_insecure_port)
        try:
            self._http = self._metrics.serve(settings.host, settings.metrics_port)
        except OSError as error:
            raise PortTakenError(
                f"cannot listen on {settings.host}:{settings.metrics_port}: {error.strerror}"
            ) from error
        for game in engine_core.games():  # so that no call waits for it
            engine_core.load(game)
        runtime.keep_what_is_there()
        self._transport.start()
        self._admin.server.start()
        self._reloader.start()
        self._admin.set_ready(True)
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        return Addresses(f"{host}:{grpc_port}", f"{host}:{admin_port}", f"{host}:{self._http.server_port}")

    def reload(self) -> None:
        """Read keys, callers and certificates again as soon as possible, if their files have changed."""
        self._reloader.now()

    def _listen(self, port: int, listen: Callable[[str], int]) -> int:
        host = f"[{self._settings.host}]" if ":" in self._settings.host else self._settings.host
        try:
            return listen(f"{host}:{port}")
        except (RuntimeError, OSError):
            raise PortTakenError(f"cannot listen on {host}:{port}: is another server running there?") from None

    def stop(self, hurry: threading.Event) -> None:
        """Drain, finish and return. Setting `hurry` cuts the draining short.

        Whatever is stopped while it has connections can lose calls that arrive before those know. Therefore the
        transport is not stopped until its connections are quiet, and meanwhile no new ones are taken.
        """
        settings = self._settings
        self._admin.set_ready(False)
        _LOG.info("not ready, still serving")
        hurry.wait(settings.unready_seconds)
        if self._transport.stop_listening():
            _LOG.info("no new connections")
            deadline = monotonic() + settings.drain_seconds
            while not hurry.is_set() and monotonic() < deadline and not self._transport.quiet():
                hurry.wait(_DRAIN_POLL_SECONDS)
        self._transport.stop(settings.stop_grace_seconds)
        self._admin.server.stop(_ADMIN_GRACE_SECONDS).wait()
        self._http.shutdown()
        self._reloader.stop()
        if self._tracing:
            self._tracing.end(_SPANS_SECONDS)
        _LOG.info("stopped")
