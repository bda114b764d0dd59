"""Metrics: counters of calls, named as go-grpc-middleware names them, and of what the referee did.

Labels hold names of methods, codes, reasons and loaded games: never anything that a player may not know.
"""

from http.server import HTTPServer
from typing import NamedTuple

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    start_http_server,
)

_SECONDS = (
    0.0001,
    0.00025,
    0.0005,
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    5.0,
    10.0,
)


class CallCounters(NamedTuple):
    """The counters of one method that are moved by every call."""

    started: Counter
    succeeded: Counter
    seconds: Histogram


class Metrics:
    """The metrics of one server, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        method = ("grpc_type", "grpc_service", "grpc_method")
        self._started = Counter("grpc_server_started", "Calls that arrived.", method, registry=self.registry)
        self._handled = Counter(
            "grpc_server_handled",
            "Calls that were answered, by code.",
            (*method, "grpc_code"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "grpc_server_handling_seconds", "Time from the start of the work on a call to its answer.", method,
            buckets=_SECONDS, registry=self.registry,
        )  # fmt: skip
        self._errors = Counter(
            "shinpan_errors",
            "Calls and batch items that were refused, by reason.",
            ("reason",),
            registry=self.registry,
        )
        self._matches_started = Counter(
            "shinpan_matches_started",
            "Answers of StartMatch, by game.",
            ("game",),
            registry=self.registry,
        )
        self._matches_ended = Counter(
            "shinpan_matches_ended", "Applied actions that ended a match, by game and reason of the end.",
            ("game", "reason"), registry=self.registry,
        )  # fmt: skip
        self._actions = Counter("shinpan_actions", "Applied actions, by game.", ("game",), registry=self.registry)
        self._items = Counter(
            "shinpan_batch_items",
            "Items of batches, by method.",
            ("grpc_method",),
            registry=self.registry,
        )
        self._of_game: dict[str, Counter] = {}
        self.waiting = Gauge("shinpan_waiting_calls", "Calls that wait for a thread.", registry=self.registry)

    def counters(self, service: str, method: str) -> CallCounters:
        """The counters of a method, made now so that they are exported from the start and cheap to move."""
        return CallCounters(
            self._started.labels("unary", service, method),
            self._handled.labels("unary", service, method, "OK"),
            self._seconds.labels("unary", service, method),
        )

    def failed(self, service: str, method: str, code: str) -> None:
        """Count a call that was answered with an error, by the name of its code as Go spells it."""
        self._handled.labels("unary", service, method, code).inc()

    def refused(self, reason: str) -> None:
        """Count a refusal of a call or of an item of a batch."""
        self._errors.labels(reason).inc()

    def match_started(self, game: str) -> None:
        """Count a started match."""
        self._matches_started.labels(game).inc()

    def action_applied(self, game: str) -> None:
        """Count an applied action."""
        counter = self._of_game.get(game)
        if counter is None:  # looking it up by label costs as much as the action itself
            counter = self._of_game[game] = self._actions.labels(game)
        counter.inc()

    def match_ended(self, game: str, reason: str) -> None:
        """Count a match that an applied action has ended."""
        self._matches_ended.labels(game, reason).inc()

    def batch(self, method: str, items: int) -> None:
        """Count the items of a batch."""
        self._items.labels(method).inc(items)

    def serve(self, host: str, port: int) -> HTTPServer:
        """Answer scrapes at `/metrics` in a thread until the returned server is shut down; OSError when taken."""
        server, _ = start_http_server(port, host, self.registry)
        return server
