"""Locust as a process of its own, with one of the scenarios, and the history that it writes."""

import csv
import os
import subprocess
import sys
import time
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple, Self

from load.processes import Accounts
from load.scenarios.request_events import CALL, CHECK

LOCUSTFILE: Final = "load/locustfile.py"
_POLL_SECONDS: Final = 0.1
ROOT: Final = Path(__file__).parent.parent


class LocustProcess:
    """A run of a scenario; it ends by itself, and is ended when the block is left before. A context manager."""

    def __init__(self, scenario: str, address: str, flags: Sequence[str], core: int | None) -> None:
        self._command = [sys.executable, "-m", "locust", "-f", LOCUSTFILE, "--host", address, *flags]
        if core is not None:
            self._command = ["taskset", "--cpu-list", str(core), *self._command]
        self._environment = {**os.environ, "LOAD_SCENARIO": scenario}

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(self._command, cwd=ROOT, env=self._environment)
        self.accounts = Accounts(self._process.pid)
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.terminate()
        self._process.wait()

    def wait_for(self, file: Path) -> None:
        """Wait until it has made a file, which it does when its run begins; RuntimeError when it ends before."""
        while not file.exists():
            if self._process.poll() is not None:
                raise RuntimeError(f"{' '.join(self._command)} did not start; see above")
            time.sleep(_POLL_SECONDS)

    def end(self) -> int:
        """Have it end its run now; its exit code."""
        self._process.terminate()
        return self.wait()

    def wait(self) -> int:
        """Wait until it ends; its exit code, which is the verdict."""
        try:
            return self._process.wait()
        except KeyboardInterrupt:  # it has been interrupted, too, and judges before it ends
            return self._process.wait()


class Counts(NamedTuple):
    """What Locust had counted at one moment."""

    calls: int
    failed: int
    checks: int
    wrong: int
    """Checks that found a wrong answer."""


class History:
    """The counts of a run over time, from `NAME_stats_history.csv` of `--csv NAME --csv-full-history`."""

    def __init__(self, file: Path) -> None:
        counted: dict[float, dict[str, tuple[int, int]]] = {}
        with file.open(newline="") as lines:
            for row in csv.DictReader(lines):
                kinds = counted.setdefault(float(row["Timestamp"]), {CALL: (0, 0), CHECK: (0, 0)})
                if row["Type"] in kinds:
                    done, failed = kinds[row["Type"]]
                    kinds[row["Type"]] = (
                        done + int(row["Total Request Count"]), failed + int(row["Total Failure Count"])
                    )  # fmt: skip
        self._times = sorted(counted)
        self._counts = [Counts(*counted[time][CALL], *counted[time][CHECK]) for time in self._times]

    def at(self, time: float) -> Counts:
        """At a Unix time; before the beginning nothing, after the end everything."""
        place = bisect_right(self._times, time)
        return self._counts[place - 1] if place else Counts(0, 0, 0, 0)
