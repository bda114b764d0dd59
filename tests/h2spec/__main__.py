"""`make h2spec`: h2spec, which checks servers against the RFCs of HTTP/2 and HPACK, run against each transport.

For the native transport the cases that fail are known, and any other one fails the run. grpcio answers requests that
are not gRPC with a reset, or not at all, which is what most cases send: for it they are only counted.
"""

import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from service.process import ServerProcess

PATH = "/shinpan.v1.RefereeService/ListGames"
"""A method that waits for its request: what is answered early ends before the error that a case makes."""
KNOWN = frozenset(
    {
        # An error of gRPC is headers alone, where these want data as well.
        "generic/2: Sends a WINDOW_UPDATE frame on half-closed (remote) stream",
        "generic/2: Sends a PRIORITY frame on half-closed (remote) stream",
        # The connection is reset, where this wants it closed.
        "http2/3.5: Sends invalid connection preface",
        # Each of these streams is whole and has been answered before the next, so that the limit is never exceeded.
        "http2/5.1.2: Sends HEADERS frames that causes their advertised concurrent stream limit to be exceeded",
    }
)


def run(h2spec: str, transport: str) -> tuple[int, set[str]]:
    """How many cases have run, and which have failed."""
    with tempfile.TemporaryDirectory() as folder, ServerProcess(transport=transport, access_log=False) as server:
        host, _, port = server.address.rpartition(":")
        report = Path(folder) / "report.xml"
        subprocess.run(
            [
                *(h2spec, "--host", host, "--port", port, "--path", PATH),
                *("--timeout", "1", "--junit-report", str(report)),
            ],
            stdout=subprocess.DEVNULL,
            check=False,
        )
        cases = list(ElementTree.parse(report).iter("testcase"))
    failed = {
        f"{case.attrib['package']}: {case.attrib['classname']}"
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    }
    return len(cases), failed


def main(h2spec: str) -> int:
    """Print what fails; 1 when it is something new."""
    status = 0
    for transport in ("native", "grpcio"):
        count, failed = run(h2spec, transport)
        print(f"{transport}: {count} cases, {len(failed)} of them fail")
        for name in sorted(failed) if transport == "native" else ():
            print(f"  {'known' if name in KNOWN else 'NEW'}  {name}")
        if transport == "native" and not failed <= KNOWN:
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
