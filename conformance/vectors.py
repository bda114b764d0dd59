"""Vectors and their files: one JSON object a line, as clients/conformance/README.md describes them."""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

ROOT = Path(__file__).resolve().parents[1] / "clients" / "conformance"

ServerName = Literal["plain", "sealed", "guarded"]
Bearer = Literal["known", "unknown", "none"]
_BEARERS: dict[object, Bearer] = {None: "none", True: "known", "unknown": "unknown"}


class Refused(NamedTuple):
    """An error as a vector names it."""

    code: str
    """The gRPC code, for example "FAILED_PRECONDITION"."""
    reason: str
    """The reason, for example "ILLEGAL_MOVE"."""


@dataclass(frozen=True, slots=True)
class Vector:
    """A request and what comes of it."""

    name: str
    """What it is about; unique in its file."""
    server: ServerName
    """Which server is asked."""
    method: str
    """For example "shinpan.v1.RefereeService/ApplyAction"."""
    request: bytes
    """The message of the request."""
    outcome: bytes | Refused
    """The message of the answer, or the error."""
    bearer: Bearer = "none"
    """Whose bearer token the call carries."""

    def line(self) -> str:
        """Its line in a file."""
        fields: dict[str, Any] = {"name": self.name, "server": self.server, "method": self.method}
        if self.bearer != "none":
            fields["bearer"] = True if self.bearer == "known" else self.bearer
        fields["request"] = b64encode(self.request).decode()
        if isinstance(self.outcome, Refused):
            fields["error"] = self.outcome._asdict()
        else:
            fields["response"] = b64encode(self.outcome).decode()
        return json.dumps(fields)

    @classmethod
    def of_line(cls, line: str) -> "Vector":
        """The vector of a line; KeyError or ValueError when it is none."""
        fields = json.loads(line)
        error = fields.get("error")
        return cls(
            name=fields["name"],
            server=fields["server"],
            method=fields["method"],
            request=b64decode(fields["request"], validate=True),
            outcome=b64decode(fields["response"], validate=True) if error is None else Refused(**error),
            bearer=_BEARERS[fields.get("bearer")],
        )


def versions() -> list[Path]:
    """The folders of all versions, the oldest first."""
    return sorted(ROOT.glob("v*"), key=lambda folder: int(folder.name.removeprefix("v")))


def read(file: Path) -> list[Vector]:
    """The vectors of a file."""
    return [Vector.of_line(line) for line in file.read_text(encoding="utf-8").splitlines()]


def write(file: Path, vectors: Iterable[Vector]) -> None:
    """Write a file of vectors."""
    file.write_text("".join(f"{vector.line()}\n" for vector in vectors), encoding="utf-8")
