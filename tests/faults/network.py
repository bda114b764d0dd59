"""A server in a network namespace of its own, beyond a pair of interfaces that lose what they are told to lose.

The namespace has no name and lasts as long as the server, and the interfaces and rules with it.
"""

import json
import os
import shutil
import subprocess
import sys
from typing import Final, Self

import pytest

HERE: Final = "10.89.79.1"
THERE: Final = "10.89.79.2"
PORTS: Final = {"grpc": 50051, "admin": 50052, "metrics": 9464}


class DistantServer:
    """The server; a context manager. Both directions lose the same share of packets."""

    def __init__(self, transport: str, *flags: str) -> None:
        """`flags` are of the server, besides those for its transport and ports."""
        for program in ("ip", "iptables", "nsenter", "unshare"):
            if os.geteuid() != 0 or shutil.which(program) is None:
                pytest.skip("needs root and the programs of `make debian-packages`, for a network namespace")
        self._flags = [f"--transport={transport}", *flags]
        self.address = f"{THERE}:{PORTS['grpc']}"
        self.metrics_url = f"http://{THERE}:{PORTS['metrics']}/metrics"

    def __enter__(self) -> Self:
        self._outside = f"shinpan{os.getpid() % 100_000}"
        ports = [f"--{name}-port={port}" for name, port in PORTS.items()]
        flags = ["--host=0.0.0.0", "--announce=json", "--access-log=false", *ports, *self._flags]
        self._process = subprocess.Popen(
            ["unshare", "--net", sys.executable, "-m", "service", *flags, "--unready-seconds=0", "--drain-seconds=0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        try:
            self._connect()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _connect(self) -> None:
        """Wait until the server listens, and lay the line to it."""
        assert self._process.stdout is not None
        json.loads(self._process.stdout.readline())
        pid = str(self._process.pid)
        run("ip", "link", "add", self._outside, "type", "veth", "peer", "name", "inside", "netns", pid)
        run("ip", "address", "add", f"{HERE}/30", "dev", self._outside)
        run("ip", "link", "set", self._outside, "up")
        self._inside("ip", "address", "add", f"{THERE}/30", "dev", "inside")
        self._inside("ip", "link", "set", "inside", "up")

    def _end(self) -> None:
        self._process.terminate()
        self._process.communicate()
        # The kernel takes its time to end the namespace; the next server needs the name and the address now.
        subprocess.run(["ip", "link", "delete", self._outside], capture_output=True, check=False)

    def forget(self, port: int) -> None:
        """Lose every packet to and from a port, and no other."""
        self._inside("iptables", "-A", "INPUT", "-p", "tcp", "--dport", str(port), "-j", "DROP")
        self._inside("iptables", "-A", "OUTPUT", "-p", "tcp", "--sport", str(port), "-j", "DROP")

    def lose(self, share: float) -> None:
        """Lose this share of the packets from now on, in each direction: 0 none, 1 all of them."""
        self._inside("iptables", "--flush")
        if share:
            often = ("-m", "statistic", "--mode", "random", "--probability", str(share)) if share < 1 else ()
            for chain in ("INPUT", "OUTPUT"):
                self._inside("iptables", "-A", chain, *often, "-j", "DROP")

    def lost(self) -> dict[str, int]:
        """How many packets have been lost to the server, INPUT, and from it, OUTPUT, since it was told what to lose."""
        found = {}
        for chain in ("INPUT", "OUTPUT"):
            rules = [line.split() for line in self._inside("iptables", "-nvx", "--list", chain).splitlines()]
            found[chain] = sum(int(rule[0]) for rule in rules if rule[2:3] == ["DROP"])
        return found

    def _inside(self, *command: str) -> str:
        return run("nsenter", "--net", f"--target={self._process.pid}", *command)


def run(*command: str) -> str:
    """Run a command that must succeed; what it prints."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr}"
    return done.stdout
