"""TypeScript: messages and descriptors of services, by the plugin that the client's package-lock.json pins."""

import shutil
import subprocess
from pathlib import Path

from proto.languages import compiler
from proto.languages.language import Language

PACKAGE = Path("clients/typescript")
ERRORS = ("google/rpc/status.proto", "google/rpc/error_details.proto")
"""What errors are made of, which no package of messages for this plugin has."""


def _lacks() -> str:
    return "" if shutil.which("npm") else "npm"


def _generate(target: Path) -> None:
    package = compiler.PROTO.parent / PACKAGE
    plugin = package / "node_modules" / ".bin" / "protoc-gen-es"
    if not plugin.exists() and subprocess.run(["npm", "ci"], cwd=package).returncode != 0:
        raise SystemExit("npm did not install the plugin, see above")
    arguments = [f"--es_out={target}", "--es_opt=target=ts,import_extension=js"]
    compiler.run(arguments, (*compiler.SOURCES, *ERRORS), {"es": plugin})


TYPESCRIPT = Language("TypeScript", PACKAGE / "src" / "gen", _lacks, _generate)
