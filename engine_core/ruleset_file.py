"""Reading ruleset files: the choice of options, and the check of their form in every choice.

Mistakes are collected and reported together as one `RulesetError`, each with its table and key.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product
from math import prod
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import to_json

from engine_core import schema
from engine_core.arrangement import Arrangements
from engine_core.elaboration import Elaboration
from engine_core.errors import InvalidOptionValue, RulesetError, UnknownOption
from engine_core.form_problems import form_problems
from engine_core.lowering import lower
from engine_core.reach import unreachable
from engine_core.ruleset import Option, Ruleset
from engine_core.ruleset_document import document_of, file_name, place

MAX_OPTIONS = 16
MAX_COMBINATIONS = 1024
MAX_PROBLEMS = 100

Options = Annotated[dict[schema.OptionName, schema.OptionTable], Field(max_length=MAX_OPTIONS)]

LIMITS = (
    Option("ply_limit", "Plies after which a match without a result is drawn.", ("off", "N")),
    Option("quiet_limit", "Plies in a row without capture or battle after which a match is drawn.", ("off", "N")),
    Option("reveal_at_end", "Whether everybody sees every piece once the match has ended.", ("off", "on")),
)
"""The options that every game has."""

RESERVED = ("game", "option", "revision", "seat", "seed")
"""What no option may be called: callers give options by name, beside these."""

BATTLE_REVEAL = Option(
    "battle_reveal",
    "What a battle tells: its outcome, both kinds in its event, or both kinds and the survivor for good.",
    ("none", "event", "shown"),
)
"""The option of every game with combat that does not say itself what a battle tells."""

PLAIN = ("id", "revision", "name", "summary")
"""What is told of a game before any option is chosen."""

_FILE: TypeAdapter[schema.RulesetFile] = TypeAdapter(schema.RulesetFile)
_OPTIONS: TypeAdapter[dict[str, schema.OptionTable]] = TypeAdapter(Options)


@dataclass(frozen=True, slots=True, eq=False)
class RulesetSource:
    """A ruleset file that has been read: its options are known, its rules wait for a choice of values."""

    path: Path
    id: str
    revision: int
    options: tuple[Option, ...]
    document: Mapping[str, Any]

    def choose(self, wanted: Mapping[str, object]) -> dict[str, str]:
        """The value of every option; UnknownOption or InvalidOptionValue when `wanted` names what is not there."""
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
                raise InvalidOptionValue(
                    f"{self.id} has no {name}={str(wanted[name])!r:.60}; {name} is one of {allowed}.",
                    game=self.id, option=name, value=str(wanted[name])[:60], values=allowed,
                )  # fmt: skip
            chosen[name] = value
        return chosen

    def ruleset(self, wanted: Mapping[str, object]) -> Ruleset:
        """The rules with the options in `wanted` (defaults for the rest)."""
        return _elaborate(self, self.choose(wanted))

    @property
    def file(self) -> str:
        """The name of the file, for messages."""
        return file_name(self.path)


def read(path: Path) -> RulesetSource:
    """Read a ruleset file and check it with its defaults and with every single value of every option.

    A file with `base = "other-game"` is that game's file, beside it or built in, with the file's own tables and keys in
    place of the other's.
    """
    source = _source(path, document_of(path))
    _try(source, _single_values(source.options), deeply=False)
    return source


def read_thoroughly(path: Path) -> RulesetSource:
    """Read a ruleset file that nobody has tested: in every combination of values, and whether play can get anywhere."""
    source = _source(path, document_of(path))
    _try(source, _combinations(source), deeply=False)
    own = [option for option in source.options if option not in LIMITS]
    _try(source, _single_values(own), deeply=True)
    return source


def _single_values(options: Iterable[Option]) -> Iterator[dict[str, str]]:
    """The defaults, and each other value alone."""
    yield {}
    for option in options:
        for value in option.values[1:]:
            yield {option.name: "1" if value == "N" else value}


def _combinations(source: RulesetSource) -> Iterator[dict[str, str]]:
    """All values of the game's own options with each other, and those that every game has alone."""
    own = [option for option in source.options if option not in LIMITS]
    for values in product(*(option.values for option in own)):
        yield {option.name: value for option, value in zip(own, values, strict=True) if value != option.default}
    yield from ({option.name: "1" if value == "N" else value} for option in LIMITS for value in option.values[1:])


