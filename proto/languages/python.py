"""Python: messages, stubs and their types, by the plugins of this environment."""

import shutil
import sys
import tempfile
from pathlib import Path

from proto.languages import compiler
from proto.languages.language import Language

INIT = '"""Messages and stubs of the API, generated from proto/shinpan/v1."""\n'


def _generate(target: Path) -> None:
    scripts = Path(sys.executable).parent  # the plugins of this environment, whatever PATH says
    plugins = {name: scripts / f"protoc-gen-{name}" for name in ("mypy", "mypy_grpc")}
    with tempfile.TemporaryDirectory() as out:
        messages = [f"--python_out={out}", f"--mypy_out=readable_stubs,quiet:{out}"]
        compiler.run(messages, compiler.SOURCES, plugins)
        services = [f"--grpc_python_out={out}", f"--mypy_grpc_out=readable_stubs,quiet:{out}"]
        compiler.run(services, compiler.SERVICES, plugins)
        shutil.copytree(Path(out, "shinpan", "v1"), target, dirs_exist_ok=True)
    (target / "__init__.py").write_text(INIT, encoding="utf-8")


PYTHON = Language("Python", Path("clients/python/src/shinpan/v1"), lambda: "", _generate)
