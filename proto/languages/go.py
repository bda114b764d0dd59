"""Go: messages and stubs, by the plugins that go.mod beside this file pins and the installed Go builds."""

import shutil
import subprocess
from pathlib import Path

from proto.languages import compiler
from proto.languages.language import Language

MODULE = "shinpan"
"""The module of the client; `go_package` in the sources begins with it."""
STUBS = Path("clients/go/v1")


def _lacks() -> str:
    return "" if shutil.which("go") else "go"


def _plugin(name: str) -> Path:
    """Where Go keeps the program, which it builds when it has not yet."""
    command = ["go", "tool", "-n", name]
    found = subprocess.run(command, cwd=Path(__file__).parent, stdout=subprocess.PIPE, text=True)
    if found.returncode != 0:
        raise SystemExit(f"Go did not build {name}, see above")
    return Path(found.stdout.strip())


def _generate(target: Path) -> None:
    plugins = {name: _plugin(f"protoc-gen-{name}") for name in ("go", "go-grpc")}
    module = f"{MODULE}/{STUBS.name}"
    arguments = [f"--go_out={target}", f"--go_opt=module={module}"]
    arguments += [f"--go-grpc_out={target}", f"--go-grpc_opt=module={module}"]
    compiler.run(arguments, compiler.SOURCES, plugins)


GO = Language("Go", STUBS, _lacks, _generate)
