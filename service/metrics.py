"""Metrics: counters of calls, named as go-grpc-middleware names them, and of what the referee did.

Labels hold names of methods, codes, reasons and loaded games: never anything that a player may not know.
"""

from collections.abc import Callable
from http.server import HTTPServer
from typing import NamedTuple

from prometheus_client import CollectorRegistry, Gauge, ProcessCollector, start_http_server

from service.collectors import Counts, Times
from service.counters import Count, Durations


class CallCounters(NamedTuple):
    """What every call of one method moves."""

    started: Count
    succeeded: Count
    took: Durations


class Metrics:
    """The metrics of one server, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        method = ("grpc_type", "grpc_service", "grpc_method")
        self._started = Counts("grpc_server_started", "Calls that arrived.", method, self.registry)
        self._handled = Counts(
            "grpc_server_handled", "Calls that were answered, by code.", (*method, "grpc_code"), self.registry
        )
        self._took = Times(
            "grpc_server_handling_seconds",
            "Time from the start of the work on a call to its answer.",
            method,
            self.registry,
        )
        self._errors = Counts(
            "shinpan_errors", "Calls and batch items that were refused, by reason.", ("reason",), self.registry
        )
        self._matches_started = Counts(
            "shinpan_matches_started", "Answers of StartMatch, by game.", ("game",), self.registry
        )
        self._matches_ended = Counts(
            "shinpan_matches_ended",
            "Applied actions that ended a match, by game and reason of the end.",
            ("game", "reason"),
            self.registry,
        )
        self._actions = Counts("shinpan_actions", "Applied actions, by game.", ("game",), self.registry)
        self._items = Counts("shinpan_batch_items", "Items of batches, by method.", ("grpc_method",), self.registry)
        self._waiting: Callable[[], int] = lambda: 0
        self.gauge("shinpan_calls_in_flight", "Calls that are worked on or wait for a thread.", self._in_flight)

    def gauge(self, name: str, documentation: str, value: Callable[[], float]) -> None:
        """Export what a function says when Prometheus asks."""
        Gauge(name, documentation, registry=self.registry).set_function(value)

    def wait(self, waiting: Callable[[], int]) -> None:
        """Export the number of calls that wait for a thread, which are in flight, too."""
        self._waiting = waiting
        self.gauge("shinpan_waiting_calls", "Calls that wait for a thread.", waiting)

    def _in_flight(self) -> int:
        handled = self._handled.total()  # first, so that a call that ends meanwhile counts as one in flight
        return self._waiting() + self._started.total() - handled

    def counters(self, service: str, method: str) -> CallCounters:
        """The counters of a method, made now so that they are exported from the start and cheap to move."""
        return CallCounters(
            self._started.of("unary", service, method),
            self._handled.of("unary", service, method, "OK"),
            self._took.of("unary", service, method),
        )

    def failed(self, service: str, method: str, code: str) -> None:
        """Count a call that was answered with an error, by the name of its code as Go spells it."""
        self._handled.of("unary", service, method, code).add()

    def refused(self, reason: str) -> None:
        """Count a refusal of a call or of an item of a batch."""
        self._errors.of(reason).add()

    def match_started(self, game: str) -> None:
        """Count a started match."""
        self._matches_started.of(game).add()

    def actions_applied(self, game: str, count: int = 1) -> None:
        """Count applied actions of one game."""
        self._actions.of(game).add(count)

    def match_ended(self, game: str, reason: str) -> None:
        """Count a match that an applied action has ended."""
        self._matches_ended.of(game, reason).add()

    def batch(self, method: str, items: int) -> None:
        """Count the items of a batch."""
        self._items.of(method).add(items)

    def serve(self, host: str, port: int) -> HTTPServer:
        """Answer scrapes at `/metrics` in a thread until the returned server is shut down; OSError when taken."""
        server, _ = start_http_server(port, host, self.registry)
        return server
