"""Lowering: a `Ruleset` becomes plain numbers, as the compiled core reads them, and a digest that names these rules.

The digest covers what decides a match and nothing else: no names, letters, texts or ids of kinds.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from engine_core import schema
from engine_core.board import DIRECTIONS, Board
from engine_core.ruleset import Movement, Ruleset

DIGEST_SIZE = 16

Rays = tuple[tuple[int, ...], ...]
"""Squares in the order in which a piece runs over them; it stops before its own side and on an enemy."""


@dataclass(frozen=True, slots=True)
class Lowered:
    """The tables of the core. Seats and kinds count from 1, so that 0 can stand for none."""

    ruleset: Ruleset
    neighbours: Rays
    """For each square its orthogonal neighbours."""
    lines: tuple[Rays, ...]
    """For each square its rays north, east, south and west, up to the edge."""
    patterns: tuple[tuple[Rays, ...], ...]
    """patterns[p][square]: the rays of a piece of pattern p. Pattern 0 never moves."""
    pattern_of: tuple[tuple[int, ...], ...]
    """pattern_of[seat - 1][kind]: which pattern a kind (from 0) of a seat has."""
    shown: tuple[tuple[int, ...], ...]
    """For each seat the sets of kinds (bit 1 << kind) that one move can show to be able to make it."""
    endings: tuple[tuple[str, Any], ...]
    """What ends a match, in order of precedence, each with its parameters."""
    digest: bytes


def lower(ruleset: Ruleset) -> Lowered:
    """The tables of a ruleset."""
    board = ruleset.board
    squares = range(len(board.squares))
    lines = tuple(tuple(board.ray(square, direction) for direction in DIRECTIONS) for square in squares)
    neighbours = tuple(tuple(sorted(ray[0] for ray in rays if ray)) for rays in lines)
    patterns: list[tuple[Rays, ...]] = [tuple(() for _ in squares)]
    pattern_of: list[tuple[int, ...]] = []
    for seat in range(1, ruleset.seats + 1):
        known: dict[Movement, int] = {}
        for movement in {kind.movement: None for kind in ruleset.kinds}:
            pattern = tuple(_rays(board, seat, movement, square) for square in squares)
            if pattern not in patterns:
                patterns.append(pattern)
            known[movement] = patterns.index(pattern)
        pattern_of.append(tuple(known[kind.movement] for kind in ruleset.kinds))
    index = {kind.id: number for number, kind in enumerate(ruleset.kinds)}
    endings = tuple(_ending(ending, index) for ending in ruleset.endings)
    digest = _digest(ruleset, lines, patterns, pattern_of, endings)
    shown = tuple(_shown(patterns, row) for row in pattern_of)
    return Lowered(ruleset, neighbours, lines, tuple(patterns), tuple(pattern_of), shown, endings, digest)


def _rays(board: Board, seat: int, movement: Movement, square: int) -> Rays:
    if movement.fly:
        return tuple((target,) for target in range(len(board.squares)) if target != square)
    rays = []
    for way, reach in (
        ("forward", movement.forward),
        ("right", movement.sideways),
        ("backward", movement.backward),
        ("left", movement.sideways),
    ):
        ray = board.ray(square, board.turned(seat, way))[:reach]
        if ray:
            rays.append(ray)
    return tuple(sorted(rays))


def _shown(patterns: list[tuple[Rays, ...]], row: tuple[int, ...]) -> tuple[int, ...]:
    """What one move can tell: which kinds reach its target when the way is clear, and which when it is not."""
    kinds_of = {pattern: sum(1 << kind for kind, other in enumerate(row) if other == pattern) for pattern in row}
    sets: set[int] = set()
    for square in range(len(patterns[0])):
        clear: dict[int, int] = {}
        direct: dict[int, int] = {}
        for pattern, kinds in kinds_of.items():
            for ray in patterns[pattern][square]:
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
        case schema.FlagReached(kinds=kinds, arrival=arrival):
            return ending.when, [sorted(index[kind] for kind in kinds), arrival]
        case schema.CaptureThreshold(left=left):
            return ending.when, left
        case schema.Repetition(occurrences=occurrences):
            return ending.when, occurrences
        case schema.NoLegalMove(stuck=stuck, both_stuck=both_stuck):
            return ending.when, [stuck, both_stuck]
        case schema.FlagCaptured():
            return ending.when, None


def _digest(
    ruleset: Ruleset,
    lines: tuple[Rays, ...],
    patterns: list[tuple[Rays, ...]],
    pattern_of: list[tuple[int, ...]],
    endings: tuple[tuple[str, Any], ...],
) -> bytes:
    board = ruleset.board
    # A mechanism that a game does not use is left out, so that a new one changes the digest of none but its users.
    facts: dict[str, Any] = {
        "lines": lines,
        "camps": sorted(board.camps),
        "headquarters": [sorted(squares) for squares in board.headquarters],
        "teams": ruleset.teams,
        "last-side-wins": ruleset.last_side_wins,
        "counts": [kind.count for kind in ruleset.kinds],
        "zones": [[sorted(squares) for squares in zone.allowed] for zone in ruleset.zones],
        "patterns": patterns,
        "pattern-of": pattern_of,
        "combat": [ruleset.combat.outcomes, ruleset.combat.reveal] if ruleset.combat else None,
        "custodial": ruleset.custodial,
        "two-squares": ruleset.two_squares,
        "more-squares": ruleset.more_squares,
        "endings": endings,
        "goal": [sorted(squares) for squares in ruleset.goal],
        "ply-limit": ruleset.ply_limit,
        "quiet-limit": ruleset.quiet_limit,
        "reveal-at-end": ruleset.reveal_at_end,
    }
    used = {name: fact for name, fact in facts.items() if fact not in (None, False, 0, [], ())}
    text = json.dumps(used, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=DIGEST_SIZE).digest()
