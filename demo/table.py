"""A Shinpan server and the example backend of clients/examples/table, both on free loopback ports, until Ctrl-C.

python -m demo.table                  print where the page is, and wait
python -m demo.table COMMAND ...      run a command with the address in TABLE_URL instead, and end with its status
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

from service.process import ServerProcess

BACKEND: Final = Path(__file__).parents[1] / "clients/examples/table/dist/main.js"
STOP_TIMEOUT_SECONDS: Final = 30.0


class TableProcess:
    """`node dist/main.js`: entering it starts the process and returns once it listens, leaving it stops the process."""

    def __init__(
        self, server: str, database: Path, *, port: int = 0, environment: Mapping[str, str] | None = None
    ) -> None:
        """`server` is where Shinpan listens, `database` the file of matches; port 0 takes a free one."""
        settings = {"SHINPAN_ADDRESS": server, "TABLE_DATABASE": str(database), "TABLE_PORT": str(port)}
        self._environment = {**os.environ, **settings, **(environment or {})}
        self.url = ""
        """Where the page is, without a slash at the end."""

    def start(self) -> None:
        """Start the process and wait until it listens; RuntimeError when it ends instead."""
        self.process = subprocess.Popen(["node", str(BACKEND)], stdout=subprocess.PIPE, env=self._environment)
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        if not line:
            raise RuntimeError(f"the backend did not start; its exit code is {self.process.wait()}")
        self.url = line.rpartition(" ")[2].strip().rstrip("/")

    def stop(self) -> int:
        """Ask the process to stop if it runs, and wait; its exit code."""
        if self.process.poll() is None:
            self.process.terminate()
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


def main(command: list[str]) -> int:
    """Start both, wait or run the command, and stop both."""
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            ServerProcess() as server,
            TableProcess(server.address, Path(folder) / "table.sqlite") as table,
        ):
            if command:
                return subprocess.run(command, env={**os.environ, "TABLE_URL": table.url}, check=False).returncode
            print(f"The table is at {table.url}/ and Shinpan at {server.address}; Ctrl-C stops both.", flush=True)
            return table.process.wait()
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
