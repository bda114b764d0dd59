"""Lowering: a `Ruleset` becomes plain numbers, as the compiled core reads them, and a digest that names these rules.

The digest covers what decides a match and nothing else: no names, letters, texts or ids of kinds.
"""

import hashlib
import json
from dataclasses import dataclass, replace
from typing import Any

from engine_core import schema
from engine_core.board import DIAGONALS, DIRECTIONS, Board
from engine_core.ruleset import Movement, Ruleset

DIGEST_SIZE = 16

Rays = tuple[tuple[int, ...], ...]
"""Squares in the order in which a piece runs over them; it stops before its own side and on an enemy."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a piece on a square goes: along rays, by hops (the square hopped over and the next), and on rails."""

    rays: Rays = ()
    hops: tuple[tuple[int, int], ...] = ()
    branches: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """Rays that begin like another: how many squares they share with it, and all their squares."""
    turning: bool = False
    """Goes along all rails, too."""


@dataclass(frozen=True, slots=True)
class Lowered:
    """The tables of the core. Seats and kinds count from 1, so that 0 can stand for none."""

    ruleset: Ruleset
    neighbours: Rays
    """For each square its orthogonal neighbours."""
    lines: tuple[Rays, ...]
    """For each square its rays north, east, south and west, up to the edge."""
    diagonals: tuple[Rays, ...]
    """For each square its rays north-east, south-east, south-west and north-west, up to the edge."""
    patterns: tuple[tuple["Reach", ...], ...]
    """patterns[p][square]: what a piece of pattern p reaches. Pattern 0 never moves."""
    pattern_of: tuple[tuple[int, ...], ...]
    """pattern_of[seat - 1][kind]: which pattern a kind (from 0) of a seat has."""
    shown: tuple[tuple[int, ...], ...]
    """For each seat the sets of kinds (bit 1 << kind) that one move can show to be able to make it."""
    endings: tuple[tuple[str, Any], ...]
    """What ends a match, in order of precedence, each with its parameters."""
    rails: Rays
    """For each square the next ones on all rail lines."""
    rail_component: tuple[int, ...]
    """For each square the number, from 1, of the connected rails that it lies on; 0 for none."""
    behind: tuple[tuple[int | None, ...], ...]
    """behind[seat - 1][square]: the square right behind, or None."""
    facts: bytes
    """All that decides a match but for the limits, in a canonical form."""
    digest: bytes


def lower(ruleset: Ruleset) -> Lowered:
    """The tables of a ruleset."""
    board = ruleset.board
    squares = range(len(board.squares))
    lines = tuple(tuple(board.ray(square, direction) for direction in DIRECTIONS) for square in squares)
    diagonals = tuple(tuple(board.run(square, way) for way in DIAGONALS) for square in squares)
    neighbours = tuple(
        tuple(sorted({ray[0] for direction in DIRECTIONS for ray in board.rays(square, direction)}))
        for square in squares
    )
    rails = tuple(tuple(sorted(board.rail_neighbours(square))) for square in squares)
    components = _rail_components(board)
    behind = tuple(tuple(board.behind(square, seat) for square in squares) for seat in range(1, ruleset.seats + 1))
    patterns: list[tuple[Reach, ...]] = [tuple(Reach() for _ in squares)]
    pattern_of: list[tuple[int, ...]] = []
    frozen = frozenset().union(*board.headquarters) if ruleset.headquarters_freeze else frozenset()
    on_roads: dict[Movement, tuple[Reach, ...]] = {}  # which lead all seats alike
    for seat in range(1, ruleset.seats + 1):
        known: dict[Movement, int] = {}
        for movement in {kind.movement: None for kind in ruleset.kinds}:
            pattern = on_roads.get(movement) or tuple(
                _reach(board, seat, movement, square) if square not in frozen else Reach() for square in squares
            )
            if movement.road:
                on_roads[movement] = pattern
            if pattern not in patterns:
                patterns.append(pattern)
            known[movement] = patterns.index(pattern)
        pattern_of.append(tuple(known[kind.movement] for kind in ruleset.kinds))
    index = {kind.id: number for number, kind in enumerate(ruleset.kinds)}
    endings = tuple(_ending(ending, index) for ending in ruleset.endings)
    shown = tuple(_shown(patterns, row, rails, components) for row in pattern_of)
    lowered = Lowered(
        ruleset,
        neighbours,
        lines,
        diagonals,
        tuple(patterns),
        tuple(pattern_of),
        shown,
        endings,
        rails,
        components,
        behind,
        b"",
        b"",
    )
    facts = _facts(lowered)
    return replace(lowered, facts=facts, digest=_digest(facts, ruleset))


