"""The sections of the report about the runs of minutes: capacity and soak. Each a function from results to Markdown."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Final

from load.capacity_results import HELD_SHARE, OBJECTIVE_MS, Capacity
from load.conditions import QUIET, Conditions
from load.markdown import rows
from load.soak_results import Soak
from load.table import number

_WIDTH: Final = 120
_QUANTITIES: Final = {
    "memory_mb": "memory, MB",
    "cpu_us": "server CPU a call, µs",
    "p50_ms": "p50, ms",
    "p95_ms": "p95, ms",
    "p99_ms": "p99, ms",
}


def capacity(found: Capacity) -> Iterator[str]:
    """What a server can do, and how it is at 85 % of that."""
    yield from _paragraph(
        f"Capacity is the highest rate at which 99 % of calls take less than {OBJECTIVE_MS:g} ms and none is refused; "
        "the knee is where throughput by mean latency is largest. ApplyAction with two updates and legal actions, sent "
        f"by h2load at fixed rates whatever comes back; each had {found.rounds} turns of {found.step_seconds:g} s, and "
        "the one with the lowest p99 counts, for neighbours only ever make it worse. What a second of the server's CPU "
        "answers at most is told first: the rates are shares of that, up to 110 %."
    )
    body = []
    for name, one in found.transports.items():
        body.append((f"{name}, by its CPU", number(one.per_core), *[""] * 7))
        for where, step in (("knee", one.knee), ("capacity", one.capacity), ("most", one.steps[-1])):
            body.append((
                f"{name}, {where}", number(step.offered), number(step.answered), str(step.refused),
                number(step.p50_ms), number(step.p95_ms), number(step.p99_ms), _share(step.cpu_share),
                _share(step.generator_share),
            ))  # fmt: skip
    head = ("", "sent/s", "answered/s", "refused", "p50, ms", "p95, ms", "p99, ms", "server's core", "h2load's core")
    yield from rows(head, body)
    yield ""
    yield from _paragraph(
        f"Held at {HELD_SHARE:.0%} of its capacity; percentiles are medians of samples of some seconds. Beside these "
        "calls users of Locust play whole matches, each of which is compared with the engine in their process. The "
        "objective is that of the capacity, kept for minutes."
    )
    holds = []
    for name, one in found.transports.items():
        hold = one.hold
        holds.append((
            f"{name}, {hold.minutes:g} min", number(hold.rate), f"{hold.calls:,}", str(hold.refused),
            number(hold.p50_ms), number(hold.p95_ms), number(hold.p99_ms), number(hold.worst_p99_ms),
            "kept" if hold.well else "NOT KEPT", _share(hold.cpu_share), _share(hold.generator_share),
            f"{hold.memory_mb:.0f} MB", f"{hold.match_calls:,} ({hold.match_failures} failed)",
            f"{hold.checks} ({hold.wrong} wrong)",
        ))  # fmt: skip
    columns = (
        "", "calls/s", "calls", "refused", "p50, ms", "p95, ms", "p99, ms", "worst p99", "objective",
        "server's core", "Locust's core", "memory", "calls of matches", "checks",
    )  # fmt: skip
    yield from rows(columns, holds)
    yield ""
    yield from wrap(_conditions(found), _WIDTH)


def soak(run: Soak) -> Iterator[str]:
    """Whether a server changes in the course of a long run."""
    yield from _paragraph(
        f"{run.minutes:g} minutes on {run.transport} at {number(run.rate)} calls a second, "
        f"{run.rate / run.capacity:.0%} of what a core answers: {run.calls:,} calls, of which {run.refused:,} were "
        f"refused. Beside them {run.users} users of Locust made {run.match_calls:,} calls, of which "
        f"{run.match_failures:,} failed, in matches of all games and in batches; {run.checks:,} matches and playouts "
        f"were compared with the engine, and {run.wrong} were wrong. What must not drift, in the first third of the "
        "run and in the last, as medians of samples, and for latencies as the quietest quarter of them, for neighbours "
        "only ever make those worse:"
    )
    body = [
        (
            _QUANTITIES[what], number(one.first), number(one.last), f"{one.ratio:.3f}", f"≤ {one.most:g}",
            "no drift" if one.met else "DRIFTS",
        )
        for what, one in run.drifts.items()
    ]  # fmt: skip
    yield from rows(("", "first third", "last third", "ratio", "target", ""), body)
    yield ""
    if run.waited is not None:
        first, last = map(_share, run.waited)
        yield from _paragraph(
            "The threads of the server waited for their core, for each other and for other programs, for "
            f"{first} of the time in the first third and {last} in the last."
        )
    yield from wrap(_conditions(run), _WIDTH)


def _paragraph(text: str) -> Iterator[str]:
    yield from wrap(text, _WIDTH, break_on_hyphens=False)
    yield ""


def _conditions(run: Conditions) -> str:
    told = f"{run.at}, commit `{run.commit}`, at niceness {run.niceness}, after a load average of {run.busy:.1f}"
    if run.busy <= QUIET:
        return f"{told}."
    return (
        f"{told}: others worked on the machine at the same time. Rates are what was left to the server, and latencies "
        "have their share in them; alone it answers more, and sooner."
    )


def _share(value: float) -> str:
    return f"{value:.0%}"
