"""What was measured on, and with what: the machine, the versions and the commit."""

import os
import platform
import subprocess
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from load import h2load

_PACKAGES: Final = (
    "shinpan-server",
    "Cython",
    "grpcio",
    "protobuf",
    "pygrpc-native",
    "prometheus-client",
    "cshogi",
    "chess",
    "open_spiel",
)
_ROOT: Final = Path(__file__).parent.parent


def machine() -> dict[str, str]:
    """Processor, cores that may be used, memory, and system."""
    models = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "processor": models[0].partition(":")[2].strip() if models else platform.machine(),
        "cores": str(len(os.sched_getaffinity(0))),
        "memory": f"{pages / 2**30:.0f} GiB",
        "system": f"{platform.system()} {platform.release()}",
    }


def versions() -> dict[str, str]:
    """Of Python, of the packages that matter, and of h2load; those that are not installed are left out."""
    found = {"Python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    with suppress(h2load.H2LoadMissing):
        found["h2load"] = h2load.version().removeprefix("h2load ")
    return found


def commit() -> str:
    """The commit of the tree, with `+` when files differ from it; `unknown` outside of git."""
    try:
        head = _git("rev-parse", "--short=12", "HEAD")
        changed = _git("status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return head + ("+" if changed else "")


def _git(*arguments: str) -> str:
    command = ("git", "-C", str(_ROOT), *arguments)
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def busy() -> float:
    """Programs that wanted a core at once in the last minute, on average: what of it is not ours disturbs."""
    return os.getloadavg()[0]
