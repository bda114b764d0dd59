"""Generate the stubs that are committed, from the protocol buffer files beside this script.

python -m proto.generate            write the stubs of every language whose tools are on this machine
python -m proto.generate --check    change nothing; fail when stubs are not what would be written
python -m proto.generate --stage    put the third-party files that buf and the C++ client need into build/proto-deps

Other languages are generated where they are built, see clients/README.md.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from proto.languages.go import GO
from proto.languages.language import Language
from proto.languages.python import PYTHON
from proto.languages.typescript import TYPESCRIPT

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = (PYTHON, GO, TYPESCRIPT)
THIRD_PARTY = ("google/rpc/code.proto", "google/rpc/error_details.proto", "google/rpc/status.proto")
STAGED = ROOT / "build" / "proto-deps"


def contents(folder: Path) -> dict[str, bytes]:
    """Every file in `folder`, by its path from there, but for what Python compiles beside its sources."""
    paths = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def differences(generated: Path, committed: Path) -> list[str]:
    """Paths of the files that are missing, superfluous or different in `committed`, sorted."""
    ours, theirs = contents(generated), contents(committed)
    return sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name))


def write(language: Language, generated: Path) -> None:
    """Put what was generated in the place of what is there."""
    stubs = ROOT / language.stubs
    shutil.rmtree(stubs, ignore_errors=True)
    shutil.copytree(generated, stubs)


def generate(languages: Sequence[Language], *, check: bool) -> None:
    """Write the stubs, or check them; SystemExit, with every stale file, when they are not what would be written.

    Languages whose tools are not there are named and passed over.
    """
    stale: list[str] = []
    for language in languages:
        if tool := language.lacks():
            print(f"{language.name}: stubs not {'checked' if check else 'written'}, for {tool} is not installed")
            continue
        with tempfile.TemporaryDirectory() as folder:
            language.generate(Path(folder))
            if check:
                names = differences(Path(folder), ROOT / language.stubs)
                stale += [f"{language.name}: stale: {language.stubs / name}" for name in names]
            else:
                write(language, Path(folder))
    if stale:
        raise SystemExit("\n".join([*stale, "run make proto"]))


def stage() -> None:
    """Copy the third-party protocol buffer files from the installed package to where buf.yaml looks for them."""
    for name in THIRD_PARTY:
        folder, _, file = name.rpartition("/")
        target = STAGED / name
        data = (files(folder.replace("/", ".")) / file).read_bytes()
        if not target.exists() or target.read_bytes() != data:  # what is older than its target is not built again
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)


def main(arguments: Sequence[str]) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Generate the stubs of the API.")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="change nothing; fail when the stubs are stale")
    mode.add_argument("--stage", action="store_true", help="put third-party files into build/proto-deps")
    chosen = parser.parse_args(arguments)
    if chosen.stage:
        stage()
    else:
        generate(LANGUAGES, check=chosen.check)


if __name__ == "__main__":
    main(sys.argv[1:])
