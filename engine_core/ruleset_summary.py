"""A game told in text: what its ruleset file says, once everything in it is spelt out."""

from collections.abc import Iterable, Iterator
from dataclasses import fields

from engine_core import schema
from engine_core.game import Game
from engine_core.ruleset import Kind, Movement, Option, Ruleset
from engine_core.view import REFEREE


def summary_of(game: Game) -> str:
    """The board, the pieces, what a battle decides, how a match ends and what can be chosen, for the eyes of people."""
    rules = game.ruleset
    parts = [
        [f"{rules.name} ({rules.id}), revision {rules.revision}, rules {game.digest.hex()}", rules.summary],
        ["Board: o camp, # headquarters", *_indented(game.start().view(REFEREE).diagram().splitlines())],
        ["Seats:", *_indented(_seats(rules))],
        ["Pieces of each seat:", *_indented(_pieces(rules))],
        ["Combat: rows attack, columns defend; A or D stays, B neither, ! a flag falls", *_indented(_matrix(rules))]
        if rules.combat
        else [f"Capture: custodial{_custodial(rules)}"],
        ["Endings, the first that comes decides:", *_indented(map(_ending, rules.endings))],
        ["Options, the first value is the default:", *_indented(map(_option, rules.options))],
    ]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}".rstrip() for line in lines)


def _seats(rules: Ruleset) -> Iterator[str]:
    names = rules.board.squares
    for seat, zone in enumerate(rules.zones, 1):
        team = f", team {rules.teams[seat - 1]}" if len(set(rules.teams)) < rules.seats else ""
        squares = ", ".join(names[square] for square in sorted(zone.squares))
        yield f"{seat}: forward is {rules.board.forward[seat - 1]}{team}; places its pieces on {squares}"


def _pieces(rules: Ruleset) -> Iterator[str]:
    width = max(len(kind.id) for kind in rules.kinds)
    for index, kind in enumerate(rules.kinds):
        narrowed = rules.zones[0].allowed[index] != rules.zones[0].squares
        squares = ", ".join(rules.board.squares[square] for square in sorted(rules.zones[0].allowed[index]))
        where = f"; seat 1's on {squares}" if narrowed else ""
        yield f"{kind.letter}  {kind.count:3} x {kind.id:{width}}  {_movement(kind.movement)}{where}"


def _movement(movement: Movement) -> str:
    if movement.immobile:
        return "never moves"
    ways = [
        f"{way} {'any' if reach == 255 else reach}"
        for way, reach in (
            ("forward", movement.forward), ("backward", movement.backward), ("sideways", movement.sideways),
        )
        if reach
    ]  # fmt: skip
    ways += [word for word in ("fly", "hop", "leap", "road") if getattr(movement, word)]
    ways += [f"rail {movement.rail}"] if movement.rail != "no" else []
    return f"{movement.name}: {', '.join(ways)}"


def _matrix(rules: Ruleset) -> Iterator[str]:
    assert rules.combat is not None
    width = max(len(kind.id) for kind in rules.kinds)
    yield " " * width + "".join(f"  {kind.letter} " for kind in rules.kinds)
    for kind, row in zip(rules.kinds, rules.combat.outcomes, strict=True):
        if not kind.movement.immobile:
            yield f"{kind.id:{width}}" + "".join(f"  {outcome:2}" for outcome in row)
    if rules.combat.borrows:
        yield f"{_ids(rules.kinds, rules.combat.borrows)} defends with the strength of the piece right behind it"
    for death, kinds in rules.combat.death_shows:
        yield f"{rules.kinds[death].id} removed shows {rules.kinds[kinds].id}"
    yield f"a battle tells: {rules.combat.reveal}"


def _ids(kinds: tuple[Kind, ...], numbers: tuple[int, ...]) -> str:
    return ", ".join(kinds[number].id for number in numbers)


def _custodial(rules: Ruleset) -> str:
    table = rules.custodial
    assert table is not None
    return f", runs of {table.run}" + ", corner" * table.corner + ", intervention" * table.intervention


def _ending(ending: schema.EndingTable) -> str:
    given = [
        f"{field.name} {_value(getattr(ending, field.name))}"
        for field in fields(ending)
        if field.name != "when" and getattr(ending, field.name) != []
    ]
    return f"{ending.when}: {'; '.join(given)}" if given else ending.when


def _value(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return " / ".join(f"{key}: {_value(item)}" for key, item in value.items())
    return str(value)


def _option(option: Option) -> str:
    values = " | ".join("1 to 999999999" if value == "N" else value for value in option.values)
    return f"{option.name} = {values}: {option.meaning}"
