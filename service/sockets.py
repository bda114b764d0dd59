"""The sockets of this process: which of them listen on a port, and which are connections to it.

gRPC neither lets a server stop listening before it stops altogether, nor says how many connections it has. Both are
needed to stop without losing calls, so this asks the operating system. It works on Linux; elsewhere nothing is found.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

_DESCRIPTORS: Final = Path("/proc/self/fd")


def stop_listening(port: int) -> bool:
    """Refuse new connections to a port that this process listens on; False when it cannot be done."""
    found = False
    for one in _sockets(port):
        if one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            one.shutdown(socket.SHUT_RD)  # the descriptor stays as it is, its owner sees an error
            found = True
    return found


def connections(port: int) -> int:
    """How many connections to a port this process holds open."""
    return sum(not one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN) for one in _sockets(port))


def _sockets(port: int) -> Iterator[socket.socket]:
    """Copies of the TCP sockets whose local port it is, each closed after its turn."""
    if not _DESCRIPTORS.is_dir():
        return
    for name in os.listdir(_DESCRIPTORS):
        with suppress(OSError):  # gone since it was listed
            if not os.readlink(_DESCRIPTORS / name).startswith("socket:"):
                continue
            with closing(socket.socket(fileno=os.dup(int(name)))) as one:
                if one.family in (socket.AF_INET, socket.AF_INET6) and one.getsockname()[1] == port:
                    yield one
