"""DNS of a cluster, as far as a headless Service needs it: its name has the addresses of the pods that are ready."""

from collections.abc import Callable, Iterable
from typing import Self

from dnslib import QTYPE, RCODE, RR, A, DNSRecord
from dnslib.server import BaseResolver, DNSHandler, DNSLogger, DNSServer

SERVICE = "shinpan-headless.shinpan.svc.cluster.local"
"""The headless Service of the release `shinpan` in the namespace `shinpan`."""
ADDRESS, PORT = "127.0.0.1", 53
HEADLESS = f"dns://{ADDRESS}:{PORT}/{SERVICE}:50051"
"""What a client connects to that balances its calls itself."""
_TTL = 5
"""What CoreDNS says by default, in seconds."""


class _Addresses(BaseResolver):  # type: ignore[misc]  # the package has no types
    def __init__(self, ready: Callable[[], Iterable[str]]) -> None:
        self._ready = ready

    def resolve(self, request: DNSRecord, handler: DNSHandler) -> DNSRecord:
        reply = request.reply()
        if str(request.q.qname).rstrip(".") != SERVICE:
            reply.header.rcode = RCODE.NXDOMAIN
        elif request.q.qtype == QTYPE.A:
            for address in self._ready():
                reply.add_answer(RR(request.q.qname, QTYPE.A, rdata=A(address), ttl=_TTL))
        return reply


class Names:
    """A server of names at the port that all expect it at, while the `with` block lasts."""

    def __init__(self, ready: Callable[[], Iterable[str]]) -> None:
        """`ready` is asked for the addresses each time the Service is looked up."""
        quiet = DNSLogger(log="", logf=lambda _: None)
        self._server = DNSServer(_Addresses(ready), address=ADDRESS, port=PORT, logger=quiet)

    def __enter__(self) -> Self:
        self._server.start_thread()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop()
        self._server.server.server_close()