def relower(lowered: Lowered, ruleset: Ruleset) -> Lowered:
    """The tables of a ruleset that differs from that of `lowered` in limits and in what the end reveals alone."""
    return replace(lowered, ruleset=ruleset, digest=_digest(lowered.facts, ruleset))


def _reach(board: Board, seat: int, movement: Movement, square: int) -> Reach:
    if movement.fly:
        return Reach(tuple((target,) for target in range(len(board.squares)) if target != square))
    if movement.road:
        return _road_reach(board, movement, square)
    hops = [board.ray(square, direction)[:2] for direction in DIRECTIONS] if movement.hop else []
    return Reach(_rays(board, seat, movement, square), tuple(sorted((h[0], h[1]) for h in hops if len(h) == 2)))


def _road_reach(board: Board, movement: Movement, square: int) -> Reach:
    roads = board.roads(square)
    if movement.rail == "turning":
        return Reach(tuple((target,) for target in sorted(roads - board.rail_neighbours(square))), turning=True)
    rays: list[tuple[int, ...]] = []
    branches: list[tuple[int, tuple[int, ...]]] = []
    for ray in board.rail_rays(square) if movement.rail == "straight" else ():
        shared = max((_shared(ray, other) for other in rays), default=0)
        if shared:
            branches.append((shared, ray))
        else:
            rays.append(ray)
    steps = [(target,) for target in sorted(roads - {ray[0] for ray in rays})]
    return Reach(tuple(sorted([*rays, *steps])), branches=tuple(branches))


def _shared(ray: tuple[int, ...], other: tuple[int, ...]) -> int:
    """How many squares two rays share from their beginnings."""
    return next((n for n, (a, b) in enumerate(zip(ray, other, strict=False)) if a != b), min(len(ray), len(other)))


def _rail_components(board: Board) -> tuple[int, ...]:
    """For each square the number, from 1, of the connected rails that it lies on; 0 for none."""
    component = [0] * len(board.squares)
    for square in range(len(board.squares)):
        if component[square] or not board.rail_neighbours(square):
            continue
        number = max(component) + 1
        reached = [square]
        component[square] = number
        for here in reached:
            for other in board.rail_neighbours(here):
                if not component[other]:
                    component[other] = number
                    reached.append(other)
    return tuple(component)


def _rays(board: Board, seat: int, movement: Movement, square: int) -> Rays:
    rays = []
    for way, reach in (
        ("forward", movement.forward),
        ("right", movement.sideways),
        ("backward", movement.backward),
        ("left", movement.sideways),
    ):
        rays += [ray[:reach] for ray in board.rays(square, board.turned(seat, way)) if reach]
    if movement.leap:
        rays += [(target,) for target in board.file_squares(square)]
    return tuple(sorted(set(rays)))


def _shown(
    patterns: list[tuple[Reach, ...]], row: tuple[int, ...], rails: Rays, components: tuple[int, ...]
) -> tuple[int, ...]:
    """What one move can tell: which kinds reach its target when the way is clear, and which when it is not."""
    kinds_of = {pattern: sum(1 << kind for kind, other in enumerate(row) if other == pattern) for pattern in row}
    sets: set[int] = set()
    for square in range(len(patterns[0])):
        clear: dict[int, int] = {}
        direct: dict[int, int] = {}
        for pattern, kinds in kinds_of.items():
            if patterns[pattern][square].turning and components[square]:
                sets.add(kinds)
                for target in rails[square]:
                    direct[target] = direct.get(target, 0) | kinds
                for target, component in enumerate(components):
                    if component == components[square]:
                        clear[target] = clear.get(target, 0) | kinds
            for _, ray in patterns[pattern][square].branches:
                for target in ray:
                    clear[target] = clear.get(target, 0) | kinds
            for _, target in patterns[pattern][square].hops:
                direct[target] = direct.get(target, 0) | kinds
            for ray in patterns[pattern][square].rays:
                direct[ray[0]] = direct.get(ray[0], 0) | kinds
                for target in ray:
                    clear[target] = clear.get(target, 0) | kinds
        sets |= {*clear.values(), *direct.values()}
    return tuple(sorted(sets))


