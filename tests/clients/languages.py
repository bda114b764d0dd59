"""The clients in other languages, and how each is built, tested and shown at work.

A client of another language joins by an entry in LANGUAGES. Its tests find their servers by these variables:
SHINPAN_PLAIN, SHINPAN_SEALED and SHINPAN_GUARDED are the servers of clients/conformance, SHINPAN_BEARER is a token that
the last one knows, SHINPAN_AWAY an address where nobody listens, SHINPAN_SILENT one where connections are taken and
nothing is ever said, and SHINPAN_VECTORS the folder of the newest conformance vectors.

At two addresses each connection gets answers by a script, the last one for ever. At SHINPAN_BREAKING the first and the
third break off, the second and fourth are empty messages, and all after them break off. At SHINPAN_SCRIPTED they are
INTERNAL by the service, an empty message, NOT_FOUND of something between whose details are its own, and
RESOURCE_EXHAUSTED to be tried again after a quarter of a second.
"""

from typing import NamedTuple


class Language(NamedTuple):
    """A language: its folder below clients/, and its commands, each run there."""

    folder: str
    tools: tuple[str, ...]
    """Programs without which nothing can be done."""
    build: tuple[str, ...]
    test: tuple[str, ...]
    example: tuple[str, ...]
    """Plays a match of every game; the address of a server is appended."""


LANGUAGES = (
    Language(
        folder="cpp",
        tools=("cmake", "ninja", "protoc", "grpc_cpp_plugin"),
        build=("cmake", "--workflow", "--preset", "build"),
        test=("ctest", "--preset", "build"),
        example=("build/play_matches",),
    ),
    Language(
        folder="csharp",
        tools=("dotnet",),
        build=("dotnet", "build", "PlayMatches"),
        test=("dotnet", "test", "Shinpan.Tests"),
        example=("dotnet", "run", "--project", "PlayMatches", "--"),
    ),
    Language(
        folder="go",
        tools=("go",),
        build=("go", "build", "./..."),
        test=("go", "test", "-count=1", "./..."),
        example=("go", "run", "./examples/playmatches"),
    ),
    Language(
        folder="java",
        tools=("javac", "mvn"),
        build=("mvn", "--batch-mode", "--quiet", "test-compile"),
        test=("mvn", "--batch-mode", "--quiet", "test"),
        example=("sh", "-c", 'mvn --batch-mode --quiet exec:java -Dexec.args="$*"', "play_matches"),
    ),
    Language(
        folder="rust",
        tools=("cargo", "cargo-clippy"),
        build=("cargo", "clippy", "--quiet", "--all-targets", "--", "-D", "warnings"),
        test=("cargo", "test", "--quiet"),
        example=("cargo", "run", "--quiet", "--example", "play_matches", "--"),
    ),
    Language(
        folder="typescript",
        tools=("node", "npm"),
        build=("npm", "run", "--silent", "build"),
        test=("npm", "--silent", "test"),
        example=("npm", "run", "--silent", "play-matches", "--"),
    ),
)
