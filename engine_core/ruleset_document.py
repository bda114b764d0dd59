"""The text of a ruleset file, read within limits: TOML, over the base that it names.

Whatever a file holds, reading it ends soon, with a document of tables, lists, text, whole numbers, and true and false.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from engine_core.errors import RulesetError

BUILT_IN = Path(__file__).parent / "rulesets"

MAX_FILE_BYTES = 65_536
MAX_LINE_CHARACTERS = 2_000
MAX_DEPTH = 12
MAX_BASES = 16
MAX_NAMES_SHOWN = 40

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]{1,60}")
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Unicode categories of characters that nobody sees, and that do something to a terminal or to a text around them."""


def document_of(path: Path) -> dict[str, Any]:
    """What a file says, with the keys of its base that it does not replace; RulesetError when it cannot be read."""
    return _document(path, ())


def place(parts: Iterable[str | int]) -> str:
    """Where in a file something is, such as `kinds.0.count`."""
    return ".".join(_key(part) if isinstance(part, str) else str(part) for part in parts)


def shown(names: Iterable[str]) -> str:
    """Names that exist, as a list for a message."""
    listed = [_key(name) for name in names]
    more = f" and {len(listed) - MAX_NAMES_SHOWN} more" if len(listed) > MAX_NAMES_SHOWN else ""
    return ", ".join(listed[:MAX_NAMES_SHOWN]) + more


def file_name(path: Path) -> str:
    """The name of a file, for messages."""
    return path.name if path.name.isprintable() else ascii(path.name)


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else f"{name!r:.60}"


def _document(path: Path, derived: tuple[Path, ...]) -> dict[str, Any]:
    """What a file says, over its base; `derived` are the files whose bases lead here."""
    document = _parsed(path)
    if problems := tuple(_unusable(document)):
        raise RulesetError(file_name(path), problems)
    if "base" not in document:
        return document
    base = document.pop("base")
    inherited = _document(_base(path, base, derived), (*derived, path))
    inherited.pop("revision", None)  # a file's own
    return _overlaid(inherited, document)


def _parsed(path: Path) -> dict[str, Any]:
    try:
        if not path.is_file():
            kind = "a folder" if path.is_dir() else "a special file" if path.exists() else "missing"
            raise RulesetError(file_name(path), (f"is {kind}, and not a file that can be read",))
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise RulesetError(file_name(path), (f"cannot be read: {error.strerror}",)) from None
    if len(data) > MAX_FILE_BYTES:
        raise RulesetError(
            file_name(path), (f"has more than {MAX_FILE_BYTES} bytes, which is the most that a game may have",)
        )
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise RulesetError(file_name(path), (f"not TOML: line {line} is not UTF-8 text",)) from None
    for number, row in enumerate(text.splitlines(), 1):
        if len(row) > MAX_LINE_CHARACTERS:
            problem = f"line {number} has {len(row)} characters; a line has at most {MAX_LINE_CHARACTERS}"
            raise RulesetError(file_name(path), (problem,))
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesetError(file_name(path), (f"not TOML: {error}",)) from None
    except ValueError:  # of a number with thousands of digits
        raise RulesetError(file_name(path), ("not TOML: a number is far too long",)) from None
    except RecursionError:
        raise RulesetError(file_name(path), (f"nested deeper than {MAX_DEPTH} tables and lists",)) from None


def _unusable(document: dict[str, Any]) -> Iterator[str]:
    """What no key of any table can hold, without descending deeper than any table is nested."""
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), document)]
    for where, value in waiting:
        if isinstance(value, dict | list):
            if len(where) >= MAX_DEPTH:
                yield f"{place(where)}: nested deeper than {MAX_DEPTH} tables and lists"
                return
            items = value.items() if isinstance(value, dict) else enumerate(value)
            waiting += [((*where, key), item) for key, item in items]
            for key in value if isinstance(value, dict) else ():
                if _unseen(key):
                    yield f"{place((*where, key))}: a key has no characters that cannot be seen"
        elif isinstance(value, str):
            if _unseen(value):
                yield f"{place(where)}: a text has no characters that cannot be seen or line breaks: {value!r:.80}"
        elif isinstance(value, int):
            if not -(2**63) <= value < 2**63:
                yield f"{place(where)}: a number of more than 64 bits"
        elif isinstance(value, float):
            yield f"{place(where)}: {value!r} is not a whole number; no key takes another"
        else:
            yield f"{place(where)}: a date or a time; no key takes one"


def _unseen(text: str) -> bool:
    return any(unicodedata.category(character) in _UNSEEN for character in text)


def _base(path: Path, base: object, derived: tuple[Path, ...]) -> Path:
    """The file of a base: beside the file or built in, and not the file itself."""
    beside, built_in = ({file.stem: file for file in sorted(f.glob("*.toml"))} for f in (path.parent, BUILT_IN))
    found = [files[base] for files in (beside, built_in) if base in files] if isinstance(base, str) else []
    if not found:
        names = shown(sorted(beside.keys() | built_in.keys()))
        raise RulesetError(file_name(path), (f"base: there is no game {base!r:.60}; there are {names}",))
    others = [file for file in found if file != path]
    if not others or others[0] in derived:
        raise RulesetError(file_name(path), (f"base: {base} leads back to itself",))
    if len(derived) >= MAX_BASES:
        raise RulesetError(file_name(path), (f"base: {base} is the base of a base of more than {MAX_BASES} files",))
    return others[0]


def _overlaid(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """The tables of `base` with the keys of `own` in place of theirs; lists and choices are replaced whole."""
    merged = dict(base)
    for key, value in own.items():
        below = merged.get(key)
        if isinstance(value, dict) and isinstance(below, dict) and not {"option"} & (value.keys() | below.keys()):
            merged[key] = _overlaid(below, value)
        else:
            merged[key] = value
    return merged
