"""The report: a function of the results, and true to them."""

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from load import markdown
from load.figures import figures
from load.results import Results, judged, measured
from load.stages import PARTS

pytest.importorskip("matplotlib", reason="matplotlib is not installed; `make bench` installs it")

from long_results import SAMPLES, capacity, runs, soak

from load import long_plots, long_runs, plots, report
from load.drift import Drift

ROOT = Path(__file__).resolve().parents[2]
LATEST = ROOT / "load/results/latest.json"


def results(transports: tuple[str, ...] = ("grpcio", "native")) -> Results:
    """Results of three rounds in which the figures, in the order of their list, are 1000, 1001, ... in each."""
    missing = {"grpcio", "native"} - set(transports)
    taken = {name: [1000.0 + place] * 3 for place, name in enumerate(figures()) if missing.isdisjoint(name.split("."))}
    taken |= {"stage.handler": [60.0] * 3, "service.grpcio.empty.per-core": [1e6 / 150] * 3}
    taken |= {f"stage.{part}": [5.0 + place] * 3 for place, part in enumerate(PARTS)}
    taken |= {"service.grpcio.sized.per-core": [1e6 / 160] * 3}
    taken |= {"service.grpcio.apply-updates.per-core": [1e6 / 225] * 3}
    return Results(
        at="2026-01-02T03:04:05+00:00", commit="0123456789ab", machine={"processor": "abacus", "cores": "2"},
        versions={"grpcio": "1.2.3"}, busy=0.25, rounds=3, load_seconds=1.2, figures=measured(taken),
        targets=judged(taken), unmeasured=dict.fromkeys(missing, "not installed"),
    )  # fmt: skip


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_parts_of_a_call_add_up() -> None:
    """150 for the transport, 10 for long messages; 60 in process, 5+6+7+8+9 = 35 of them told apart; 225 in all."""
    table = [cells(line) for line in markdown.breakdown(results(("grpcio",)))]
    values = [float(row[1]) for row in table[2:]]
    assert values == [150, 10, 5, 6, 7, 8, 9, 25, 5, 225]
    assert math.isclose(sum(values[:-1]), values[-1])


TABLES = (
    markdown.targets,
    markdown.games,
    markdown.calls,
    markdown.breakdown,
    markdown.sizes,
    markdown.latencies,
    markdown.sizing,
)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("transports", [("grpcio", "native"), ("grpcio",)])
def test_tables_have_as_many_cells_in_every_row(
    table: Callable[[Results], Iterator[str]], transports: tuple[str, ...]
) -> None:
    lines = list(table(results(transports)))
    assert len(lines) > 2
    assert len({len(cells(line)) for line in lines}) == 1


def test_calls_are_compared_with_the_empty_methods() -> None:
    """1e6 / 225 calls a second of CPU are two thirds of 1e6 / 150."""
    table = [cells(line) for line in markdown.calls(results(("grpcio",)))]
    row = next(row for row in table if row[0] == "grpcio: ApplyAction, two updates and legal actions")
    assert row[2:5] == ["4,440", "225", "0.667"]


def test_the_report_is_a_function_of_the_results() -> None:
    assert report.report(results(), runs()) == report.report(results(), runs())
    text = report.report(results(), runs())
    for told in ("2026-01-02T03:04:05+00:00", "`0123456789ab`", "processor abacus", "grpcio 1.2.3", "0.2", "3 rounds"):
        assert told in text
    for judged_target in results().targets.values():
        assert judged_target.promise in text


def test_what_was_not_measured_is_told() -> None:
    text = report.report(results(("grpcio",)), runs())
    assert "Not measured: native: not installed." in text
    assert text.count("| not measured |") == sum("native" in name for name in results().targets)
    assert "not measured" not in report.report(results(), runs())


@pytest.mark.parametrize("name", plots.PICTURES)
def test_pictures_are_the_same_each_time_and_tell_what_they_show(name: str) -> None:
    svg = plots.PICTURES[name](results())
    assert svg == plots.PICTURES[name](results())
    texts = " ".join(ET.fromstring(svg).itertext())
    told = {
        "games": ("luzhanqi-four", "cshogi, from Python", "plies for each second"),
        "latency": ("grpcio, empty, p50", "native, apply-updates, p99"),
        "batch": ("256", "us of server CPU an item"),
        "scaling": ("two processes", "batches, by the clock"),
    }
    for words in told[name]:
        assert words in texts


def test_pictures_change_with_the_results() -> None:
    other = results()
    figure = other.figures["scale.batches.two.rate"]
    slower = figure.model_copy(update={"values": (1.0, 1.0, 1.0)})
    other = other.model_copy(update={"figures": {**other.figures, "scale.batches.two.rate": slower}})
    assert plots.scaling(other) != plots.scaling(results())


