"""Writes the report from the JSON of a run of everything and of the runs of minutes beside it: load/REPORT.md, its
pictures, and the tables of docs/performance.md. All of it is a function of these files.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from load import capacity_results, long_plots, long_runs, markdown, plots, soak_results
from load.capacity_results import Capacity
from load.results import Results
from load.samples import Sample
from load.soak_results import Soak

_ROOT: Final = Path(__file__).parent.parent
_FOLDER: Final = "load/results"
PERFORMANCE: Final = "docs/performance.md"
_TABLES: Final = {"breakdown": markdown.breakdown, "sizing": markdown.sizing}
"""The tables of docs/performance.md, by the names of their marks."""


class LongRuns(NamedTuple):
    """The runs of minutes; None for one that has not been made."""

    capacity: Capacity | None
    soak: tuple[Soak, Sequence[Sample]] | None


def long_runs_of(folder: Path) -> LongRuns:
    """Those whose results a folder has."""
    capacity = capacity_results.read(folder) if (folder / capacity_results.SUMMARY).exists() else None
    return LongRuns(capacity, soak_results.read(folder) if (folder / soak_results.SUMMARY).exists() else None)


def report(results: Results, runs: LongRuns) -> str:
    """The text of load/REPORT.md."""
    return "\n".join(_lines(results, runs)) + "\n"


def _lines(results: Results, runs: LongRuns) -> Iterator[str]:
    yield "# What was measured"
    yield ""
    yield f"{results.at}, commit `{results.commit}`. `make report` measures anew and writes this page."
    yield f"Raw figures are in [results]({Path(_FOLDER).name}/latest.json). Capacity and soak have runs of their own:"
    yield "`make capacity` writes capacity.json and hold-*.csv, `make soak` soak.json and soak.csv."
    yield ""
    yield "## Targets"
    yield ""
    yield "Ratios within one run; those in bold must be met."
    yield ""
    yield from markdown.targets(results)
    if results.unmeasured:
        yield ""
        yield from (f"Not measured: {what}: {why}." for what, why in results.unmeasured.items())
    yield from _method(results)
    yield from _section("The engine", "games", markdown.games(results))
    yield from _section("Calls", None, markdown.calls(results))
    yield ""
    yield "Where the CPU of an ApplyAction call goes:"
    yield ""
    yield from markdown.breakdown(results)
    yield from _section("Latency against load", "latency", markdown.latencies(results))
    yield from _section("Batches", "batch", markdown.sizes(results))
    yield from _section("Scaling and memory", "scaling", markdown.sizing(results))
    if runs.capacity is not None:
        yield from _section("Capacity", "capacity", long_runs.capacity(runs.capacity))
    if runs.soak is not None:
        yield from _section("Soak", "soak", long_runs.soak(runs.soak[0]))


def _section(title: str, picture: str | None, table: Iterator[str]) -> Iterator[str]:
    yield from ("", f"## {title}", "")
    if picture is not None:
        yield from (f"![{title}]({Path(_FOLDER).name}/{picture}.svg)", "")
    yield from table


_METHOD: Final = """
- {rounds} rounds after one that warms up; in each, ours and the yardsticks take turns. A ratio is taken within each
  round; shown are medians and ranges over the rounds.
- In process, rates are for each second of CPU of one thread, but for two threads against one, which is by the clock.
  Yardsticks are driven from Python, as their users drive them.
- A server is bound to one core and h2load to another: {load_seconds:g} s a measurement, 8 connections with 8 calls at a
  time. Where h2load or a neighbour limits the rate by the clock, it says little; calls for each second of the server's
  CPU, as /proc has it, decide.
- Beside the empty method stands one whose messages are as long as those of ApplyAction with updates, and which does
  nothing else: what the transport takes for their length. The targets are against the empty method.
- h2load does not read grpc-status. A real client checks a sample of each method's answers, and every load has to have
  received exactly the bytes of messages that right answers have.
- Each load repeats one ApplyAction request of a match of hidden-capture-flag under way; the service keeps no states.
  Batches hold 64 different matches. There are no access log, no keys and no TLS, and no call is refused for overload.
- Latency: an open loop at stated rates, sent evenly in steps of a millisecond, by h2load's log; the first fifth of each
  run does not count. The rate that saturates the server is measured just before.
- Scaling: two processes, each bound to one of the cores, behind a Python client with round_robin, which shares those
  cores: batches of 64, which cost a client little, by the clock; single calls by the CPU of the busiest process.
- Memory: resident, after 100,000 requests to warm up and after a million more, most of them in batches,
  four calls at a time; measured once.
"""


def _method(results: Results) -> Iterator[str]:
    yield from ("", "## Machine and method", "")
    machine = ", ".join(f"{what} {value}" for what, value in results.machine.items())
    versions = ", ".join(f"{package} {version}" for package, version in results.versions.items())
    yield f"- Machine: {machine}. Load average before: {results.busy:.1f}; what of it was not ours disturbed."
    yield f"- Versions: {versions}."
    yield _METHOD.format(rounds=results.rounds, load_seconds=results.load_seconds).strip()


def with_tables(page: str, results: Results) -> str:
    """docs/performance.md with its tables written anew; ValueError when it lacks the marks of one."""
    for name, table in _TABLES.items():
        opening, closing = f"<!-- {name} -->", f"<!-- /{name} -->"
        before, opened, rest = page.partition(opening)
        _, closed, after = rest.partition(closing)
        if not (opened and closed):
            raise ValueError(f"{PERFORMANCE} has no place for the table {name!r}: {opening} and, after it, {closing}")
        page = "\n".join((before + opening, "", *table(results), "", closing + after))
    return page


def write(results: Results, root: Path = _ROOT) -> None:
    """Write everything below a root, whose runs of minutes are reported, too."""
    runs = long_runs_of(root / _FOLDER)
    (root / "load" / "REPORT.md").write_text(report(results, runs))
    if runs.capacity is not None:
        (root / _FOLDER / "capacity.svg").write_text(long_plots.capacity(runs.capacity))
    if runs.soak is not None:
        (root / _FOLDER / "soak.svg").write_text(long_plots.soak(runs.soak[1]))
    for name, picture in plots.PICTURES.items():
        (root / _FOLDER / f"{name}.svg").write_text(picture(results))
    page = root / PERFORMANCE
    page.write_text(with_tables(page.read_text(), results))


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m load.report", description=__doc__)
    parser.add_argument("results", type=Path, help="what `python -m load.bench all --json FILE` wrote")
    write(Results.model_validate_json(parser.parse_args().results.read_text()))


if __name__ == "__main__":
    main()
