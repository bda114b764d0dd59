"""What the dashboards show: the one list from which Grafana's dashboards and Prometheus' console page are made.

A query selects `job="shinpan"`, since other services export metrics of gRPC under the same names.
"""

from typing import Final, NamedTuple


class Query(NamedTuple):
    """A series or several of a panel."""

    expression: str
    """PromQL."""
    legend: str
    """With labels in double braces."""


class Panel(NamedTuple):
    """A graph over time."""

    title: str
    unit: str
    """As Grafana spells units: `reqps`, `s`, `percentunit`, `bytes`, `short`, `ops`."""
    queries: tuple[Query, ...]
    description: str
    """Why one looks at it."""


class Dashboard(NamedTuple):
    """A page of panels."""

    name: str
    """Of its file, and Grafana's uid."""
    title: str
    panels: tuple[Panel, ...]


def _quantile(quantile: float) -> str:
    buckets = 'sum by (le) (rate(grpc_server_handling_seconds_bucket{job="shinpan"}[1m]))'
    return f"histogram_quantile({quantile}, {buckets})"


_CALLS: Final = Panel(
    "Calls by method",
    "reqps",
    (Query('sum by (grpc_method) (rate(grpc_server_handled_total{job="shinpan"}[1m]))', "{{grpc_method}}"),),
    "What callers ask for. A method that vanishes, or one that takes over, is a change in a backend.",
)
_LATENCY: Final = Panel(
    "Time of a call",
    "s",
    tuple(Query(_quantile(quantile), f"p{quantile * 100:g}") for quantile in (0.5, 0.95, 0.99)),
    "From the start of the work to the answer; waiting for a thread comes on top, see calls in flight.",
)
_CPU: Final = Panel(
    "CPU by process",
    "percentunit",
    (Query('rate(process_cpu_seconds_total{job="shinpan"}[1m])', "{{instance}}"),),
    "Share of one core. A process has one to use: above 0.85 it is time for another.",
)
_MEMORY: Final = Panel(
    "Memory by process",
    "bytes",
    (Query('process_resident_memory_bytes{job="shinpan"}', "{{instance}}"),),
    "Nothing is kept between calls, so this must be level.",
)
_IN_FLIGHT: Final = Panel(
    "Calls in flight",
    "short",
    (Query('sum by (instance) (shinpan_calls_in_flight{job="shinpan"})', "{{instance}}"),),
    "Calls that are worked on or wait for a thread. When it grows, more arrives than is answered.",
)
_REFUSED: Final = Panel(
    "Refusals by reason",
    "ops",
    (Query('sum by (reason) (rate(shinpan_errors_total{job="shinpan"}[1m]))', "{{reason}}"),),
    "ILLEGAL_MOVE and STALE_STATE are everyday; OVERLOADED and SERVER_FAULT are not.",
)
_FAILED: Final = Panel(
    "Calls by code, other than OK",
    "reqps",
    (
        Query(
            'sum by (grpc_code) (rate(grpc_server_handled_total{job="shinpan",grpc_code!="OK"}[1m]))', "{{grpc_code}}"
        ),
    ),
    "Codes tell whose fault it was: FailedPrecondition and InvalidArgument the caller's, Internal the server's.",
)
_ACTIONS: Final = Panel(
    "Actions by game",
    "ops",
    (Query('sum by (game) (rate(shinpan_actions_total{job="shinpan"}[1m]))', "{{game}}"),),
    "What is played.",
)
_STARTED: Final = Panel(
    "Matches started by game",
    "ops",
    (Query('sum by (game) (rate(shinpan_matches_started_total{job="shinpan"}[1m]))', "{{game}}"),),
    "New matches; a game without any may have lost its ruleset.",
)
_ENDED: Final = Panel(
    "Matches ended by reason",
    "ops",
    (Query('sum by (reason) (rate(shinpan_matches_ended_total{job="shinpan"}[1m]))', "{{reason}}"),),
    "How matches end: many by time or abandonment tell of unhappy players, or of a backend that loses them.",
)
_ITEMS: Final = Panel(
    "Items in batches",
    "ops",
    (Query('sum by (grpc_method) (rate(shinpan_batch_items_total{job="shinpan"}[1m]))', "{{grpc_method}}"),),
    "A call with 256 items works for 256: set it beside the time of a call.",
)
_BUDGET: Final = Panel(
    "Speed at which the budget burns",
    "short",
    (
        Query("shinpan:failed_calls:ratio_rate5m / 0.001", "failed"),
        Query("shinpan:slow_calls:ratio_rate5m / 0.01", "slow"),
    ),
    "1 spends the budget of the objective in its 30 days. Above 14.4 somebody is called.",
)
_RESTARTS: Final = Panel(
    "Starts of a process",
    "short",
    (Query('changes(process_start_time_seconds{job="shinpan"}[15m])', "{{instance}}"),),
    "In a quarter of an hour. A rolling update makes one; more are a loop.",
)
_AGES: Final = Panel(
    "Days of key and certificate",
    "short",
    (
        Query('(time() - shinpan_token_key_created_timestamp_seconds{job="shinpan"}) / 86400', "of the key"),
        Query(
            '(shinpan_certificate_not_after_timestamp_seconds{job="shinpan"} - time()) / 86400',
            "left of the certificate",
        ),
    ),
    "Keys are replaced after 90 days; a certificate with less than 14 has not been renewed.",
)
_WORK: Final = Panel(
    "CPU a call",
    "s",
    (
        Query(
            'sum(rate(process_cpu_seconds_total{job="shinpan"}[1m]))'
            ' / sum(rate(grpc_server_handled_total{job="shinpan"}[1m]))',
            "all processes",
        ),
    ),
    "The price of a call. A step after a release is a regression.",
)

DASHBOARDS: Final = (
    Dashboard(
        "shinpan-service",
        "Shinpan: service",
        (_CALLS, _LATENCY, _FAILED, _REFUSED, _BUDGET, _IN_FLIGHT, _CPU, _MEMORY, _RESTARTS, _AGES),
    ),
    Dashboard("shinpan-games", "Shinpan: games", (_ACTIONS, _STARTED, _ENDED, _ITEMS)),
    Dashboard("shinpan-load-test", "Shinpan: load test", (_CALLS, _LATENCY, _WORK, _CPU, _IN_FLIGHT, _FAILED)),
)
