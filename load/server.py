"""The server of the benchmarks: the real one, with an empty method beside its own.

Prints the address of the API as its only line and serves until its standard input closes.
"""

import sys
import threading

import grpc

from service.config import read_settings
from service.server import Server

EMPTY_METHOD = "/shinpan.bench.Empty/Call"


class _Empty(grpc.GenericRpcHandler):
    """A method that takes anything and answers nothing: what a call costs before it does something."""

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes] | None":
        if handler_call_details.method != EMPTY_METHOD:
            return None
        return grpc.unary_unary_rpc_method_handler(lambda _request, _context: b"")


def main() -> None:
    """Serve."""
    flags = "--grpc-port=0 --admin-port=0 --metrics-port=0 --access-log=false --max-connection-age-seconds=0"
    settings = read_settings(flags.split(), {})
    server = Server(settings, others=[_Empty()])
    print(server.start().grpc, flush=True)
    sys.stdin.read()
    hurry = threading.Event()
    hurry.set()
    server.stop(hurry)


if __name__ == "__main__":
    main()
