"""A real Prometheus with the rules of deploy/monitoring, which looks every second; and the questions one asks it."""

import json
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, Final, Self
from urllib.parse import urlencode
from urllib.request import urlopen

import yaml
from deploy.tools import DEPLOY, tool

MONITORING: Final = DEPLOY / "monitoring"
LIBRARIES: Final = Path("/usr/share/doc/prometheus/examples/console_libraries")
"""What console pages are made with, where Debian's package has it."""
PATIENCE_SECONDS: Final = 60.0


class Prometheus:
    """The program, with a folder for its data; a context manager. `targets` are metrics ports, `host:port`."""

    def __init__(self, folder: Path, targets: Sequence[str]) -> None:
        self._folder = folder
        self._targets = list(targets)
        self.url = ""

    def __enter__(self) -> Self:
        job = {"job_name": "shinpan", "static_configs": [{"targets": self._targets}]}
        settings = {
            "global": {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"},
            "rule_files": [str(MONITORING / "rules.yml")],
            "scrape_configs": [job],
        }
        path = self._folder / "prometheus.yml"
        path.write_text(yaml.safe_dump(settings))
        log = self._folder / "log"
        with log.open("wb") as file:
            self._process = subprocess.Popen(
                [
                    *(tool("prometheus"), f"--config.file={path}", f"--storage.tsdb.path={self._folder / 'data'}"),
                    *("--web.listen-address=127.0.0.1:0", f"--web.console.templates={MONITORING / 'consoles'}"),
                    f"--web.console.libraries={LIBRARIES}",
                ],
                stderr=file,
            )
        wait_until(lambda: "Server is ready" in log.read_text() or self._process.poll() is not None, "a start")
        found = re.search(r'"Listening on" address=(\S+)', log.read_text())
        assert found, log.read_text()
        self.url = f"http://{found[1]}"
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()

    def _ask(self, path: str, **parameters: str) -> Any:
        with urlopen(f"{self.url}/api/v1/{path}?{urlencode(parameters)}") as answer:
            return json.load(answer)["data"]

    def values(self, expression: str) -> list[float]:
        """The values of all series of an expression as they are now."""
        return [float(series["value"][1]) for series in self._ask("query", query=expression)["result"]]

    def shows(self, expression: str) -> bool:
        """Whether a series of it is above zero."""
        return any(value > 0 for value in self.values(expression))

    def rules(self) -> dict[str, dict[str, Any]]:
        """Every rule by its name, with what Prometheus thinks of it."""
        return {rule["name"]: rule for group in self._ask("rules")["groups"] for rule in group["rules"]}


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Ask until it holds; fails with `what` when that takes more than a minute."""
    deadline = monotonic() + PATIENCE_SECONDS
    while not condition():
        assert monotonic() < deadline, f"{what}: not within {PATIENCE_SECONDS:g} s"
