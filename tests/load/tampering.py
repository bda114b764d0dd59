"""A proxy before a real server that, for some moves, has another legal move made than was asked for.

What it answers is the real server's: only who knows what was asked, and the rules, can tell that it is wrong.
"""

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Self

import grpc
from shinpan.v1 import referee_service_pb2, referee_service_pb2_grpc

from load.requests import APPLY_ACTION


class TamperingProxy(grpc.GenericRpcHandler):
    """Forwards every call; each `every`-th move becomes another one. With 0 all is forwarded as it is."""

    def __init__(self, server: str, every: int) -> None:
        self._every = every
        self._moves = count(1)
        self.tampered = 0
        """Moves that were changed."""
        self._channel = grpc.insecure_channel(server)
        self._referee = referee_service_pb2_grpc.RefereeServiceStub(self._channel)
        self._server = grpc.server(ThreadPoolExecutor(8), options=[("grpc.so_reuseport", 0)])
        self._server.add_generic_rpc_handlers((self,))
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop(None).wait()
        self._channel.close()

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes]":
        """A handler for any method."""
        path = handler_call_details.method
        forward: grpc.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(path)

        def handle(request: bytes, context: grpc.ServicerContext) -> bytes:
            try:
                return forward(self._changed(request) if path == APPLY_ACTION else request)
            except grpc.RpcError as error:
                context.abort(error.code(), error.details() or "")

        return grpc.unary_unary_rpc_method_handler(handle)

    def _changed(self, request: bytes) -> bytes:
        message = referee_service_pb2.ApplyActionRequest.FromString(request)
        if not self._every or not message.action.HasField("move") or next(self._moves) % self._every:
            return request
        asked = referee_service_pb2.ListLegalActionsRequest(state=message.state, seat=message.action.seat)
        moves = self._referee.ListLegalActions(asked).legal_actions.moves
        others = [move for move in moves if move != message.action.move.packed]
        if not others:
            return request
        self.tampered += 1
        message.action.move.packed = others[0]
        return message.SerializeToString()
