"""A server as a child process, on free loopback ports: for demonstrations, tests and load."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from typing import IO, Self

STOP_TIMEOUT_SECONDS = 60.0


class ServerProcess:
    """`python -m service` with the given settings, by their names in `service.config.Settings`.

    Entering it starts the process and returns once it listens; leaving it stops the process and waits for its end.
    Settings that are not given are the defaults, but for the ports, which are free ones, and no time to drain.
    """

    def __init__(
        self, *, log: IO[bytes] | None = None, environment: Mapping[str, str] | None = None, **settings: str | float
    ) -> None:
        """`environment` are variables besides those of this process; `log` is where its standard error goes."""
        self._log = log
        self._environment = {**os.environ, **(environment or {})}
        self._settings: Mapping[str, str | float] = {
            "grpc_port": 0, "admin_port": 0, "metrics_port": 0, "unready_seconds": 0,
            "drain_seconds": 0, **settings, "announce": "json",
        }  # fmt: skip
        self.address = ""
        """`host:port` of the API."""
        self.admin_address = ""
        """`host:port` of health, reflection and channelz."""
        self.metrics_url = ""
        """The URL to scrape."""

    def start(self) -> None:
        """Start the process and wait until it listens; RuntimeError when it ends instead."""
        flags = [f"--{name.replace('_', '-')}={value}" for name, value in self._settings.items()]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "service", *flags],
            stdout=subprocess.PIPE,
            stderr=self._log or subprocess.DEVNULL,
            env=self._environment,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the server did not start; its exit code is {self.process.wait()}")
        addresses: dict[str, str] = json.loads(line)
        self.address = addresses["grpc"]
        self.admin_address = addresses["admin"]
        self.metrics_url = f"http://{addresses['metrics']}/metrics"

    def reload(self) -> None:
        """Have the process read its keys, callers and certificates again."""
        self.process.send_signal(signal.SIGHUP)

    def terminate(self) -> None:
        """Ask the process to stop."""
        self.process.send_signal(signal.SIGTERM)

    def stop(self) -> int:
        """Ask the process to stop if it runs, and wait; its exit code."""
        if self.process.poll() is None:
            self.terminate()
        try:
            code = self.process.wait(STOP_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
