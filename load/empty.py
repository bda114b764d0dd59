"""A method that takes anything and answers nothing: what a call costs before it does something."""

from typing import Final

import grpc

EMPTY: Final = "/shinpan.bench.Empty/Call"
"""Its path, on every server of the benchmarks."""


def empty(_request: bytes, _context: object) -> bytes:
    """The method."""
    return b""


class EmptyMethod(grpc.GenericRpcHandler):
    """The method, for a server of grpcio to take among its handlers."""

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes] | None":
        """The handler, when it is called by its path."""
        if handler_call_details.method != EMPTY:
            return None
        return grpc.unary_unary_rpc_method_handler(empty)
