"""The server of the benchmarks: the real one, with methods that do nothing beside its own.

Prints the address of the API as its only line and serves until its standard input closes. Further
flags are settings of the server.
"""

import sys
import threading

from load.empty import EMPTY, SIZED, empty, sized
from service.config import read_settings
from service.server import Server


def main() -> None:
    """Serve."""
    flags = "--grpc-port=0 --admin-port=0 --metrics-port=0 --access-log=false --max-connection-age-seconds=0 "
    flags += "--max-waiting-calls=1000000"  # a queue shows in the latency; refusals would not
    settings = read_settings([*flags.split(), *sys.argv[1:]], {})
    server = Server(settings, others={EMPTY: empty, SIZED: sized})
    print(server.start().grpc, flush=True)
    sys.stdin.read()
    hurry = threading.Event()
    hurry.set()
    server.stop(hurry)


if __name__ == "__main__":
    main()
