"""Reading ruleset files: TOML, the choice of options, and the check of its form.

Mistakes are collected and reported together as one `RulesetError`, each with its table and key.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json

from engine_core import schema
from engine_core.elaboration import Elaboration
from engine_core.errors import RulesetError, UnknownOption, UnknownOptionValue
from engine_core.ruleset import Option, Ruleset

_FILE: TypeAdapter[schema.RulesetFile] = TypeAdapter(schema.RulesetFile)
_OPTIONS: TypeAdapter[dict[str, schema.OptionTable]] = TypeAdapter(dict[str, schema.OptionTable])

BUILT_IN = Path(__file__).parent / "rulesets"


@dataclass(frozen=True, slots=True)
class RulesetSource:
    """A ruleset file that has been read: its options are known, its rules wait for a choice of values."""

    path: str
    id: str
    options: tuple[Option, ...]
    document: Mapping[str, Any]

    def choose(self, wanted: Mapping[str, object]) -> dict[str, str]:
        """The value of every option; UnknownOption or UnknownOptionValue when `wanted` names what is not there."""
        by_name = {option.name: option for option in self.options}
        for name in wanted:
            if name not in by_name:
                raise UnknownOption(
                    f"{self.id} has no option {name!r:.60}; its options are {', '.join(by_name)}.",
                    game=self.id, option=str(name)[:60], options=", ".join(by_name),
                )  # fmt: skip
        chosen: dict[str, str] = {}
        for name, option in by_name.items():
            value = option.normalize(wanted.get(name, option.default))
            if value is None:
                allowed = ", ".join("a whole number from 1 to 999999999" if v == "N" else v for v in option.values)
                raise UnknownOptionValue(
                    f"{self.id} has no {name}={str(wanted[name])!r:.60}; {name} is one of {allowed}.",
                    game=self.id, option=name, value=str(wanted[name])[:60], values=allowed,
                )  # fmt: skip
            chosen[name] = value
        return chosen

    def ruleset(self, wanted: Mapping[str, object]) -> Ruleset:
        """The rules with the options in `wanted` (defaults for the rest)."""
        return _elaborate(self, self.choose(wanted))


def read(path: Path) -> RulesetSource:
    """Read a ruleset file and check it with its defaults and with every single value of every option.

    A file with `base = "other-game"` is that game's file, beside it or built in, with the file's own tables and keys in
    place of the other's.
    """
    source = _source(path.name, _document(path, ()))
    for option in source.options:
        for value in option.values:
            source.ruleset({option.name: "1" if value == "N" else value})
    return source


def _document(path: Path, derived: tuple[str, ...]) -> dict[str, Any]:
    """What a file says, after its base; `derived` are the games whose bases lead here."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulesetError(path.name, (f"not TOML: {error}",)) from None
    if "base" not in document:
        return document
    base = document.pop("base")
    # Built-in files first, so that those beside this one come in place of them.
    files = {file.stem: file for folder in (BUILT_IN, path.parent) for file in sorted(folder.glob("*.toml"))}
    if not isinstance(base, str) or base not in files:
        raise RulesetError(path.name, (f"base: there is no game {base!r:.60}; there are {', '.join(sorted(files))}",))
    if base in (path.stem, *derived):
        raise RulesetError(path.name, (f"base: {base} leads back to itself",))
    return _overlaid(_document(files[base], (path.stem, *derived)), document)


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


def _source(path: str, document: dict[str, Any]) -> RulesetSource:
    raw = document.pop("options", {})
    try:
        tables = _OPTIONS.validate_json(to_json(raw))
    except ValidationError as error:
        raise RulesetError(path, _problems(error, ("options",))) from None
    options = [Option(name, table.meaning, tuple(table.values)) for name, table in tables.items()]
    names = {option.name for option in options}
    if "combat" in document and "battle_reveal" not in names:
        meaning = "What a battle tells: its outcome, both kinds in its event, or both kinds and the survivor for good."
        options.append(Option("battle_reveal", meaning, ("none", "event", "shown")))
    options += [
        Option("ply_limit", "Plies after which a match without a result is drawn.", ("off", "N")),
        Option("quiet_limit", "Plies in a row without capture or battle after which a match is drawn.", ("off", "N")),
        Option("reveal_at_end", "Whether everybody sees every piece once the match has ended.", ("off", "on")),
    ]  # fmt: skip
    return RulesetSource(path, str(document.get("id", path)), tuple(options), document)


def _select(value: Any, chosen: Mapping[str, str], where: str, problems: list[str]) -> Any:
    """Replace each {option = "name", value = ...} table by what the chosen value selects."""
    if isinstance(value, list):
        items: list[Any] = []
        for number, item in enumerate(value):
            selected = _select(item, chosen, f"{where}[{number}]", problems)
            # A choice among the items of a list may select several of them, or none.
            several = isinstance(item, dict) and "option" in item and isinstance(selected, list)
            items += selected if several else [selected]
        return items
    if not isinstance(value, dict):
        return value
    if "option" not in value:
        return {key: _select(item, chosen, f"{where}.{key}" if where else key, problems) for key, item in value.items()}
    name = value["option"]
    if name not in chosen:
        problems.append(f"{where}: there is no option {name!r}; the options are {', '.join(chosen)}")
        return None
    if len(value) == 1:
        return chosen[name]
    if chosen[name] not in value:
        problems.append(f"{where}: no entry for {name}={chosen[name]}")
        return None
    return _select(value[chosen[name]], chosen, where, problems)


def _problems(error: ValidationError, prefix: tuple[str, ...] = ()) -> tuple[str, ...]:
    lines = []
    for problem in error.errors(include_url=False):
        where = ".".join(str(part) for part in (*prefix, *problem["loc"]))
        lines.append(f"{where}: {problem['msg']}, not {problem['input']!r:.80}")
    return tuple(lines)


def _elaborate(source: RulesetSource, chosen: dict[str, str]) -> Ruleset:
    problems: list[str] = []
    document = _select(dict(source.document), chosen, "", problems)
    if problems:
        raise RulesetError(source.path, tuple(problems))
    try:
        file = _FILE.validate_json(to_json(document))
    except ValidationError as error:
        raise RulesetError(source.path, _problems(error)) from None
    return Elaboration(source.path, source.options, chosen, file).ruleset()
