"""Generate the Python stubs of the API from the protocol buffer files beside this script.

python proto/generate.py            write the stubs into clients/python/src
python proto/generate.py --check    change nothing; fail when the stubs there are not what would be written
python proto/generate.py --stage    put the third-party files that buf needs into build/proto-deps
"""

import argparse
import filecmp
import shutil
import sys
import tempfile
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path

from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
STUBS = ROOT / "clients" / "python" / "src"
STAGED = ROOT / "build" / "proto-deps"

PACKAGE = Path("shinpan", "v1")
THIRD_PARTY = ("google/rpc/status.proto",)
INIT = '"""Messages and stubs of the API, generated from proto/shinpan/v1."""\n'


def generate(target: Path) -> None:
    """Write the stubs below `target`, which must exist; SystemExit when the compiler refuses a file."""
    package = target / PACKAGE
    shutil.rmtree(package, ignore_errors=True)
    package.mkdir(parents=True)
    sources = sorted(str(path.relative_to(PROTO)) for path in (PROTO / PACKAGE).glob("*.proto"))
    services = [source for source in sources if source.endswith("_service.proto")]
    with (
        as_file(files("grpc_tools") / "_proto") as well_known,
        as_file(files("google.rpc") / "status.proto") as status,
    ):
        includes = [f"--proto_path={path}" for path in (PROTO, well_known, status.parents[2])]
        _run(
            [
                *includes,
                f"--python_out={target}",
                f"--mypy_out=readable_stubs,quiet:{target}",
                *sources,
            ]
        )
        _run(
            [
                *includes,
                f"--grpc_python_out={target}",
                f"--mypy_grpc_out=readable_stubs,quiet:{target}",
                *services,
            ]
        )
    (package / "__init__.py").write_text(INIT, encoding="utf-8")


def _run(arguments: Sequence[str]) -> None:
    scripts = Path(sys.executable).parent  # the plugins of this environment, whatever PATH says
    plugins = [f"--plugin=protoc-gen-{name}={scripts / f'protoc-gen-{name}'}" for name in ("mypy", "mypy_grpc")]
    if protoc.main(["protoc", *plugins, *arguments]) != 0:
        raise SystemExit("protoc refused the files above")


def differences(generated: Path, committed: Path) -> list[str]:
    """Names of the files that are missing, superfluous or different in `committed`, sorted."""
    names = {path.name for folder in (generated, committed) for path in folder.glob("*.py*") if path.is_file()}
    _, mismatch, errors = filecmp.cmpfiles(generated, committed, sorted(names), shallow=False)
    return sorted({*mismatch, *errors})


def check() -> None:
    """Fail with the names of stubs that are not what `generate` would write."""
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder))
        stale = differences(Path(folder) / PACKAGE, STUBS / PACKAGE)
    if stale:
        raise SystemExit(f"stale stubs in {PACKAGE}: {', '.join(stale)}; run python proto/generate.py")


def stage() -> None:
    """Copy the third-party protocol buffer files from the installed package to where buf.yaml looks for them."""
    for name in THIRD_PARTY:
        folder, _, file = name.rpartition("/")
        target = STAGED / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((files(folder.replace("/", ".")) / file).read_bytes())


def main(arguments: Sequence[str]) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Generate the Python stubs of the API.")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="change nothing; fail when the stubs are stale")
    mode.add_argument("--stage", action="store_true", help="put third-party files for buf into build/proto-deps")
    chosen = parser.parse_args(arguments)
    if chosen.check:
        check()
    elif chosen.stage:
        stage()
    else:
        generate(STUBS)


if __name__ == "__main__":
    main(sys.argv[1:])
