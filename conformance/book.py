"""A book: the vectors of one file while they are written down."""

from collections.abc import Iterator
from typing import Any

from google.protobuf.message import Message

from conformance.methods import METHODS, name_of
from conformance.servers import Servers
from conformance.vectors import Bearer, Refused, ServerName, Vector


class UnexpectedError(Exception):
    """A server has not done what the one who wrote the request expects."""


class Book:
    """Asks one of the servers, and writes down what it is asked and answers."""

    def __init__(self, servers: Servers, server: ServerName, bearer: Bearer = "none") -> None:
        self._servers = servers
        self.server = server
        self._bearer = bearer
        self._vectors: dict[str, Vector] = {}

    def __iter__(self) -> Iterator[Vector]:
        """The vectors in the order in which they were written."""
        return iter(self._vectors.values())

    def ask(self, request: Message) -> Any:
        """The answer to a request, which is not written down; UnexpectedError when it is refused."""
        method, sent, outcome = self._exchange(request)
        if isinstance(outcome, Refused):
            raise UnexpectedError(f"{method} was refused with {outcome.reason} ({outcome.code}): {sent!r}")
        return METHODS[method].response.FromString(outcome)

    def answer(self, name: str, request: Message) -> Any:
        """The answer to a request, which is written down; UnexpectedError when it is refused."""
        answer = self.ask(request)
        self.keep(name, request, answer)
        return answer

    def keep(self, name: str, request: Message, answer: Message) -> None:
        """Write down a request that was answered."""
        self._write(name, name_of(request), _bytes(request), _bytes(answer))

    def refusal(self, reason: str, request: Message, name: str = "") -> None:
        """Write down a request that is refused for this reason; UnexpectedError when it is not.

        The vector is named after the reason, unless `name` says more.
        """
        method, sent, outcome = self._exchange(request)
        if not isinstance(outcome, Refused) or outcome.reason != reason:
            raise UnexpectedError(f"{method} was to be refused with {reason}, not {outcome!r}: {sent!r}")
        self._write(f"{reason}{name and ': '}{name}", method, sent, outcome)

    def _exchange(self, request: Message) -> tuple[str, bytes, bytes | Refused]:
        method, sent = name_of(request), _bytes(request)
        return method, sent, self._servers.call(self.server, method, sent, self._bearer)

    def _write(self, name: str, method: str, request: bytes, outcome: bytes | Refused) -> None:
        who = {"none": self.server, "known": f"{self.server}, known", "unknown": f"{self.server}, unknown"}
        name = f"{name} ({who[self._bearer]})"
        if name in self._vectors:
            raise UnexpectedError(f"two vectors are called {name!r}")
        self._vectors[name] = Vector(name, self.server, method, request, outcome, self._bearer)


def _bytes(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)
