"""Rulesets: a TOML file and a choice of options become a frozen `Ruleset` in which everything is spelt out.

Mistakes are collected and reported together as one `RulesetError`, each with its table and key.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json

from engine_core import schema
from engine_core.board import Board, BoardMistake
from engine_core.errors import RulesetError, UnknownOption, UnknownOptionValue

_FILE: TypeAdapter[schema.RulesetFile] = TypeAdapter(schema.RulesetFile)
_OPTIONS: TypeAdapter[dict[str, schema.OptionTable]] = TypeAdapter(dict[str, schema.OptionTable])
_COUNT = re.compile(r"[1-9]\d{0,8}")

BUILT_IN = Path(__file__).parent / "rulesets"


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that is fixed when a match starts. `values[0]` is the default; "N" stands for a whole number from 1."""

    name: str
    meaning: str
    values: tuple[str, ...]

    @property
    def default(self) -> str:
        """The value of a match that does not name one."""
        return self.values[0]

    def normalize(self, value: object) -> str | None:
        """The canonical text of `value`, or None when the option has no such value."""
        text = str(value)
        if text in self.values and text != "N":
            return text
        return text if "N" in self.values and _COUNT.fullmatch(text) else None


@dataclass(frozen=True, slots=True)
class Movement:
    """How a kind moves: squares straight `forward`, `backward` and `sideways` (255 any distance), or `fly` to any."""

    name: str
    forward: int
    backward: int
    sideways: int
    fly: bool

    @property
    def immobile(self) -> bool:
        """Whether a piece of this movement can never move."""
        return not (self.fly or self.forward or self.backward or self.sideways)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of piece and how many of it each seat has."""

    id: str
    letter: str
    name: str
    count: int
    movement: Movement


@dataclass(frozen=True, slots=True)
class Zone:
    """Where one seat may place its pieces: all squares, and for each kind (by index) those allowed to it."""

    squares: frozenset[int]
    allowed: tuple[frozenset[int], ...]


@dataclass(frozen=True, slots=True)
class Combat:
    """The whole matrix: `outcomes[attacker][defender]`, kinds by index: "A", "D", "B", with "!" when a flag falls.

    `reveal` is "none", "event" or "shown" (see rules of `battle_reveal`).
    """

    outcomes: tuple[tuple[str, ...], ...]
    reveal: str


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules of a game with its options chosen. Squares and kinds are indices; seats are 1 to 4."""

    id: str
    name: str
    summary: str
    options: tuple[Option, ...]
    chosen: Mapping[str, str]
    board: Board
    teams: tuple[int, ...]
    """Team of each seat; equal numbers play together."""
    last_side_wins: bool
    """A beaten seat leaves and play goes on until one side is left; otherwise the match ends at once."""
    kinds: tuple[Kind, ...]
    zones: tuple[Zone, ...]
    combat: Combat | None
    custodial: bool
    two_squares: int
    more_squares: bool
    endings: tuple[schema.EndingTable, ...]
    goal: tuple[frozenset[int], ...]
    """For each seat the squares that count as reached (flag-reached)."""
    ply_limit: int
    """Plies after which the match is drawn, 0 for no limit."""
    quiet_limit: int
    """Plies without capture or battle after which the match is drawn, 0 for no limit."""
    reveal_at_end: bool

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.teams)

    @property
    def roster_size(self) -> int:
        """Number of pieces of each seat."""
        return sum(kind.count for kind in self.kinds)


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
                    f"{self.id} has no option {name!r}; its options are {', '.join(by_name)}.",
                    game=self.id, option=name, options=", ".join(by_name),
                )  # fmt: skip
        chosen: dict[str, str] = {}
        for name, option in by_name.items():
            value = option.normalize(wanted.get(name, option.default))
            if value is None:
                allowed = ", ".join("a whole number from 1" if v == "N" else v for v in option.values)
                raise UnknownOptionValue(
                    f"{self.id} has no {name}={wanted[name]}; {name} is one of {allowed}.",
                    game=self.id, option=name, value=wanted[name], values=allowed,
                )  # fmt: skip
            chosen[name] = value
        return chosen

    def ruleset(self, wanted: Mapping[str, object]) -> Ruleset:
        """The rules with the options in `wanted` (defaults for the rest)."""
        return _build(self, self.choose(wanted))


