"""A plain grpcio server with an empty method and nothing else: the yardstick of transports.

Prints its address as its only line and serves until its standard input closes.
"""

import sys
from concurrent.futures import ThreadPoolExecutor

import grpc

from load.empty import EmptyMethod

THREADS = 4


def main() -> None:
    """Serve."""
    server = grpc.server(ThreadPoolExecutor(THREADS), handlers=[EmptyMethod()])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(f"127.0.0.1:{port}", flush=True)
    sys.stdin.read()
    server.stop(None).wait()


if __name__ == "__main__":
    main()
