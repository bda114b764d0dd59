"""The proxies of deploy/proxies, run with the shipped configuration but for ports, folders and the address of DNS."""

import csv
import json
import signal
import socket
import subprocess
import threading
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Self

import grpc
from deploy.names import ADDRESS, PORT
from deploy.tools import DEPLOY, tool
from shinpan import Referee, ServiceError

_SECONDS_TO_START = 30
_ADMIN_PORT = 9901
"""Of Envoy's own pages, as shipped."""
_DRAIN_SECONDS = 5
_SECONDS_TO_END = 60
_SECOND = 10
"""By which the ports of the second proxy of a kind differ."""
_TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
"""Kinds of temporary files of nginx."""


Leave = Callable[[subprocess.Popen[bytes]], None]


class Proxy:
    """One proxy between clients and pods, in the `with` block."""

    def __init__(
        self, folder: Path, shipped: str, changes: Mapping[str, str], command: list[str], port: int, leave: Leave
    ) -> None:
        """`changes` of the shipped text, each of which must be there once; `command` gets the path of the result.

        `leave` is what its operator does to have it end without losing a call.
        """
        self.target = f"127.0.0.1:{port}"
        self._leave = leave
        self._output = folder / f"{shipped}.log"
        text = (DEPLOY / "proxies" / shipped).read_text()
        for old, new in changes.items():
            assert text.count(old) == 1, f"{shipped} has {old!r} {text.count(old)} times"
            text = text.replace(old, new)
        configuration = folder / shipped
        configuration.write_text(text)
        self._command = [*command, str(configuration)]

    def __enter__(self) -> Self:
        with self._output.open("w") as output:
            self._process = subprocess.Popen(self._command, stdout=output, stderr=subprocess.STDOUT)
        try:
            with Referee(self.target) as referee:
                until(lambda: _answers(referee), _SECONDS_TO_START, self.log)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(20)

    def leave(self) -> None:
        """End it without losing a call."""
        self._leave(self._process)
        self._process.wait(_SECONDS_TO_END)

    def log(self) -> str:
        """What it has written."""
        return self._output.read_text()


def until(true: Callable[[], bool], seconds: float, told: Callable[[], str]) -> None:
    """Ask until it is true; fails with what is told when it does not become so in time."""
    pause = threading.Event()
    deadline = monotonic() + seconds
    while not true():
        assert monotonic() < deadline, told()
        pause.wait(0.1)


def _answers(referee: Referee) -> bool:
    try:
        return bool(referee.games())
    except ServiceError as error:
        if error.code is not grpc.StatusCode.UNAVAILABLE:
            raise
        return False


def nginx(folder: Path, second: bool = False) -> Proxy:
    """nginx, which knows of pods what DNS says."""
    port = 50061 + second * _SECOND
    changes = {
        "resolver kube-dns.kube-system.svc.cluster.local": f"resolver {ADDRESS}",
        "listen 50051": f"listen 127.0.0.1:{port}",
        "pid /tmp/": f"pid {folder}/",
        **{f"{kind}_temp_path /tmp/": f"{kind}_temp_path {folder}/" for kind in _TEMPORARY},
    }
    command = [tool("nginx"), "-g", "daemon off; user root;", "-c"]
    return Proxy(folder, "nginx.conf", changes, command, port, lambda process: process.send_signal(signal.SIGQUIT))


def haproxy(folder: Path, second: bool = False) -> Proxy:
    """HAProxy, which asks pods for health as well."""
    port = 50062 + second * _SECOND
    changes = {
        "parse-resolv-conf": f"nameserver test {ADDRESS}:{PORT}",
        "bind :50051": f"bind 127.0.0.1:{port}",
        "maxconn 8192": f"maxconn 8192\n    stats socket {folder}/haproxy.sock",
    }
    command = [tool("haproxy"), "-db", "-f"]
    return Proxy(folder, "haproxy.cfg", changes, command, port, lambda process: process.send_signal(signal.SIGUSR1))


def envoy(folder: Path, second: bool = False) -> Proxy:
    """Envoy, which asks pods for health as well."""
    port, admin_port = 50063 + second * _SECOND, _ADMIN_PORT + second * _SECOND
    resolver = {
        "name": "envoy.network.dns_resolver.cares",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.network.dns_resolver.cares.v3.CaresDnsResolverConfig",
            "resolvers": [{"socket_address": {"address": ADDRESS, "port_value": PORT}}],
        },
    }
    changes = {
        "address: 0.0.0.0, port_value: 50051": f"address: 127.0.0.1, port_value: {port}",
        f"port_value: {_ADMIN_PORT}": f"port_value: {admin_port}",
        "dns_refresh_rate: 1s": f"dns_refresh_rate: 1s\n      typed_dns_resolver_config: {json.dumps(resolver)}",
    }
    flags = ["--concurrency", "1", "--disable-hot-restart", "--log-level", "warning"]
    command = [tool("envoy"), *flags, "--drain-time-s", str(_DRAIN_SECONDS), "-c"]

    def leave(process: subprocess.Popen[bytes]) -> None:
        urllib.request.urlopen(f"http://127.0.0.1:{admin_port}/drain_listeners?graceful", data=b"", timeout=5).close()
        threading.Event().wait(_DRAIN_SECONDS)  # what preStop waits for, too
        process.terminate()

    return Proxy(folder, "envoy.yaml", changes, command, port, leave)


Make = Callable[..., Proxy]
PROXIES: Mapping[str, Make] = {"nginx": nginx, "haproxy": haproxy, "envoy": envoy}


def left_out_by_haproxy(folder: Path) -> set[str]:
    """Addresses of pods that HAProxy has found not to be ready."""
    with socket.socket(socket.AF_UNIX) as asking:
        asking.connect(str(folder / "haproxy.sock"))
        asking.sendall(b"show stat\n")
        told = asking.makefile().read()
    rows = csv.DictReader(told.removeprefix("# ").splitlines())
    return {row["addr"].partition(":")[0] for row in rows if row["status"].startswith("DOWN")}


def left_out_by_envoy() -> set[str]:
    """Addresses of pods that Envoy has found not to be ready."""
    with urllib.request.urlopen(f"http://127.0.0.1:{_ADMIN_PORT}/clusters?format=json", timeout=5) as answer:
        (cluster,) = json.load(answer)["cluster_statuses"]
    return {
        host["address"]["socket_address"]["address"]
        for host in cluster["host_statuses"]
        if host["health_status"].get("failed_active_health_check")
    }
