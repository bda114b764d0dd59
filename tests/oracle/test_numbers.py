"""The oracle against published numbers: matrix totals, arrangements, move sequences."""

from collections import Counter
from collections.abc import Iterator
from math import comb
from typing import Any

import pytest

from . import Match, Rules, game
from .contact import Battle
from .shared_data import by_seat, combat, needs_data, positions

TOTALS = {
    "luzhanqi-mini": {"A": 7, "D": 9, "B": 14, "A!": 5},
    "salpakan-classic": {"A": 91, "D": 91, "B": 14, "A!": 15, "D!": 14},
    "hidden-capture-flag": {"A": 47, "D": 53, "B": 10, "A!": 10},
    "gunjin-shogi": {"A": 93, "D": 103, "B": 29, "A!": 15},
}

ARRANGEMENTS = [
    ("hidden-hasami", {}, 7),
    ("hidden-hasami", {"board": "9x9"}, 9),
    ("luzhanqi-mini", {}, 907_200),
    ("salpakan-classic", {}, 10_502_381_800_172_021_760_000),
    ("hidden-capture-flag", {}, 1_411_873_643_675_199_617_616_832_128_000_000),
    ("capture-flag-tournament", {}, 1_411_873_643_675_199_617_616_832_128_000_000),
    ("capture-flag-barrage", {}, 1_550_398_449_600),
    ("gunjin-shogi", {}, 23_492_193_210_616_648_938_974_281_728_000_000),
]

SEQUENCES = {
    "HH24": [35, 1_120, 43_990],
    "HH38": [63, 3_717],
    "LM26": [7, 49, 588],
    "SP13": [16, 160, 3_340],
    "HC10": [6, 36, 384],
    "GS18": [115, 13_017],
    "BG01": [36, 1_258],
    "TT23": [6, 36, 384],
}


def matrix(rules: Rules) -> dict[tuple[str, str], str]:
    assert isinstance(rules.contact, Battle)
    return dict(rules.contact.matrix)


@pytest.mark.parametrize("name", TOTALS)
def test_matrix_totals(name: str) -> None:
    assert Counter(matrix(game(name)).values()) == TOTALS[name]


@needs_data
def test_matrices_cell_by_cell() -> None:
    checked = set()
    for entry in combat()["matrices"].values():
        for name in set(entry["games"]) & set(TOTALS):
            cells = {
                (attacker, defender): letter
                for attacker, row in entry["matrix"].items()
                for defender, letter in row.items()
            }
            assert matrix(game(name, entry["options"])) == cells
            checked.add(name)
    assert checked == set(TOTALS)


def arrangements(rules: Rules, seat: int) -> int:
    """Count them by giving each kind in turn its squares, the restricted kinds first."""
    squares = rules.zone(seat)
    allowed = {
        kind: frozenset(
            square
            for square in squares
            if "kind-not-allowed-here" not in rules.arrangement_problems(seat, {square: kind})
        )
        for kind in rules.kinds
    }
    # Squares that allow the same kinds are alike, so only their number matters.
    classes = Counter(frozenset(kind for kind in rules.kinds if square in allowed[kind]) for square in squares)
    order = sorted(rules.kinds, key=lambda kind: len(allowed[kind]))

    def count(kinds: list[str], free: dict[frozenset[str], int]) -> int:
        if not kinds:
            return 1
        usable = [kind_set for kind_set in free if kinds[0] in kind_set]
        total = 0
        for split in splits(rules.roster[kinds[0]], len(usable)):
            ways, rest = 1, dict(free)
            for kind_set, number in zip(usable, split, strict=True):
                ways *= comb(free[kind_set], number)
                rest[kind_set] -= number
            total += ways and ways * count(kinds[1:], rest)
        return total

    return count(order, dict(classes))


def splits(number: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (number,)
        return
    for first in range(number + 1):
        for rest in splits(number - first, parts - 1):
            yield first, *rest


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize(("name", "options", "number"), ARRANGEMENTS)
def test_arrangements(name: str, options: dict[str, str], number: int, seat: int) -> None:
    assert arrangements(game(name, options), seat) == number


def sequences(match: Match, depth: int) -> int:
    """Sequences of exactly `depth` moves; a match that has ended has no further ones."""
    moves = match.legal_moves()
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = match.clone()
        after.play(move)
        total += sequences(after, depth - 1)
    return total


@needs_data
@pytest.mark.parametrize("case_id", SEQUENCES)
def test_move_sequences(case_id: str) -> None:
    case: dict[str, Any] = next(case for case in positions() if case["id"] == case_id)
    rules = game(case["game"], case["options"])
    match = rules.position(by_seat(case["pieces"]), case["to_move"])
    counts = [sequences(match, depth + 1) for depth in range(len(SEQUENCES[case_id]))]
    assert counts == SEQUENCES[case_id]
