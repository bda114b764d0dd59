"""What `proto.generate` has to know of a language whose stubs are committed; each has a module beside this one."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Language:
    """A language whose stubs are committed because its users expect to find them there."""

    name: str
    """As people write it."""
    stubs: Path
    """The folder of the stubs from the root of the tree. All that is in it is generated."""
    lacks: Callable[[], str]
    """The tool that is not on this machine and without which nothing can be generated; "" when all are there."""
    generate: Callable[[Path], None]
    """Writes the stubs into an empty folder; SystemExit when a tool refuses."""