def _ending(ending: schema.EndingTable, index: dict[str, int]) -> tuple[str, Any]:
    match ending:
        case schema.ObjectiveCaptured(kinds=kinds):
            return ending.when, sorted(index[kind] for kind in kinds)
        case schema.HeadquartersEntered(excluded=excluded):
            return ending.when, sorted(number for kind, number in index.items() if kind not in excluded)
        case schema.FlagReached(kinds=kinds, arrival=arrival, claim=claim):
            announced = ["announced"] if claim == "announced" else []
            return ending.when, [sorted(index[kind] for kind in kinds), arrival, *announced]
        case schema.CaptureThreshold(left=left):
            return ending.when, left
        case schema.CaptureTarget(captured=captured):
            return ending.when, captured
        case schema.CaptureLead(lead=lead):
            return ending.when, lead
        case schema.Line(length=length, along=along):
            return ending.when, [length, sorted(along)]
        case schema.Repetition(occurrences=occurrences):
            return ending.when, occurrences
        case schema.NoLegalMove(stuck=stuck, both_stuck=both_stuck):
            return ending.when, [stuck, both_stuck]
        case schema.FlagCaptured():
            return ending.when, None


def _hops(patterns: tuple[tuple[Reach, ...], ...]) -> bool:
    return any(reach.hops for pattern in patterns for reach in pattern)


def _custodial_facts(ruleset: Ruleset) -> list[str]:
    table = ruleset.custodial
    if table is None:
        return []
    facts = {"run-1": table.run == 1, "corner": table.corner, "intervention": table.intervention}
    return [name for name, holds in facts.items() if holds]


def _digest(facts: bytes, ruleset: Ruleset) -> bytes:
    """A digest of what decides a match: facts, and limits."""
    limits = f"{ruleset.ply_limit},{ruleset.quiet_limit},{ruleset.reveal_at_end}"
    return hashlib.blake2b(facts + limits.encode(), digest_size=DIGEST_SIZE).digest()


def _uncommon_facts(lowered: Lowered) -> dict[str, Any]:
    """What the lines and patterns of most boards tell already: where it differs, it decides a match, too."""
    ruleset, board = lowered.ruleset, lowered.ruleset.board
    facts: dict[str, Any] = {}
    if ruleset.combat and ruleset.combat.borrows and board.forward != ("north", "south"):
        facts["forward"] = board.forward
    if len(board.squares) != board.files * board.ranks:
        if ruleset.custodial and ruleset.custodial.corner:
            facts["corners"] = [square for square in range(len(board.squares)) if board.is_corner(square)]
        if any(isinstance(ending, schema.Line) and "diagonal" in ending.along for ending in ruleset.endings):
            facts["diagonals"] = lowered.diagonals
    return facts


def _facts(lowered: Lowered) -> bytes:
    """All that decides a match but for the limits, in a canonical form."""
    ruleset, patterns = lowered.ruleset, lowered.patterns
    board = ruleset.board
    # A mechanism that a game does not use is left out, so that a new one changes the digest of none but its users.
    facts: dict[str, Any] = {
        "lines": lowered.lines,
        "camps": sorted(board.camps),
        "headquarters": [sorted(squares) for squares in board.headquarters],
        "teams": ruleset.teams,
        "last-side-wins": ruleset.last_side_wins,
        "counts": [kind.count for kind in ruleset.kinds],
        "zones": [[sorted(squares) for squares in zone.allowed] for zone in ruleset.zones],
        "patterns": [[reach.rays for reach in pattern] for pattern in patterns],
        "hops": [[reach.hops for reach in pattern] for pattern in patterns] if _hops(patterns) else None,
        "pattern-of": lowered.pattern_of,
        "combat": [ruleset.combat.outcomes, ruleset.combat.reveal] if ruleset.combat else None,
        "rails": board.rails or None,
        "branches": [[reach.branches for reach in pattern] for pattern in patterns] if board.rails else None,
        "turning": [any(reach.turning for reach in pattern) for pattern in patterns] if board.rails else None,
        "headquarters-freeze": ruleset.headquarters_freeze,
        "partner-view": ruleset.partner_view,
        "death-shows": ruleset.combat.death_shows if ruleset.combat else None,
        "borrows": ruleset.combat.borrows if ruleset.combat else None,
        "custodial": ruleset.custodial is not None,
        "capture": _custodial_facts(ruleset),
        "perfect-information": ruleset.perfect_information,
        "fixed-start": ruleset.fixed_start,
        "line-barred": [sorted(squares) for squares in ruleset.line_barred] if any(ruleset.line_barred) else None,
        "two-squares": ruleset.two_squares,
        "more-squares": ruleset.more_squares,
        "endings": lowered.endings,
        "goal": [sorted(squares) for squares in ruleset.goal],
        **_uncommon_facts(lowered),
    }
    used = {name: fact for name, fact in facts.items() if fact not in (None, False, 0, [], ())}
    return json.dumps(used, sort_keys=True, separators=(",", ":")).encode()
