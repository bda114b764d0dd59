"""`python -m fuzz`: all targets in turns, or one input once more.

--seconds N              how long, shared by the targets
--target TARGET          only this one; may stand several times
--input TARGET FILE      check one input, such as a finding, without fuzzing

Findings are kept in `.fuzz/findings`, what the targets have learnt in `.fuzz/corpus`. The exit code is 1 after one.
"""

import argparse
import faulthandler
import importlib
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from fuzz.target import CORPUS, NAMES, Target

KEPT: Final = Path(".fuzz")
MAX_MEGABYTES: Final = 2048
_SHOWN: Final = 4000
"""Characters from the end of what a target printed that are shown with a finding."""
SEED: Final = 1
"""What libFuzzer begins with, so that two runs differ by the time they have and by what is kept alone."""
_EXECUTIONS: Final = re.compile(r"stat::number_of_executed_units: (\d+)")


def target_named(name: str) -> Target:
    """The target of a name."""
    target: Target = importlib.import_module(f"fuzz.{name}").TARGET
    return target


def fuzz(name: str, seconds: int) -> list[Path]:
    """Run one target in its own process; its findings, which are files."""
    target = target_named(name)
    findings, corpus = KEPT / "findings", KEPT / "corpus" / name
    findings.mkdir(parents=True, exist_ok=True)
    corpus.mkdir(parents=True, exist_ok=True)
    before = set(findings.iterdir())
    flags = [
        f"-seed={SEED}",
        f"-max_total_time={seconds}",
        f"-max_len={target.max_bytes}",
        f"-timeout={target.max_seconds}",
        f"-rss_limit_mb={MAX_MEGABYTES}",
        f"-artifact_prefix={findings}/{name}-",
        "-print_final_stats=1",
        "-len_control=0",
        "-reload=0",
    ]
    if words := list(target.words()):
        dictionary = KEPT / f"{name}.dict"
        dictionary.write_text("".join(f'"{word.decode()}"\n' for word in words))
        flags.append(f"-dict={dictionary}")
    command = [
        sys.executable,
        "-m",
        "fuzz.session",
        name,
        ",".join(target.counted),
        *flags,
        str(corpus),
        str(CORPUS / name),
    ]
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    found = sorted(set(findings.iterdir()) - before)
    executed = _EXECUTIONS.search(ended.stdout)
    print(f"{name}: {executed[1] if executed else 'no'} inputs in {seconds} s, seed {SEED}", flush=True)
    if ended.returncode or not executed:
        print(ended.stdout[-_SHOWN:])
        print(f"{name} has failed with exit code {ended.returncode}")
        if not found:
            raise SystemExit(1)
    return found


def main(arguments: Sequence[str]) -> int:
    """Run from the command line; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description="Fuzzing of all that reads bytes.")
    parser.add_argument("--seconds", type=int, default=60, help="how long, shared by the targets")
    parser.add_argument("--target", action="append", choices=NAMES, help="only this target")
    parser.add_argument("--input", nargs=2, metavar=("TARGET", "FILE"), help="check one input, and fuzz nothing")
    chosen = parser.parse_args(arguments)
    if chosen.input:
        faulthandler.enable()
        name, file = chosen.input
        print("\n".join(target_named(name).check(Path(file).read_bytes())))
        return 0
    names = chosen.target or NAMES
    found = {name: fuzz(name, max(1, chosen.seconds // len(names))) for name in names}
    for name, files in found.items():
        for file in files:
            print(f"finding: {file}; once more with: python -m fuzz --input {name} {file}")
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
