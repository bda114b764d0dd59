"""What is read from files while the server runs: keys, callers, certificates. Calls never wait for it.

A new value takes the place of the old one as a whole, and calls that are being answered keep what they began with. When
the new files are wrong, the old value stays and the log says what is wrong with them.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

_LOG: Final = logging.getLogger("shinpan.reload")
_T = TypeVar("_T")


class SettingsFileError(ValueError):
    """A file that the settings name cannot be read, or says something wrong. The message names it."""


class Reloaded(Generic[_T]):
    """A value that is read from files, at first and whenever they have changed."""

    def __init__(self, what: str, paths: Sequence[str], read: Callable[..., _T]) -> None:
        """Read the files; SettingsFileError when they cannot be read.

        `what` is a plural that names the value in the log. `read` takes the bytes of each file, and raises ValueError
        with a message that quotes nothing secret.
        """
        self._what = what
        self._paths = [Path(path) for path in paths]
        self._read = read
        contents = self._contents()
        self._tried = _fingerprint(contents)
        self._problem = ""
        self.value = self._parse(contents)
        """What the files said when they were last right."""

    def refresh(self) -> None:
        """Read the files again if they have changed since they were last read. What is wrong is logged once."""
        try:
            contents = self._contents()
            fingerprint = _fingerprint(contents)
            if fingerprint == self._tried:
                return
            self._tried = fingerprint
            self.value = self._parse(contents)
        except SettingsFileError as error:
            if str(error) != self._problem:
                _LOG.error("the %s stay as they were: %s", self._what, error)
            self._problem = str(error)
        else:
            self._problem = ""
            _LOG.info("the %s have been read again", self._what)

    def _contents(self) -> list[bytes]:
        contents = []
        for path in self._paths:
            try:
                contents.append(path.read_bytes())
            except OSError as error:
                raise SettingsFileError(f"cannot read {path}: {error.strerror}") from None
        return contents

    def _parse(self, contents: list[bytes]) -> _T:
        try:
            return self._read(*contents)
        except (ValueError, RecursionError) as error:  # of a file with brackets in brackets
            raise SettingsFileError(f"{', '.join(map(str, self._paths))}: {error}") from None


def _fingerprint(contents: Sequence[bytes]) -> list[bytes]:
    return [sha256(content).digest() for content in contents]


class Reloader:
    """A thread that refreshes values: when told, and as often as told to look by itself."""

    def __init__(self, values: Sequence[Reloaded[Any]], seconds: float) -> None:
        """`seconds` between two looks; 0 for none but when told."""
        self._values = values
        self._seconds = seconds or None
        self._wanted = threading.Event()
        self._stopped = False

    def start(self) -> None:
        """Begin, if there is anything to refresh."""
        if self._values:
            threading.Thread(target=self._run, name="reload", daemon=True).start()

    def now(self) -> None:
        """Look at the files as soon as possible."""
        self._wanted.set()

    def stop(self) -> None:
        """Look at them no more."""
        self._stopped = True
        self._wanted.set()

    def _run(self) -> None:
        while True:
            self._wanted.wait(self._seconds)
            self._wanted.clear()
            if self._stopped:
                return
            for value in self._values:
                try:
                    value.refresh()
                except Exception:  # the next change still has to be noticed
                    _LOG.exception("failed to read files again")