def test_capacity_and_knee_are_told() -> None:
    table = [cells(line) for line in long_runs.capacity(capacity(wrong=2)) if line.startswith("| grpcio")]
    assert [row[:3] for row in table[:4]] == [
        ["grpcio, by its CPU", "2,500", ""],
        ["grpcio, knee", "1,000", "1,000"],
        ["grpcio, capacity", "2,000", "2,000"],
        ["grpcio, most", "2,500", "2,490"],
    ]
    assert table[4][:4] == ["grpcio, 3 min", "1,700", "306,000", "0"]
    assert table[4][-1] == "31 (2 wrong)"
    assert table[4][8] == "kept"


@pytest.mark.parametrize("missed", [{"refused": 1}, {"p99_ms": 25.1}])
def test_a_held_server_that_misses_the_objective_is_told(missed: dict[str, float]) -> None:
    found = capacity(**missed)
    held = [cells(line) for line in long_runs.capacity(found) if line.startswith("| grpcio, 3 min")]
    assert [row[8] for row in held] == ["NOT KEPT"]
    assert not found.met


def test_a_run_that_was_not_made_has_no_section() -> None:
    text = report.report(results(), report.LongRuns(None, None))
    assert "## Capacity" not in text
    assert "## Soak" not in text
    both = report.report(results(), runs())
    assert "## Capacity\n\n![Capacity](results/capacity.svg)" in both
    assert "## Soak\n\n![Soak](results/soak.svg)" in both


def test_a_drift_is_told() -> None:
    told = "\n".join(long_runs.soak(soak(drifts={"memory_mb": Drift(first=100, last=106, most=1.05)})))
    assert "| memory, MB | 100 | 106 | 1.060 | ≤ 1.05 | DRIFTS |" in told
    assert "30 minutes on grpcio at 300 calls a second, 30% of what a core answers: 10,000 calls" in told
    assert "at niceness 3" in told
    assert "others worked on the machine" not in told
    assert "others worked on the machine" in " ".join(" ".join(long_runs.soak(soak(busy=0.6))).split())
    assert "waited for their core" not in "\n".join(long_runs.soak(soak(waited=None)))
    assert "12% of the time in the first third and 43% in the last" in " ".join(told.split())


def test_pictures_of_long_runs_tell_what_they_show() -> None:
    texts = " ".join(ET.fromstring(long_plots.capacity(capacity())).itertext())
    assert "grpcio, p99" in texts
    assert "grpcio, capacity" in texts
    told = long_plots.soak(SAMPLES)
    assert told == long_plots.soak(SAMPLES)
    assert {"p50", "memory", "minutes", "MB"} <= set(ET.fromstring(told).itertext())


def test_tables_are_put_between_their_marks() -> None:
    page = "a\n<!-- breakdown -->\nold\n<!-- /breakdown -->\nb\n<!-- sizing -->\n<!-- /sizing -->\nc\n"
    written = report.with_tables(page, results())
    assert "old" not in written
    assert re.sub(r"-->\n.*?<!--", "--><!--", written, flags=re.DOTALL).startswith(
        "a\n<!-- breakdown --><!-- /breakdown"
    )
    assert written.endswith("<!-- /sizing -->\nc\n")
    assert report.with_tables(written, results()) == written


@pytest.mark.parametrize("page", ["", "<!-- breakdown -->", "<!-- /breakdown --><!-- breakdown -->"])
def test_a_page_without_a_place_for_a_table_is_refused(page: str) -> None:
    with pytest.raises(ValueError, match=r"docs/performance\.md has no place for the table 'breakdown'"):
        report.with_tables(page, results())


def test_what_is_committed_was_rendered_from_the_committed_results() -> None:
    latest = Results.model_validate_json(LATEST.read_text())
    assert (ROOT / "load/REPORT.md").read_text() == report.report(latest, report.long_runs_of(LATEST.parent))
    page = (ROOT / "docs/performance.md").read_text()
    assert page == report.with_tables(page, latest)
    runs = report.long_runs_of(LATEST.parent)
    made = [name for name, run in zip(runs._fields, runs, strict=True) if run is not None]
    for name in (*plots.PICTURES, *made):
        assert (LATEST.parent / f"{name}.svg").exists()


def test_committed_results_are_a_full_run() -> None:
    """Games that were added since may be missing."""
    latest = Results.model_validate_json(LATEST.read_text())
    assert latest.rounds >= 5
    assert set(latest.figures) <= set(figures())
    missing = set(latest.unmeasured)
    for name in figures():
        assert name in latest.figures or name.startswith("core.") or not missing.isdisjoint(name.split("."))