def _try(source: RulesetSource, choices: Iterable[dict[str, str]], *, deeply: bool) -> None:
    """RulesetError with what is wrong in any of these choices, each mistake once, with the first choice that has it."""
    found: dict[str, str] = {}
    for wanted in choices:
        try:
            ruleset = source.ruleset(wanted)
            problems = _dead_ends(ruleset) if deeply else ()
        except RulesetError as error:
            problems = error.problems
        chosen = ", ".join(f"{name}={value}" for name, value in wanted.items())
        for problem in problems:
            found.setdefault(problem, f"{problem} (with {chosen})" if chosen else problem)
        if len(found) > MAX_PROBLEMS:
            break
    if found:
        raise RulesetError(source.file, _limited(found.values()))


def _dead_ends(ruleset: Ruleset) -> tuple[str, ...]:
    """Why play would not begin, or get nowhere."""
    for seat in range(1, ruleset.seats + 1):
        Arrangements(ruleset, seat).draw(seed=0)
    return unreachable(lower(ruleset))


def _limited(problems: Iterable[str]) -> tuple[str, ...]:
    few = tuple(islice(problems, MAX_PROBLEMS + 1))
    return few if len(few) <= MAX_PROBLEMS else (*few[:MAX_PROBLEMS], "and more")


def _source(path: Path, document: dict[str, Any]) -> RulesetSource:
    raw = document.pop("options", {})
    try:
        tables = _OPTIONS.validate_json(to_json(raw))
    except ValidationError as error:
        raise RulesetError(file_name(path), _limited(form_problems(error, raw, Options, ("options",)))) from None
    problems = [f"{key}: cannot depend on an option" for key in PLAIN if isinstance(document.get(key), dict)]
    options = []
    for name, table in tables.items():
        options.append(Option(name, table.meaning, tuple(table.values)))
        if name in {option.name for option in LIMITS}:
            problems.append(f"options.{name}: every game has this option; give yours another name")
        if name in RESERVED:
            problems.append(f"options.{name}: stands for something else in calls; give yours another name")
        problems += [
            f"options.{name}.values: {value!r} stands twice"
            for value in sorted({value for value in table.values if table.values.count(value) > 1})
        ]
    combat = document.get("combat")
    if isinstance(combat, dict) and "option" not in combat and BATTLE_REVEAL.name not in tables:
        choice = {"option": BATTLE_REVEAL.name}
        document["combat"] = combat = {"reveal": choice, **combat}
        if combat["reveal"] == choice:
            options.append(BATTLE_REVEAL)
    if (count := prod(len(option.values) for option in options)) > MAX_COMBINATIONS:
        problems.append(f"options: their values have {count} combinations; a game has at most {MAX_COMBINATIONS}")
    if problems:
        raise RulesetError(file_name(path), tuple(problems))
    revision = document.get("revision", 1)
    return RulesetSource(
        path,
        str(document.get("id", path.stem)),
        revision if isinstance(revision, int) else 1,
        (*options, *LIMITS),
        document,
    )


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
        below = f"{where}." if where else ""
        return {key: _select(item, chosen, below + place((key,)), problems) for key, item in value.items()}
    name = value["option"]
    if not isinstance(name, str) or name not in chosen:
        problems.append(f"{where}: there is no option {name!r:.60}; the options are {', '.join(chosen)}")
        return None
    if len(value) == 1:
        return chosen[name]
    if chosen[name] not in value:
        problems.append(f"{where}: no entry for {name}={chosen[name]}")
        return None
    return _select(value[chosen[name]], chosen, where, problems)


def _elaborate(source: RulesetSource, chosen: dict[str, str]) -> Ruleset:
    problems: list[str] = []
    document = _select(dict(source.document), chosen, "", problems)
    if problems:
        raise RulesetError(source.file, _limited(problems))
    try:
        file = _FILE.validate_json(to_json(document))
    except ValidationError as error:
        raise RulesetError(source.file, _limited(form_problems(error, document, schema.RulesetFile))) from None
    return Elaboration(source.file, source.options, chosen, file).ruleset()
