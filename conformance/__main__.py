"""Make the vectors of clients/conformance, a new version when the newest is not what they are now, or check all."""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Sequence
from filecmp import cmpfiles
from pathlib import Path

from conformance import vectors
from conformance.api import write_api
from conformance.check import check
from conformance.generator import generate
from conformance.servers import Servers


def main(arguments: Sequence[str]) -> int:
    """Run from the command line; 0 when all went as expected."""
    parser = argparse.ArgumentParser(prog="python -m conformance", description=__doc__)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="write nothing; fail when a vector of any version is broken")
    mode.add_argument("--replace", action="store_true", help="write over the newest version, which nobody uses yet")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, Servers() as servers:
        if chosen.check:
            return _check(servers)
        made = Path(folder)
        write_api(made)
        for name, written in generate(servers):
            vectors.write(made / name, written)
            print(f"{name}: {len(written)} vectors", flush=True)
        _keep(made, replace=chosen.replace)
    return 0


def _check(servers: Servers) -> int:
    """Say which vectors are broken; 1 when there are any."""
    lost = 0
    for folder in vectors.versions():
        report = check(servers, folder)
        for line in report.broken:
            print(line)
        for game, count in sorted(report.superseded.items()):
            print(
                f"{folder.name}: {count} vectors begin matches of {game} under rules that new matches no longer take."
            )
        print(f"{folder.name}: {len(report.broken)} of {report.asked} conformance vectors are broken.")
        lost += len(report.broken)
    return 1 if lost else 0


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
