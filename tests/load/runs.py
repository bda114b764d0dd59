"""Real runs of Locust, as a process of its own, since it patches the process that it is in."""

import csv
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]

ANYTHING = "failed_share = 0\np50_ms = 60000\np95_ms = 60000\np99_ms = 60000\ncalls_per_second = 0.1\nchecks = 1\n"
"""Thresholds that a slow machine keeps."""


def thresholds(folder: Path, scenario: str, table: str = ANYTHING) -> Path:
    """A file of thresholds for one scenario."""
    file = folder / "thresholds.toml"
    file.write_text(f"[{scenario}]\n{table}")
    return file


class Run(NamedTuple):
    """A run that has ended."""

    code: int
    said: str
    """On standard output and standard error."""
    folder: Path

    def counts(self) -> dict[tuple[str, str], tuple[int, int]]:
        """By type and name: how many there were, and how many of them failed."""
        entries = json.loads((self.folder / "stats.json").read_text())
        return {(one["method"], one["name"]): (one["num_requests"], one["num_failures"]) for one in entries}

    def users(self) -> list[tuple[float, int]]:
        """Unix times and the users that there were."""
        with (self.folder / "run_stats_history.csv").open(newline="") as lines:
            rows = [row for row in csv.DictReader(lines) if row["Name"] == "Aggregated"]
        return [(float(row["Timestamp"]), int(row["User Count"])) for row in rows]


def locust(scenario: str, address: str, folder: Path, limits: Path, flags: Sequence[str] = ()) -> Run:
    """Locust against an address."""
    command = [sys.executable, "-m", "locust", "-f", "load/locustfile.py", "--headless", f"--host={address}"]
    command += [f"--csv={folder / 'run'}", f"--json-file={folder / 'stats'}", *flags]
    return _run(command, {"LOAD_SCENARIO": scenario, "LOAD_THRESHOLDS": str(limits)}, folder)


def load_run(scenario: str, folder: Path, limits: Path, flags: Sequence[str] = ()) -> Run:
    """What `make load` runs: Locust against a server of its own."""
    command = [sys.executable, "-m", "load.run", scenario, f"--folder={folder}", *flags]
    return _run(command, {"LOAD_THRESHOLDS": str(limits)}, folder / scenario)


def _run(command: Sequence[str], environment: dict[str, str], folder: Path) -> Run:
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, check=False,
    )  # fmt: skip
    return Run(done.returncode, done.stdout, folder)
