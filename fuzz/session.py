"""One target under atheris: `python -m fuzz.session TARGET PACKAGES [flags and folders of libFuzzer]`.

PACKAGES: those whose branches are counted, separated by commas; they must not have been imported before.
"""

import importlib
import random
import sys
import zlib

import atheris

PLACES = 1 << 14
"""Counters for the words with which a target tells how far an input came."""


def main() -> None:
    """Fuzz until libFuzzer ends the process: with 0, or with a finding."""
    name, packages, *flags = sys.argv[1:]
    with atheris.instrument_imports(include=packages.split(",")):
        target = importlib.import_module(f"fuzz.{name}").TARGET
        catalogue = importlib.import_module("engine_core.catalogue")
    for game in catalogue.games():
        catalogue.load(game)  # takes seconds, which no input is to blame for
    counters = [atheris._reserve_counter() for _ in range(PLACES)]

    def check(data: bytes) -> None:
        for word in target.check(data):
            atheris._trace_branch(counters[zlib.crc32(word.encode()) % PLACES])

    def mutate(data: bytes, max_size: int, seed: int) -> bytes:
        changed: bytes = target.mutate(data, random.Random(seed), atheris.Mutate)
        return changed[:max_size]

    atheris.Setup([name, *flags], check, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
