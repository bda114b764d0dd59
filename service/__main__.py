"""`python -m service`: serve until SIGTERM, which drains, or SIGINT or a second SIGTERM, which do not wait.

SIGHUP has it read its keys, callers and certificates again.
"""

import os

os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # read on import; the core's own log lines are not JSON

import json
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import engine_core
from engine_core.errors import RulesetError
from service import logs
from service.config import Settings, read_settings
from service.reload import SettingsFileError
from service.server import Addresses, PortTakenError, Server


def announce(settings: Settings, addresses: Addresses) -> None:
    """Print what listens where."""
    if settings.announce == "json":
        print(json.dumps(addresses._asdict()), flush=True)
        return
    secure = bool(settings.tls_certificate_file)
    scheme = "grpcs" if secure else "grpc"
    print(f"API      {scheme}://{addresses.grpc}  shinpan.v1.RefereeService, shinpan.v1.AnalysisService")
    print(f"admin    grpc://{addresses.admin}  health (liveness, readiness), reflection, channelz")
    print(f"metrics  http://{addresses.metrics}/metrics", flush=True)
    if secure or settings.access_file:  # what it takes to call this server is not ours to print
        return
    beside = Path(sys.executable).parent / "buf"
    buf = os.path.relpath(beside) if beside.exists() else "buf"
    print(
        f"try it   {buf} curl --http2-prior-knowledge --protocol grpc --schema proto/released.binpb"
        f" -d '{{}}' http://{addresses.grpc}/shinpan.v1.RefereeService/ListGames",
        flush=True,
    )


def signals() -> socket.socket:
    """A socket from which the numbers of SIGTERM, SIGINT and SIGHUP can be read, a byte each, as they arrive.

    Handlers that set a `threading.Event` could find its lock held by the very thread that they interrupt.
    """
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    signal.set_wakeup_fd(writer.detach())
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    return reader


def main(arguments: Sequence[str]) -> int:
    """Serve; the exit code: 0 after a signal, 1 when a port is taken or a file is wrong."""
    settings = read_settings(arguments, os.environ)
    logs.configure()
    if settings.rulesets:
        try:
            engine_core.add_rulesets(settings.rulesets)
        except RulesetError as error:
            print(error, file=sys.stderr)
            return 1
    arriving = signals()
    try:
        server = Server(settings)
        addresses = server.start()
    except (PortTakenError, SettingsFileError) as error:
        print(f"python -m service: {error}", file=sys.stderr)
        return 1
    announce(settings, addresses)
    hurry = threading.Event()

    def ending() -> int:
        """Wait for a signal that ends the server, and meanwhile reload on those that ask for it."""
        while (number := arriving.recv(1)[0]) == signal.SIGHUP:
            server.reload()
        return number

    if ending() == signal.SIGINT:
        hurry.set()

    def hurry_on_another() -> None:
        ending()
        hurry.set()

    threading.Thread(target=hurry_on_another, daemon=True).start()
    server.stop(hurry)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
