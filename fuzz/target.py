"""What a target is."""

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

NAMES: Final = ("state", "knowledge", "token", "ruleset", "request")
"""The targets; each is `TARGET` in the module of its name."""
CORPUS: Final = Path(__file__).parent / "corpus"
"""A folder for each target: the inputs that it begins with."""

Change = Callable[[bytes, int], bytes]
"""Changes bytes a little, into at most so many: libFuzzer's own mutations."""


class Finding(Exception):
    """What was promised does not hold for this input. Any other exception from a check is a finding, too."""


def expect(holds: bool, promise: str) -> None:
    """Raise a Finding with the promise that is broken, unless it holds."""
    if not holds:
        raise Finding(promise)


@dataclass(frozen=True)
class Target:
    """One subject with what must hold for any input."""

    name: str
    check: Callable[[bytes], Iterable[str]]
    """Put one input to the subject; tells in words how far it came.

    Compiled code does not count its branches; inputs that come to something new are kept by these words.
    """
    mutate: Callable[[bytes, random.Random, Change], bytes]
    """An input like this one, from which what is checked first (length, checksum, names) does not turn all away."""
    counted: tuple[str, ...] = ()
    """Python packages and modules whose branches are counted."""
    words: Callable[[], Iterable[bytes]] = field(default=tuple)
    """What inputs are made of, for the dictionary."""
    max_bytes: int = 1 << 12
    max_seconds: int = 20
    """An input that takes longer is a finding."""
