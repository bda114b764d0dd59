"""Every vector of every version, asked of the servers that are now."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from conformance.api import read_api
from conformance.comparison import differences
from conformance.methods import Method
from conformance.servers import Servers
from conformance.vectors import Vector, read


def check(servers: Servers, folder: Path) -> Iterator[str]:
    """What a server does otherwise than a version says: a line for each vector, with the first differences."""
    methods = read_api(folder)
    for file in sorted(folder.glob("*.jsonl")):
        for vector in read(file):
            found = broken(servers, vector, methods)
            if found:
                yield f"{folder.name}/{file.name}: {vector.name}: {'; '.join(found[:3])}"


def broken(servers: Servers, vector: Vector, methods: Mapping[str, Method]) -> list[str]:
    """How the answer to one vector differs from it."""
    outcome = servers.call(vector.server, vector.method, vector.request, vector.bearer)
    return differences(vector, outcome, methods[vector.method])
