"""h2load of nghttp2 as the generator of load: real HTTP/2 with length-prefixed gRPC messages, cheap beside any server.

It counts HTTP statuses, not gRPC's. So every run also has to have received as many bytes of messages as right answers
have; whoever loads a method looks at a sample of its answers with a real client first.
"""

import re
import resource
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from math import ceil
from pathlib import Path
from typing import Final, NamedTuple

PREFIX_BYTES: Final = 5
"""Of a gRPC message: whether it is compressed, and its length."""

_MISSING: Final = (
    "h2load is not installed: it makes the load for the service's figures. On Debian and Ubuntu: "
    "apt-get install nghttp2-client"
)
_FINISHED: Final = re.compile(r"^finished in ([0-9.]+)(us|ms|s|m|h), ", re.MULTILINE)
_REQUESTS: Final = re.compile(r"^requests: .* (\d+) succeeded, ", re.MULTILINE)
_DATA: Final = re.compile(r"\((\d+)\) data$", re.MULTILINE)
_UNITS: Final = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}


GAP_MS: Final = 25
"""Milliseconds between two requests of one connection of an open loop."""


class H2LoadMissing(RuntimeError):
    """h2load is not installed."""

    def __init__(self) -> None:
        super().__init__(_MISSING)


class LoadFailed(RuntimeError):
    """Not every request of a load was answered as it should be."""


class NotAllAnswered(LoadFailed):
    """Some requests were refused, or got another answer."""


class Load(NamedTuple):
    """What came of a load."""

    requests: int
    seconds: float

    @property
    def rate(self) -> float:
        """Requests a second by the clock."""
        return self.requests / self.seconds


class Offered(NamedTuple):
    """What came of requests that were sent at a rate, whatever came back."""

    requests: int
    answered: int
    """Those that got as many bytes as the right answer has; the rest were refused."""
    seconds: float
    cpu_seconds: float
    """That h2load used; the whole of the time when it was the limit."""
    rows: list[tuple[int, int]]
    """When each was sent and how long it took, in microseconds, in the order of sending."""


class Call(NamedTuple):
    """What is sent: always the same request, whose right answer is known."""

    address: str
    path: str
    request: bytes
    answer: bytes


def program() -> str:
    """Where h2load is; H2LoadMissing when it is not."""
    found = shutil.which("h2load")
    if found is None:
        raise H2LoadMissing
    return found


def version() -> str:
    """Its name and version."""
    return subprocess.run([program(), "--version"], capture_output=True, text=True, check=True).stdout.strip()


def closed(call: Call, requests: int, core: int | None, connections: int = 8, streams: int = 8) -> Load:
    """Send requests as fast as they are answered, `connections * streams` at a time, from one core."""
    connections = min(connections, requests)
    done = _run(call, requests, core, [f"--clients={connections}", f"--max-concurrent-streams={streams}"])
    _check(call, done)
    return Load(requests, done.seconds)


def open_loop(call: Call, requests: int, rate: float, core: int | None) -> list[tuple[int, int]]:
    """As `offer`, but NotAllAnswered when a request is refused; returns only how long they took."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        _check(call, _run(call, requests, core, _open_loop_options(requests, rate, log)))
        return _rows(log)


def offer(call: Call, requests: int, rate: float, core: int | None) -> Offered:
    """Send requests at a rate, in requests a second, whatever comes back; refused ones are counted.

    h2load sends what is due each 10 ms, or each time a request is due where that is rarer. So there are as many
    connections as make it rarer, and they start one after the other over the time between two requests: what is left
    are steps of a millisecond.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        done = _run(call, requests, core, _open_loop_options(requests, rate, log))
        return Offered(
            requests, done.data // (PREFIX_BYTES + len(call.answer)), done.seconds, done.cpu_seconds, _rows(log)
        )


def _open_loop_options(requests: int, rate: float, log: Path) -> Sequence[str]:
    connections = max(1, min(requests, round(rate * GAP_MS / 1000)))
    return (
        f"--clients={connections}", "--max-concurrent-streams=1000", f"--rps={rate / connections:.6f}",
        f"--rate={ceil(connections / GAP_MS)}", "--rate-period=1ms", f"--log-file={log}",
    )  # fmt: skip


def _rows(log: Path) -> list[tuple[int, int]]:
    rows = [tuple(map(int, line.split("\t"))) for line in log.read_text().splitlines()]
    return sorted((sent, took) for sent, _, took in rows)


class _Done(NamedTuple):
    """What h2load counted."""

    requests: int
    succeeded: int
    """By their HTTP status."""
    data: int
    """Bytes of messages with their prefixes."""
    seconds: float
    cpu_seconds: float


def _run(call: Call, requests: int, core: int | None, options: Sequence[str]) -> _Done:
    """Run h2load; LoadFailed when it does not come to an end."""
    with tempfile.NamedTemporaryFile() as body:
        body.write(framed(call.request))
        body.flush()
        command = [] if core is None else ["taskset", "--cpu-list", str(core)]
        command += [program(), f"--requests={requests}", f"--data={body.name}", *options]
        command += ["--header=content-type: application/grpc", "--header=te: trailers"]
        command.append(f"http://{call.address}{call.path}")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    finished, succeeded, data = (found.search(done.stdout) for found in (_FINISHED, _REQUESTS, _DATA))
    if done.returncode or not (finished and succeeded and data):
        raise LoadFailed(f"h2load failed on {call.path}: {done.stderr or done.stdout}")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return _Done(requests, int(succeeded[1]), int(data[1]), float(finished[1]) * _UNITS[finished[2]], used)


def _check(call: Call, done: _Done) -> None:
    """NotAllAnswered unless every request got the right number of bytes."""
    expected = done.requests * (PREFIX_BYTES + len(call.answer))
    if (done.succeeded, done.data) != (done.requests, expected):
        raise NotAllAnswered(
            f"of {done.requests} requests to {call.path}, {done.succeeded} were answered, with {done.data} bytes of "
            f"messages instead of {expected}"
        )


def framed(message: bytes) -> bytes:
    """A message as gRPC puts it into HTTP/2: uncompressed, and with its length before it."""
    return struct.pack(">BI", 0, len(message)) + message
