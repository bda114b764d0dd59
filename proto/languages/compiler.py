"""The protocol buffer compiler, from the package grpcio-tools, with the files that every language is generated from."""

from collections.abc import Iterable, Mapping
from importlib.resources import as_file, files
from pathlib import Path

from grpc_tools import protoc

PROTO = Path(__file__).resolve().parents[1]
SOURCES = tuple(sorted(str(path.relative_to(PROTO)) for path in PROTO.glob("shinpan/v1/*.proto")))
"""The files, from `PROTO`."""
SERVICES = tuple(source for source in SOURCES if source.endswith("_service.proto"))
"""Those of them that have services."""


def run(arguments: Iterable[str], sources: Iterable[str], plugins: Mapping[str, Path]) -> None:
    """Compile `sources` with `arguments`, such as `--go_out=folder`; plugins are programs by name, such as "go"."""
    named = [f"--plugin=protoc-gen-{name}={path}" for name, path in plugins.items()]
    with (
        as_file(files("grpc_tools") / "_proto") as well_known,
        as_file(files("google.rpc") / "status.proto") as status,
    ):
        includes = [f"--proto_path={path}" for path in (PROTO, well_known, status.parents[2])]
        if protoc.main(["protoc", *named, *includes, *arguments, *sources]) != 0:
            raise SystemExit("protoc refused the files above")
