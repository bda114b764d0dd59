"""The end of a run: whether it kept its thresholds, as its exit code."""

import sys
from typing import Final

from locust.env import Environment
from locust.runners import WorkerRunner
from locust.stats import StatsEntry

from load.scenarios.request_events import CALL, CHECK
from load.scenarios.thresholds import Seen, Thresholds, broken

KEPT: Final = 0
BROKEN: Final = 1


def give(scenario: str, thresholds: Thresholds, environment: Environment) -> None:
    """Print the verdict on a run and make it the exit code. A worker leaves it to the master."""
    if environment.runner is None or isinstance(environment.runner, WorkerRunner):
        return
    environment.runner.stop()  # matches under way are checked, too
    was = seen(environment)
    if environment.web_ui is not None and not was.calls:
        return  # nobody has started a run on its page
    lines = list(broken(thresholds, was))
    environment.process_exit_code = BROKEN if lines else KEPT
    print(
        f"{scenario}: {was.calls} calls, {was.calls_per_second:.0f} a second, p50 {was.p50_ms:g} ms, "
        f"p95 {was.p95_ms:g} ms, p99 {was.p99_ms:g} ms; {was.failed} failed; {was.checks} checks, {was.wrong} wrong",
        *(f"  {error.occurrences} x {error.name}: {error.error}" for error in environment.stats.errors.values()),
        f"{scenario}: does not keep its thresholds" if lines else f"{scenario}: keeps its thresholds",
        *(f"  {line}" for line in lines),
        sep="\n", file=sys.stderr, flush=True,
    )  # fmt: skip


def seen(environment: Environment) -> Seen:
    """What Locust has counted."""
    calls = StatsEntry(environment.stats, "all calls", CALL)
    checks = wrong = 0
    for entry in environment.stats.entries.values():
        if entry.method == CALL:
            calls.extend(entry)
        elif entry.method == CHECK:
            checks += entry.num_requests
            wrong += entry.num_failures
    p50, p95, p99 = (float(calls.get_response_time_percentile(share) or 0) for share in (0.5, 0.95, 0.99))
    exceptions = (
        0 if environment.runner is None else sum(one["count"] for one in environment.runner.exceptions.values())
    )
    return Seen(
        calls=calls.num_requests, failed=calls.num_failures, p50_ms=p50, p95_ms=p95, p99_ms=p99,
        calls_per_second=calls.total_rps, checks=checks, wrong=wrong, exceptions=exceptions,
    )  # fmt: skip