def read(path: Path) -> RulesetSource:
    """Read a ruleset file and check it with its defaults and with every single value of every option."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulesetError(path.name, (f"not TOML: {error}",)) from None
    source = _source(path.name, document)
    for option in source.options:
        for value in option.values:
            source.ruleset({option.name: "1" if value == "N" else value})
    return source


def _source(path: str, document: dict[str, Any]) -> RulesetSource:
    raw = document.pop("options", {})
    try:
        tables = _OPTIONS.validate_json(to_json(raw))
    except ValidationError as error:
        raise RulesetError(path, _problems(error, ("options",))) from None
    options = [Option(name, table.meaning, tuple(table.values)) for name, table in tables.items()]
    names = {option.name for option in options}
    if "combat" in document and "battle_reveal" not in names:
        meaning = "What a battle tells: the outcome only, both kinds in its event, or both kinds and the survivor shown from then on."
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
        return [_select(item, chosen, f"{where}[{n}]", problems) for n, item in enumerate(value)]
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


def _build(source: RulesetSource, chosen: dict[str, str]) -> Ruleset:
    problems: list[str] = []
    document = _select(dict(source.document), chosen, "", problems)
    if problems:
        raise RulesetError(source.path, tuple(problems))
    try:
        file = _FILE.validate_json(to_json(document))
    except ValidationError as error:
        raise RulesetError(source.path, _problems(error)) from None
    return _Builder(source, chosen, file).build()


class _Builder:
    """Spells a checked file out, and collects what contradicts itself in it."""

    def __init__(self, source: RulesetSource, chosen: dict[str, str], file: schema.RulesetFile) -> None:
        self.source = source
        self.chosen = chosen
        self.file = file
        self.problems: list[str] = []
        self.kind_index = {kind.id: index for index, kind in enumerate(file.kinds)}

    def build(self) -> Ruleset:
        file = self.file
        try:
            board = Board.build(file.board, file.seats)
        except BoardMistake as mistake:
            raise RulesetError(self.source.path, tuple(mistake.problems)) from None
        self.board = board
        for field in ("id", "letter"):
            values = [getattr(kind, field) for kind in file.kinds]
            for value in sorted({v for v in values if values.count(v) > 1}):
                self.problems.append(f"kinds: {field} {value!r} stands twice; each kind needs its own")
        kinds = tuple(self._kind(kind) for kind in file.kinds)
        ruleset = Ruleset(
            id=file.id,
            name=file.name,
            summary=file.summary,
            options=self.source.options,
            chosen=MappingProxyType(self.chosen),
            board=board,
            teams=self._teams(),
            last_side_wins=file.seats.elimination == "last-side-wins",
            kinds=kinds,
            zones=self._zones(),
            combat=self._combat(),
            custodial=file.custodial is not None,
            two_squares=file.restrictions.two_squares,
            more_squares=file.restrictions.more_squares,
            endings=tuple(file.endings),
            goal=self._goal(),
            ply_limit=self._limit("ply_limit"),
            quiet_limit=self._limit("quiet_limit"),
            reveal_at_end=self.chosen["reveal_at_end"] == "on",
        )
        self._check(ruleset)
        if self.problems:
            raise RulesetError(self.source.path, tuple(self.problems))
        return ruleset

    def _limit(self, option: str) -> int:
        value = self.chosen[option]
        return 0 if value == "off" else int(value)

    def _kind(self, table: schema.KindTable) -> Kind:
        if table.movement == "none":
            movement = Movement("none", 0, 0, 0, False)
        elif table.movement in self.file.movement:
            shape = self.file.movement[table.movement]
            reaches = (
                (shape.forward, shape.backward, shape.sideways) if shape.range is None else (shape.range,) * 3
            )
            forward, backward, sideways = (255 if reach == "any" else reach for reach in reaches)
            movement = Movement(table.movement, forward, backward, sideways, shape.fly)
            if movement.immobile:
                self.problems.append(f"movement.{table.movement}: goes nowhere; give range, forward or fly, or use 'none'")
        else:
            names = ", ".join((*self.file.movement, "none"))
            self.problems.append(f"kinds.{table.id}.movement: no movement {table.movement!r}; there are {names}")
            movement = Movement("none", 0, 0, 0, False)
        return Kind(table.id, table.letter, table.name, table.count, movement)

    def _teams(self) -> tuple[int, ...]:
        count = self.file.seats.count
        if not self.file.seats.teams:
            return tuple(range(1, count + 1))
        listed = [seat for team in self.file.seats.teams for seat in team]
        if sorted(listed) != list(range(1, count + 1)):
            self.problems.append(f"seats.teams: must name each seat from 1 to {count} once, not {self.file.seats.teams}")
            return tuple(range(1, count + 1))
        team_of = {seat: number for number, team in enumerate(self.file.seats.teams, 1) for seat in team}
        return tuple(team_of[seat] for seat in range(1, count + 1))

    def _seat_squares(self, where: str, given: schema.SeatSquares) -> tuple[frozenset[int], ...]:
        try:
            return self.board.seat_squares(where, given)
        except BoardMistake as mistake:
            self.problems += mistake.problems
            return (frozenset(),) * self.file.seats.count

    def _zones(self) -> tuple[Zone, ...]:
        table = self.file.arrangement
        zones = self._seat_squares("arrangement.zone", table.zone)
        only = {kind: self._seat_squares(f"arrangement.only.{kind}", given) for kind, given in table.only.items()}
        never = {kind: self._seat_squares(f"arrangement.never.{kind}", given) for kind, given in table.never.items()}
        for field, kinds in (("only", only), ("never", never)):
            for kind in kinds:
                self._known_kind(f"arrangement.{field}", kind)
        result = []
        for index, zone in enumerate(zones):
            allowed = []
            for kind in self.file.kinds:
                squares = zone & only[kind.id][index] if kind.id in only else zone
                allowed.append(squares - never[kind.id][index] if kind.id in never else squares)
            result.append(Zone(zone, tuple(allowed)))
        return tuple(result)

    def _known_kind(self, where: str, kind: str) -> bool:
        if kind in self.kind_index:
            return True
        self.problems.append(f"{where}: no kind {kind!r}; the kinds are {', '.join(self.kind_index)}")
        return False

    def _combat(self) -> Combat | None:
        table = self.file.combat
        if table is None:
            return None
        strength = {kind: len(table.order) - place for place, kind in enumerate(table.order)}
        for kind in table.order:
            self._known_kind("combat.order", kind)
        for number, line in enumerate(table.exceptions):
            for field in ("attacker", "defender"):
                named = getattr(line, field)
                for kind in named if named != "any" else ():
                    self._known_kind(f"combat.exceptions[{number}].{field}", kind)
        rows = []
        for attacker in self.file.kinds:
            row = []
            for defender in self.file.kinds:
                row.append(self._outcome(table, strength, attacker, defender))
            rows.append(tuple(row))
        return Combat(tuple(rows), table.reveal)

    def _outcome(
        self, table: schema.CombatTable, strength: dict[str, int], attacker: schema.KindTable, defender: schema.KindTable
    ) -> str:
        for line in table.exceptions:
            if (
                (line.attacker == "any" or attacker.id in line.attacker)
                and (line.defender == "any" or defender.id in line.defender)
                and (not line.equal or attacker.id == defender.id)
            ):
                return line.outcome
        if attacker.movement == "none":
            return "D"  # never attacks; the cell only has to hold something
        for kind in (attacker.id, defender.id):
            if kind not in strength:
                self.problems.append(
                    f"combat: no outcome for {attacker.id} against {defender.id}; put {kind} into order or add an exception"
                )
                return "B"
        difference = strength[attacker.id] - strength[defender.id]
        return "A" if difference > 0 else "D" if difference < 0 else "B"

    def _goal(self) -> tuple[frozenset[int], ...]:
        for ending in self.file.endings:
            if isinstance(ending, schema.FlagReached):
                return self._seat_squares("endings.flag-reached.goal", ending.goal)
        return (frozenset(),) * self.file.seats.count

    def _check(self, ruleset: Ruleset) -> None:
        if (self.file.combat is None) == (self.file.custodial is None):
            self.problems.append("combat, custodial: a game needs exactly one of these two tables")
        if not any(isinstance(ending, schema.NoLegalMove) for ending in self.file.endings):
            self.problems.append("endings: 'no-legal-move' is missing; a match could not go on without a move")
        words = [ending.when for ending in self.file.endings]
        for word in sorted({word for word in words if words.count(word) > 1}):
            self.problems.append(f"endings: {word!r} stands twice")
        for ending in self.file.endings:
            for kind in (*getattr(ending, "kinds", ()), *getattr(ending, "excluded", ())):
                self._known_kind(f"endings.{ending.when}", kind)
        if not ruleset.last_side_wins and len(set(ruleset.teams)) != 2:
            self.problems.append("seats.elimination: 'match-ends' needs two sides; use 'last-side-wins'")
        if ruleset.more_squares and ruleset.seats != 2:
            self.problems.append("restrictions.more_squares: a chase is between two seats")
        if (ruleset.two_squares or ruleset.more_squares) and any(kind.movement.fly for kind in ruleset.kinds):
            self.problems.append("restrictions: not for kinds that fly, which cross no border")
        taken: set[int] = set()
        for seat, zone in enumerate(ruleset.zones, 1):
            if taken & zone.squares:
                self.problems.append(f"arrangement.zone: seat {seat}'s zone overlaps another seat's")
            taken |= zone.squares
            if ruleset.roster_size > len(zone.squares):
                self.problems.append(
                    f"arrangement.zone: {ruleset.roster_size} pieces do not fit the {len(zone.squares)} squares of seat {seat}"
                )
            for kind, squares in zip(ruleset.kinds, zone.allowed, strict=True):
                if kind.count > len(squares):
                    self.problems.append(
                        f"arrangement: {kind.count} x {kind.id} do not fit the {len(squares)} squares where seat {seat} may place it"
                    )
