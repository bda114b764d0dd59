"""What contradicts itself in a ruleset whose parts are right: tables against tables, and endings that cannot come."""

from collections.abc import Iterable, Iterator

from engine_core import schema
from engine_core.board import DIAGONALS, DIRECTIONS
from engine_core.ruleset import Movement, Ruleset, Zone


def contradictions(file: schema.RulesetFile, rules: Ruleset) -> Iterator[str]:
    """A line for each contradiction between the parts of a file, of which `rules` are made."""
    yield from _tables(file, rules)
    yield from _sides(rules)
    yield from _room(rules)


def idle_parts(file: schema.RulesetFile, rules: Ruleset) -> Iterator[str]:
    """A line for each part without an effect, and each ending that cannot come, of a file that is right otherwise."""
    yield from _movements(file, rules)
    yield from _fights(file, rules)
    for ending in file.endings:
        yield from _ending(ending, rules)


def _tables(file: schema.RulesetFile, rules: Ruleset) -> Iterator[str]:
    if (file.combat is None) == (file.custodial is None):
        yield "combat, custodial: a game needs exactly one of these two tables"
    words = [ending.when for ending in file.endings]
    if "no-legal-move" not in words:
        yield "endings: 'no-legal-move' is missing; a match could not go on without a move"
    yield from (f"endings: {word!r} stands twice" for word in _twice(words))
    if bool(file.arrangement.fixed) == (file.arrangement.zone is not None):
        yield "arrangement: a game needs exactly one of zone and fixed"
    if file.arrangement.fixed:
        for field in ("only", "never"):
            if getattr(file.arrangement, field):
                yield f"arrangement.{field}: not together with fixed, which gives every piece its place"
    if rules.more_squares and "repetition" in words:
        yield "restrictions.more_squares: not together with 'repetition', which keeps other moves"
    if (rules.two_squares or rules.more_squares) and any(kind.movement.fly for kind in rules.kinds):
        yield "restrictions: not for kinds that fly, which cross no border"
    if rules.headquarters_freeze and not any(rules.board.headquarters):
        yield "restrictions.headquarters_freeze: the board has no headquarters"


def _sides(rules: Ruleset) -> Iterator[str]:
    sides = len(set(rules.teams))
    if sides < 2:
        yield "seats.teams: a game needs at least two sides"
    elif not rules.last_side_wins and sides != 2:
        yield "seats.elimination: 'match-ends' needs two sides; use 'last-side-wins'"
    if rules.seats != 2:
        if rules.more_squares:
            yield "restrictions.more_squares: a chase is between two seats"
        if any(isinstance(ending, schema.CaptureLead) for ending in rules.endings):
            yield "endings: 'capture-lead' is between two seats"


def _movements(file: schema.RulesetFile, rules: Ruleset) -> Iterator[str]:
    """Keys that say nothing beside others of the same movement."""
    for name, table in file.movement.items():
        where = f"movement.{name}"
        straight = table.forward or table.backward or table.sideways
        if table.range is not None and straight:
            yield f"{where}.range: is for all directions; not together with forward, backward or sideways"
        reaches = bool(table.range) or bool(straight)
        if table.fly and (reaches or table.hop or table.leap or table.road):
            yield f"{where}.fly: goes to any square, so nothing else belongs with it"
        elif table.road and (reaches or table.hop or table.leap):
            yield f"{where}.road: goes along roads and rails, so nothing but rail belongs with it"
        if table.rail != "no" and not table.road:
            yield f"{where}.rail: needs road = true"
        if table.rail != "no" and not rules.board.rails:
            yield f"{where}.rail: the board has no rails"
    if all(kind.movement.immobile for kind in rules.kinds):
        yield "kinds: none of them can move"


def _room(rules: Ruleset) -> Iterator[str]:
    taken: set[int] = set()
    for seat, zone in enumerate(rules.zones, 1):
        if taken & zone.squares:
            yield f"arrangement.zone: seat {seat}'s zone overlaps another seat's"
        taken |= zone.squares
        tight = False
        if rules.roster_size > len(zone.squares):
            tight = True
            yield f"arrangement.zone: seat {seat} has {rules.roster_size} pieces for {len(zone.squares)} squares"
        for kind, squares in zip(rules.kinds, zone.allowed, strict=True):
            if kind.count > len(squares):
                tight = True
                yield f"arrangement: seat {seat} has {kind.count} {kind.id} for {len(squares)} squares"
        if tight:
            return  # the next seat, mostly a turned copy, would say the same
        if crowded := _crowded(rules, zone):
            kinds, room = crowded
            pieces = sum(rules.kinds[kind].count for kind in kinds)
            names = ", ".join(rules.kinds[kind].id for kind in sorted(kinds))
            squares_named = ", ".join(rules.board.squares[square] for square in sorted(room))
            yield (
                f"arrangement: seat {seat} has {pieces} pieces of {names} for the {len(room)} squares"
                f" on which they may stand ({squares_named})"
            )
            return


