"""The sockets of this process: which of them listen on a port, which are connections to it, and what those hold.

No transport lets a server stop listening before it stops altogether, or says how many connections it has. Both are
needed to stop without losing calls, so this asks the operating system. It works on Linux; elsewhere nothing is found.
"""

import fcntl
import os
import socket
import sys
import termios
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
    return sum(1 for _ in _connections(port))


def unsent_bytes(port: int) -> int:
    """How many bytes on the connections to a port their clients have not acknowledged yet."""
    sizes = (fcntl.ioctl(one, termios.TIOCOUTQ, bytes(4)) for one in _connections(port))
    return sum(int.from_bytes(size, sys.byteorder) for size in sizes)


def _connections(port: int) -> Iterator[socket.socket]:
    """Those that have a peer; one that has stopped listening has none."""
    for one in _sockets(port):
        with suppress(OSError):
            one.getpeername()
            yield one


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
