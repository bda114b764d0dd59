"""Servers in processes of their own, bound to a core, and what the kernel says of them."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

TICK_SECONDS: Final = 1 / os.sysconf("SC_CLK_TCK")
"""What the kernel's accounts of CPU are accurate to."""
_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")


def server_core() -> int | None:
    """The core that servers are bound to; None on a machine of one."""
    cores = sorted(os.sched_getaffinity(0))
    return cores[0] if len(cores) > 1 else None


def load_core() -> int | None:
    """The core that load comes from: another one than the servers'; None on a machine of one."""
    cores = sorted(os.sched_getaffinity(0))
    return cores[1] if len(cores) > 1 else None


class Accounts:
    """What the kernel says of a process."""

    def __init__(self, pid: int) -> None:
        self._pid = pid

    def cpu_seconds(self) -> float:
        """CPU that it has used, in user and kernel mode, all threads; accurate to a tick."""
        fields = Path(f"/proc/{self._pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * TICK_SECONDS

    def waited_seconds(self) -> float:
        """Time that its threads could have run and waited for a core: for each other, and for other programs."""
        waited = 0
        for thread in Path(f"/proc/{self._pid}/task").iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):  # it has ended since
                waited += int((thread / "schedstat").read_text().split()[1])
        return waited / 1e9

    def resident_bytes(self) -> int:
        """Memory that it holds."""
        return int(Path(f"/proc/{self._pid}/statm").read_text().split()[1]) * _PAGE_BYTES


class ServerProcess:
    """A module that serves: it prints its address and stops when its standard input closes. A context manager."""

    def __init__(self, module: str, *arguments: str, core: int | None) -> None:
        self._command = [sys.executable, "-m", module, *arguments]
        if core is not None:
            self._command = ["taskset", "--cpu-list", str(core), *self._command]

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # an interrupt from the terminal is not for it: its input closes when all is done
            env={"GRPC_VERBOSITY": "NONE", **os.environ},
        )
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip()
        """Where it answers, as `host:port`."""
        if not self.address:
            self._process.wait()
            raise RuntimeError(f"{' '.join(self._command)} did not start; see above")
        self.accounts = Accounts(self._process.pid)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
