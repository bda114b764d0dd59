"""A folder of ruleset files that a test writes and has served in this process, until the test is over."""

from collections.abc import Iterator
from pathlib import Path

import engine_core
from engine_core import catalogue


class Folder:
    """Files of a folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, name: str, text: str) -> Path:
        """Write NAME.toml."""
        file = self.path / f"{name}.toml"
        file.write_text(text, encoding="utf-8")
        return file

    def serve(self) -> None:
        """Add the games to those that are there."""
        engine_core.add_rulesets(self.path)

    def forget(self) -> None:
        """Serve the built-in games alone, as a server does that is started without the folder."""
        catalogue._serve([])


def folder_for_a_test(path: Path) -> Iterator[Folder]:
    """A folder below `path`, and the catalogue as it was once the test is over."""
    before = catalogue._added
    folder = path / "rulesets"
    folder.mkdir()
    yield Folder(folder)
    catalogue._serve(before)
