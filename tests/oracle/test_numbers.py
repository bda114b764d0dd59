"""The oracle against published numbers: matrix totals, arrangements, move sequences."""

from collections import Counter
from collections.abc import Iterator
from math import comb
from typing import Any

import pytest

from . import GAMES, Match, Rules, game
from .contact import Battle
from .shared_data import by_seat, combat, needs_data, positions

TOTALS = {
    "luzhanqi-mini": {"A": 7, "D": 9, "B": 14, "A!": 5},
    "salpakan-classic": {"A": 91, "D": 91, "B": 14, "A!": 15, "D!": 14},
    "hidden-capture-flag": {"A": 47, "D": 53, "B": 10, "A!": 10},
    "gunjin-shogi": {"A": 93, "D": 103, "B": 29, "A!": 15},
    "luzhanqi": {"A": 37, "D": 36, "B": 37, "A!": 9, "B!": 1},
    "luzhanqi-tournament": {"A": 37, "D": 44, "B": 29, "A!": 9, "B!": 1},
    "luzhanqi-four": {"A": 37, "D": 36, "B": 37, "A!": 9, "B!": 1},
    "gunjin-shogi-23": {"A": 93, "D": 91, "B": 26},
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
    ("gunjin-shogi-23", {}, 151_676_234_572_262_400_000),
    ("luzhanqi", {}, 709_596_419_051_520_000),
    ("luzhanqi-tournament", {}, 709_596_419_051_520_000),
    ("luzhanqi-four", {}, 709_596_419_051_520_000),
]

SEQUENCES = {
    "HH24": [35, 1_120, 43_990],
    "HH38": [63, 3_717],
    "LM26": [7, 49, 588],
    "SP13": [16, 160, 3_340],
    "HC10": [6, 36, 384],
    "GS18": [115, 13_017],
    "HS01": [63, 3_717],
    "DH01": [45, 1_890],
    "MY01": [32, 1_008],
    "HF01": [54, 2_772],
    "LZ01": [35, 1_228],
    "SG01": [43, 1_841],
    "SG02": [46, 2_099],
    "GT01": [10, 116, 1_624],
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
    checked = Counter[str]()
    for entry in combat()["matrices"].values():
        for name in entry["games"]:
            rules = game(name, entry["options"])
            cells = {
                (attacker, defender): letter
                for attacker, row in entry["matrix"].items()
                for defender, letter in row.items()
                if attacker in rules.roster and defender in rules.roster
            }
            assert matrix(rules) == cells
            checked[name] += 1
    assert set(checked) == {*TOTALS, "capture-flag-tournament", "capture-flag-barrage"}
    assert checked["luzhanqi-four"] == checked["gunjin-shogi-23"] == checked["salpakan-classic"] == 2


@needs_data
def test_rosters() -> None:
    named = set()
    for title, roster in combat()["rosters"].items():
        name, *options = title.split()
        assert game(name, dict(option.split("=") for option in options)).roster == roster
        named.add(name)
    assert named == set(GAMES)


def test_strength_in_gunjin_23() -> None:
    """Against each of the 22 enemy pieces that are no flag."""
    rules = game("gunjin-shogi-23")
    letters = matrix(rules)
    enemies = [kind for kind, number in rules.roster.items() for _ in range(number) if kind != "flag"]
    expected = {"general": (18, 3), "lieutenant-general": (18, 3), "major-general": (17, 3)}
    for kind, (won, drawn) in {**expected, "lieutenant-colonel": (11, 3)}.items():
        counts = Counter(letters[kind, enemy] for enemy in enemies)
        assert (counts["A"], counts["B"]) == (won, drawn), kind


def test_won_and_lost_mirror_each_other() -> None:
    """Whoever attacks, except for spy and marshal, miner and bomb, and what cannot attack."""
    one_way = {("spy", "marshal"), ("marshal", "spy")}
    for name in TOTALS:
        cells = matrix(game(name))
        for (attacker, defender), letter in cells.items():
            if (defender, attacker) in cells and "flag" not in (attacker, defender):
                back = cells[defender, attacker]
                expected = {"A": "D", "D": "A", "B": "B"}[letter]
                assert back == expected or (name == "hidden-capture-flag" and (attacker, defender) in one_way)


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
    order = sorted(rules.kinds, key=lambda kind: len(allowed[kind]))

    def count(kinds: list[str], free: Counter[frozenset[str]]) -> int:
        if not kinds:
            return 1
        # Squares that allow the same of the kinds still to come are alike: only their number matters.
        alike = Counter[frozenset[str]]()
        for kind_set, number in free.items():
            alike[kind_set & frozenset(kinds)] += number
        usable = [kind_set for kind_set in alike if kinds[0] in kind_set]
        total = 0
        for split in splits(rules.roster[kinds[0]], len(usable)):
            ways, rest = 1, alike.copy()
            for kind_set, number in zip(usable, split, strict=True):
                ways *= comb(alike[kind_set], number)
                rest[kind_set] -= number
            total += ways and ways * count(kinds[1:], rest)
        return total

    each = [frozenset(kind for kind in rules.kinds if square in allowed[kind]) for square in squares]
    return count(order, Counter(each))


def splits(number: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (number,)
        return
    for first in range(number + 1):
        for rest in splits(number - first, parts - 1):
            yield first, *rest


@pytest.mark.parametrize(("name", "options", "number"), ARRANGEMENTS)
def test_arrangements(name: str, options: dict[str, str], number: int) -> None:
    rules = game(name, options)
    assert [arrangements(rules, seat) for seat in rules.all_seats] == [number] * rules.seats


@pytest.mark.parametrize("seat", [1, 2])
def test_camps_at_the_start_of_luzhanqi(seat: int) -> None:
    """Flag on 2 posts, 3 mines on the 9 others of two rows, 2 bombs on 25 - 4, the rest anywhere."""
    rules = game("luzhanqi", {"camp_setup": "on"})
    ranked = [number for kind, number in rules.roster.items() if kind not in ("flag", "mine", "bomb")]
    ways, left = 2 * comb(9, 3) * comb(25 - 4, 2), 30 - 6
    for number in ranked:
        ways, left = ways * comb(left, number), left - number
    assert left == 5
    assert arrangements(rules, seat) == ways


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
