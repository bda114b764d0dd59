"""Methods that do nothing: what a call costs before it does something, and what the length of its messages costs."""

from typing import Final

import grpc

EMPTY: Final = "/shinpan.bench.Empty/Call"
"""The path of the one that answers nothing, on every server of the benchmarks."""

SIZED: Final = "/shinpan.bench.Sized/Call"
"""The path of the one that answers so many bytes, on our server."""

_COUNT_BYTES: Final = 4


def empty(_request: bytes, _context: object) -> bytes:
    """Answer nothing to anything."""
    return b""


def sized(request: bytes, _context: object) -> bytes:
    """Answer as many zeros as the last bytes of the request say."""
    return bytes(int.from_bytes(request[-_COUNT_BYTES:], "little"))


def sized_like(request: bytes, answer: bytes) -> bytes:
    """A request of `sized` that is as long as another one, and asks for as long an answer."""
    return request[:-_COUNT_BYTES] + len(answer).to_bytes(_COUNT_BYTES, "little")


class EmptyMethod(grpc.GenericRpcHandler):
    """The method that answers nothing, for a server of grpcio to take among its handlers."""

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes] | None":
        """The handler, when it is called by its path."""
        if handler_call_details.method != EMPTY:
            return None
        return grpc.unary_unary_rpc_method_handler(empty)
