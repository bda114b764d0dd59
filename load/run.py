"""A load test against a fresh server, which ends with it: Locust without a browser, or with its page.

Further flags are Locust's, those of load/locustfile.py among them. What it writes is kept: report.html, stats.json and
its CSV files, in load/results/runs/SCENARIO.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from load.locust_process import LocustProcess
from load.processes import load_core, server_core
from load.scenarios import thresholds
from load.servers import REAL_LIMITS, TRANSPORTS, server

RUNS: Final = Path(__file__).parent / "results" / "runs"


def flags(chosen: argparse.Namespace, folder: Path) -> Sequence[str]:
    """How Locust is started."""
    given = [f"--users={chosen.users}", f"--spawn-rate={chosen.users}", f"--think-seconds={chosen.think_seconds:g}"]
    given += [f"--html={folder / 'report.html'}", f"--csv={folder / 'run'}", f"--json-file={folder / 'stats'}"]
    if chosen.ui:
        return (*given, "--web-host=127.0.0.1", f"--web-port={chosen.ui_port}")
    return (*given, "--headless", f"--run-time={chosen.seconds}s")


def main() -> int:
    """Run from the command line; Locust's exit code."""
    parser = argparse.ArgumentParser(prog="python -m load.run", description=__doc__)
    parser.add_argument("scenario", nargs="?", choices=thresholds.read(), default="match")
    parser.add_argument("--users", type=int, default=20, help="at once, but for spike (default: %(default)d)")
    parser.add_argument("--seconds", type=int, default=30, help="how long, but for spike (default: %(default)d)")
    parser.add_argument("--think-seconds", type=float, default=0.1, help="mean before an action (default: %(default)g)")
    parser.add_argument("--transport", choices=TRANSPORTS, default=TRANSPORTS[0])
    parser.add_argument("--ui", action="store_true", help="Locust's page in a browser; it starts and stops runs")
    parser.add_argument("--ui-port", type=int, default=8089, help="(default: %(default)d)")
    parser.add_argument("--folder", type=Path, default=RUNS, help="where results are kept (default: %(default)s)")
    chosen, further = parser.parse_known_args()
    folder: Path = chosen.folder / chosen.scenario
    folder.mkdir(parents=True, exist_ok=True)
    with server(chosen.transport, server_core(), REAL_LIMITS) as one:
        print(f"A server listens on {one.address}; results go to {folder}.", file=sys.stderr, flush=True)
        with LocustProcess(chosen.scenario, one.address, (*flags(chosen, folder), *further), load_core()) as locust:
            return locust.wait()


if __name__ == "__main__":
    sys.exit(main())