def _crowded(rules: Ruleset, zone: Zone) -> tuple[set[int], set[int]] | None:
    """Kinds that have more pieces than squares among them, and those squares; None when all pieces find a place.

    Pieces are placed one after another, and make room for each other along augmenting paths.
    """
    holder: dict[int, int] = {}
    for kind, row in enumerate(rules.kinds):
        for _ in range(row.count):
            asked_by: dict[int, int] = {}
            gives_up: dict[int, int] = {kind: -1}  # each kind that has to move on, and the square that it leaves
            waiting = [kind]
            free = -1
            for asker in waiting:
                for square in sorted(zone.allowed[asker] - asked_by.keys()):
                    asked_by[square] = asker
                    if square not in holder:
                        free = square
                        break
                    if holder[square] not in gives_up:
                        gives_up[holder[square]] = square
                        waiting.append(holder[square])
                if free >= 0:
                    break
            if free < 0:
                return set(waiting), set(asked_by)
            while free >= 0:
                asker = asked_by[free]
                holder[free] = asker
                free = gives_up[asker]
    return None


def _fights(file: schema.RulesetFile, rules: Ruleset) -> Iterator[str]:
    combat = file.combat
    if combat is None or rules.combat is None:
        return
    yield from (f"combat.order: {kind!r} stands twice" for kind in _twice(combat.order))
    marked = any("!" in outcome for outcome in _outcomes(rules))
    ends = any(isinstance(ending, schema.FlagCaptured) for ending in rules.endings)
    if ends and not marked:
        yield "endings.flag-captured: no outcome of a battle is marked '!', so no flag can fall"
    if marked and not ends:
        yield "combat.exceptions: an outcome is marked '!', but 'flag-captured' is not among the endings"


def _outcomes(rules: Ruleset, kind: int | None = None) -> Iterator[str]:
    """The outcomes of the battles that can happen: all, or those in which a kind is removed."""
    if rules.combat is None:
        return
    for attacker, row in enumerate(rules.combat.outcomes):
        if rules.kinds[attacker].movement.immobile:
            continue
        for defender, outcome in enumerate(row):
            removed = {"A": (defender,), "D": (attacker,), "B": (attacker, defender)}[outcome[0]]
            if kind is None or kind in removed:
                yield outcome


def _ending(ending: schema.EndingTable, rules: Ruleset) -> Iterator[str]:
    where = f"endings.{ending.when}"
    enemies = max(sum(rules.roster_size for other in rules.teams if other != own) for own in rules.teams)
    match ending:
        case schema.ObjectiveCaptured(kinds=kinds):
            ids = [kind.id for kind in rules.kinds]
            if not kinds:
                yield f"{where}.kinds: names no kind"
            for kind in kinds:
                if rules.combat is not None and not any(_outcomes(rules, ids.index(kind))):
                    yield f"{where}.kinds: no battle removes a {kind}"
        case schema.HeadquartersEntered(excluded=excluded):
            if not any(rules.board.headquarters):
                yield f"{where}: the board has no headquarters"
            elif all(kind.id in excluded or kind.movement.immobile for kind in rules.kinds):
                yield f"{where}.excluded: leaves no kind that moves"
        case schema.FlagReached(kinds=kinds):
            movers = [kind.id for kind in rules.kinds if not kind.movement.immobile]
            if not kinds:
                yield f"{where}.kinds: names no kind"
            elif not any(kind in movers for kind in kinds):
                yield f"{where}.kinds: none of them moves; those that do are {', '.join(movers) or 'none'}"
            if not any(rules.goal):
                yield f"{where}.goal: is empty"
        case schema.CaptureThreshold(left=left) if left >= rules.roster_size:
            yield f"{where}.left: a seat starts with {rules.roster_size} pieces, so it must be less, not {left}"
        case schema.CaptureTarget(captured=captured) if captured > enemies:
            yield f"{where}.captured: there are {enemies} enemy pieces, so it can be no more, not {captured}"
        case schema.CaptureLead(lead=lead) if lead > rules.roster_size:
            yield f"{where}.lead: a seat has {rules.roster_size} pieces to lose, so it can be no more, not {lead}"
        case schema.Line():
            yield from _line(where, ending, rules)
        case schema.Repetition() if not any(_comes_back(kind.movement) for kind in rules.kinds):
            yield f"{where}: no kind can go back, so no position comes again"


def _line(where: str, ending: schema.Line, rules: Ruleset) -> Iterator[str]:
    if not ending.along:
        yield f"{where}.along: names no direction"
        return
    ways = {"file": [DIRECTIONS["north"]], "rank": [DIRECTIONS["east"]], "diagonal": DIAGONALS}
    longest = max(
        _longest(rules, barred, way) for barred in rules.line_barred for along in ending.along for way in ways[along]
    )
    room = min(longest, rules.roster_size)
    if ending.length > room:
        what = "squares in a row" if longest <= rules.roster_size else "pieces"
        yield f"{where}.length: a seat has {room} {what}, so it can be no more, not {ending.length}"


def _longest(rules: Ruleset, barred: frozenset[int], way: tuple[int, int]) -> int:
    """The most squares in a row in a direction that count for a line."""
    longest = 0
    for square in range(len(rules.board.squares)):
        run = 0
        for place in (square, *rules.board.run(square, way)):
            run = 0 if place in barred else run + 1
            longest = max(longest, run)
    return longest


def _comes_back(movement: Movement) -> bool:
    to_and_fro = movement.fly or movement.hop or movement.leap or movement.road or movement.sideways
    return bool(to_and_fro or (movement.forward and movement.backward))


def _twice(words: Iterable[str]) -> list[str]:
    listed = list(words)
    return sorted({word for word in listed if listed.count(word) > 1})
