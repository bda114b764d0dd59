"""Make the vectors of clients/conformance: a new version of them, when the newest lacks something."""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from filecmp import cmpfiles
from pathlib import Path

from conformance import vectors
from conformance.generator import generate
from conformance.servers import Servers


def main(arguments: Sequence[str]) -> int:
    """Run from the command line; 0 when all went as expected."""
    parser = argparse.ArgumentParser(prog="python -m conformance", description=__doc__)
    parser.add_argument(
        "--replace",
        action="store_true",
        help="write over the newest version, which nobody uses yet, in place of a new one",
    )
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, Servers() as servers:
        made = Path(folder)
        for name, written in generate(servers):
            vectors.write(made / name, written)
            print(f"{name}: {len(written)} vectors", flush=True)
        _keep(made, replace=chosen.replace)
    return 0


def _keep(made: Path, *, replace: bool) -> None:
    """Make a version of what has been made, unless it is the newest one already."""
    newest = vectors.versions()[-1:]
    names = sorted(file.name for file in made.iterdir())
    if newest and names == sorted(file.name for file in newest[0].iterdir()):
        equal, _, _ = cmpfiles(made, newest[0], names, shallow=False)
        if sorted(equal) == names:
            print(f"All of it is in {newest[0].name}.")
            return
    number = len(vectors.versions()) + (0 if replace and newest else 1)
    target = vectors.ROOT / f"v{number}"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(made, target)
    print(f"{target.name} is written.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
