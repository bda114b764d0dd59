"""The servers that are loaded, one for each transport that is installed, and the plain one."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from typing import Final

from load.processes import ServerProcess, server_core

TRANSPORTS: Final = ("grpcio", "native")
"""The transports of the server, by the values of its setting."""

REAL_LIMITS: Final = "--max-waiting-calls=256"
"""The flag that has a server of load tests refuse calls as one in use does."""

NATIVE_MISSING: Final = "pygrpc-native is not installed: pip install 'shinpan-server[fast]'"
_NATIVE_MODULE: Final = "pygrpc_native"


def installed_transports() -> tuple[str, ...]:
    """The transports that can be measured here."""
    return TRANSPORTS if find_spec(_NATIVE_MODULE) else TRANSPORTS[:1]


def server(transport: str, core: int | None, *flags: str) -> ServerProcess:
    """Our server with one of its transports, not yet started; `flags` are settings besides."""
    chosen = () if transport == "grpcio" else ("--transport", transport)
    return ServerProcess("load.server", *chosen, *flags, core=core)


@contextmanager
def running() -> Iterator[Mapping[str, ServerProcess]]:
    """A server for each installed transport and a `plain` one, all bound to one core; idle ones cost nothing."""
    core = server_core()
    with ExitStack() as stack:
        servers = {name: stack.enter_context(server(name, core)) for name in installed_transports()}
        servers["plain"] = stack.enter_context(ServerProcess("load.plain_server", core=core))
        yield servers
