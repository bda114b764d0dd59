"""Every figure is really measured, under its stable name, and kept as JSON."""

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
from loading import needs_h2load

from load.figures import figures
from load.results import Results
from load.servers import TRANSPORTS, installed_transports
from load.targets import TARGETS

pytest.importorskip("cshogi", reason="the yardsticks are not installed; `make bench` installs them")
pytest.importorskip("chess", reason="the yardsticks are not installed; `make bench` installs them")
pytest.importorskip("pyspiel", reason="the yardsticks are not installed; `make bench` installs them")

ROOT = Path(__file__).resolve().parents[2]

SUITES = {
    "core": ("core.", "yardstick."),
    "service": ("stage.", "service.", "latency."),
    "batch": ("batch.",),
    "scale": ("scale.", "memory."),
}
"""The first words of the names that each suite measures."""


def bench(*arguments: str, path: str = os.environ["PATH"]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "load.bench", *arguments]
    environment = {**os.environ, "PATH": path}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_every_figure_belongs_to_a_suite() -> None:
    assert all(sum(name.startswith(words) for words in SUITES.values()) == 1 for name in figures())


@needs_h2load
@pytest.mark.parametrize(
    "suite", [pytest.param(suite, marks=[] if suite == "core" else [pytest.mark.slow]) for suite in SUITES]
)
def test_a_suite_measures_all_its_figures(suite: str, tmp_path: Path) -> None:
    file = tmp_path / "results" / "run.json"
    done = bench(suite, "--quick", f"--json={file}")
    assert done.returncode == 0, done.stderr
    results = Results.model_validate_json(file.read_text())
    missing = set(TRANSPORTS) - set(installed_transports())
    wanted = {name for name in figures() if name.startswith(SUITES[suite]) and missing.isdisjoint(name.split("."))}
    assert set(results.figures) == wanted
    assert list(results.figures) == [name for name in figures() if name in wanted]
    for name, figure in results.figures.items():
        assert all(math.isfinite(value) and value > 0 for value in figure.values), name
        assert name in done.stdout
    assert set(results.unmeasured) == missing
    for target in TARGETS:
        judged = results.targets[target.name]
        assert (judged.met is not None) == (set(target.figures()) <= wanted), target.name
        assert f" {target.name} " in done.stdout


def test_without_h2load_nothing_is_measured_and_the_package_is_named() -> None:
    done = bench("service", "--quick", path=os.devnull)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        "load.bench: h2load is not installed: it makes the load for the service's figures. On Debian and Ubuntu: "
        "apt-get install nghttp2-client"
    ]


def test_no_rounds_are_refused() -> None:
    done = bench("core", "--rounds=0")
    assert done.returncode == 2
    assert "--rounds=0: there has to be one round at least" in done.stderr
