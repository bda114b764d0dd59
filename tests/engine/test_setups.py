"""Arrangements: those of people, every way to break the rules, all 907,200 of luzhanqi-mini, and fair random ones."""

import gzip
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import oracle
import pytest

import engine_core
from engine_core import Game, State
from engine_core.errors import InvalidArrangement

from .shared import SHARED, needs_shared

LETTERS = {
    "M": "marshal", "G": "general", "C": "colonel", "J": "major", "P": "captain", "L": "lieutenant",
    "T": "sergeant", "N": "miner", "S": "scout", "Y": "spy", "B": "bomb", "F": "flag",
}  # fmt: skip
HASAMI = {"a1": "guard", "b1": "guard", "c1": "leader", "d1": "guard", "e1": "guard", "f1": "guard", "g1": "guard"}
MINI = {
    "a1": "mine", "b1": "flag", "c1": "mine", "d1": "bomb", "e1": "bomb", "f1": "engineer", "g1": "engineer",
    "a2": "commander", "b2": "officer", "c2": "officer", "d2": "soldier", "e2": "soldier", "f2": "soldier",
    "g2": "engineer",
}  # fmt: skip

ARRANGED = [name for name in engine_core.games() if not engine_core.load(name).ruleset.fixed_start]
"""The games with arrangements."""

Problem = tuple[str, str]
"""Square and problem word of a violation."""


def problems(state: State, seat: int, arrangement: Mapping[str, str] | Sequence[tuple[str, str]]) -> list[Problem]:
    """What is wrong with an arrangement that must be refused."""
    with pytest.raises(InvalidArrangement) as refused:
        state.arrange(seat, arrangement)
    error = refused.value
    assert error.reason == "INVALID_ARRANGEMENT"
    assert error.details["seat"] == str(seat)
    assert all(violation.description in str(error) for violation in error.violations)
    return [(violation.square, violation.problem) for violation in error.violations]


@needs_shared
def test_human_setups() -> None:
    """5,000 arrangements that people made, for each seat; seat 2's board is turned by half a circle."""
    state = engine_core.load("hidden-capture-flag").start()
    home = {
        1: [f"{file}{rank}" for rank in (1, 2, 3, 4) for file in "abcdefghij"],
        2: [f"{file}{rank}" for rank in (10, 9, 8, 7) for file in "jihgfedcba"],
    }
    with gzip.open(SHARED / "human_setups.txt.gz", "rt", encoding="ascii") as lines:
        setups = [line.strip() for line in lines]
    assert len(set(setups)) == len(setups) == 5_000
    for setup in setups:
        for seat, squares in home.items():
            arrangement = {square: LETTERS[letter] for square, letter in zip(squares, setup, strict=True)}
            after = state.arrange(seat, arrangement).state
            assert after.pieces()[seat] == arrangement


def test_all_violations_at_once() -> None:
    state = engine_core.load("luzhanqi-mini").start()
    wrong = MINI | {"a1": "marshal", "c1": "soldier", "d1": "officer", "f1": "commander"}
    wrong |= {"c2": "bomb", "f2": "mine", "a8": "mine", "z9": "spy"}
    assert sorted(problems(state, 1, wrong)) == [
        ("", "wrong-count"),  # two commanders
        ("", "wrong-count"),  # two engineers
        ("a1", "unknown-kind"),
        ("a8", "outside-zone"),
        ("c2", "kind-not-allowed-here"),
        ("f2", "kind-not-allowed-here"),
        ("z9", "unknown-kind"),
        ("z9", "unknown-square"),
    ]
    assert state.arranged == ()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"a1": "bomb", "d1": "mine"}, []),
        ({"a1": "soldier", "d2": "mine"}, [("d2", "kind-not-allowed-here")]),
        ({"d1": "soldier", "e2": "bomb"}, [("e2", "kind-not-allowed-here")]),
        ({"b1": "mine", "a1": "flag"}, [("a1", "kind-not-allowed-here")]),
        ({"b1": "engineer", "g2": "flag"}, [("g2", "kind-not-allowed-here")]),
        ({"g2": "commander"}, [("", "wrong-count"), ("", "wrong-count")]),
        ({"g2": "general"}, [("", "wrong-count"), ("g2", "unknown-kind")]),
        ({"g2": ""}, [("", "wrong-count"), ("g2", "unknown-kind")]),
        ({"a3": "engineer"}, [("", "wrong-count"), ("a3", "outside-zone")]),
        ({"a7": "mine"}, [("", "wrong-count"), ("a7", "outside-zone")]),
        ({"A1": "mine"}, [("", "wrong-count"), ("A1", "unknown-square")]),
        ({"": "mine"}, [("", "unknown-square"), ("", "wrong-count")]),
    ],
)
def test_violations(change: dict[str, str], expected: list[Problem]) -> None:
    """One change to a legal arrangement, and exactly what is wrong then."""
    state = engine_core.load("luzhanqi-mini").start()
    if expected:
        assert sorted(problems(state, 1, MINI | change)) == expected
    else:
        assert state.arrange(1, MINI | change).state.arranged == (1,)


def test_missing_pieces() -> None:
    state = engine_core.load("luzhanqi-mini").start()
    assert problems(state, 1, {}) == [("", "wrong-count")] * 7
    without = {square: kind for square, kind in MINI.items() if square != "b1"}
    assert problems(state, 1, without) == [("", "wrong-count")]


def test_a_square_used_twice() -> None:
    """Pairs can name a square twice, a mapping cannot."""
    state = engine_core.load("luzhanqi-mini").start()
    pairs = [(square, kind) for square, kind in MINI.items() if square != "g2"]
    assert problems(state, 1, [*pairs, ("f2", "engineer")]) == [("f2", "square-used-twice")]
    assert sorted(problems(state, 1, [*MINI.items(), ("a1", "mine")])) == [
        ("", "wrong-count"),
        ("a1", "square-used-twice"),
    ]
    assert state.arrange(1, MINI.items()).state == state.arrange(1, MINI).state


def test_descriptions_say_what_would_be_right() -> None:
    state = engine_core.load("luzhanqi-mini").start()
    with pytest.raises(InvalidArrangement) as refused:
        state.arrange(2, MINI)
    text = str(refused.value)
    assert "a1 is not in the zone of seat 2, which is a7-g7, a8-g8." in text
    with pytest.raises(InvalidArrangement) as refused:
        state.arrange(1, MINI | {"b1": "mine", "a1": "flag"})
    assert "A flag may not stand on a1; it may on b1, f1." in str(refused.value)
    with pytest.raises(InvalidArrangement) as refused:
        state.arrange(1, MINI | {"g2": "tank"})
    assert "commander, officer, soldier, engineer, bomb, mine, flag" in str(refused.value)
    assert "The roster has 3 engineer, not 2." in str(refused.value)


def all_mini(game: Game) -> Iterator[tuple[int, ...]]:
    """Every arrangement that the validator's zones and counts allow: for each square of the zone a kind."""
    zone = game.ruleset.zones[0]
    squares = sorted(zone.squares)
    kinds = game.ruleset.kinds
    order = sorted(range(len(kinds)), key=lambda kind: len(zone.allowed[kind]))

    def place(left: list[int], board: dict[int, int]) -> Iterator[tuple[int, ...]]:
        if not left:
            if len(board) == len(squares):
                yield tuple(board[square] for square in squares)
            return
        kind = left[0]
        free = [square for square in zone.allowed[kind] if square not in board]
        for chosen in combinations(free, kinds[kind].count):
            yield from place(left[1:], board | dict.fromkeys(chosen, kind))

    return place(order, {})


def test_all_arrangements_of_luzhanqi_mini() -> None:
    """907,200 by the validator's own rules; a sample passes through it, with near misses that the oracle judges."""
    game = engine_core.load("luzhanqi-mini")
    rules = oracle.game("luzhanqi-mini")
    state = game.start()
    names = [game.squares[square] for square in sorted(game.ruleset.zones[0].squares)]
    generator = random.Random(20)
    count = accepted = refused = 0
    seen = set()
    for row in all_mini(game):
        count += 1
        if count % 400:
            continue
        arrangement = {name: game.kinds[kind] for name, kind in zip(names, row, strict=True)}
        seen.add(row)
        assert rules.arrangement_problems(1, arrangement) == set()
        state.arrange(1, arrangement)
        accepted += 1
        one, other = generator.sample(names, 2)
        near = arrangement | {one: arrangement[other], other: arrangement[one]}
        if generator.random() < 0.3:
            near[one] = generator.choice(game.kinds)
        expected = rules.arrangement_problems(1, near)
        if expected:
            refused += 1
            assert {problem for _, problem in problems(state, 1, near)} == expected
        else:
            state.arrange(1, near)
    assert count == game.arrangement_count(1) == game.arrangement_count(2) == 907_200
    assert accepted == len(seen) == 2_268
    assert refused > 500


@pytest.mark.parametrize(
    ("name", "options", "count"),
    [
        ("hidden-hasami", {}, 7),
        ("hidden-hasami", {"board": "9x9"}, 9),
        ("luzhanqi-mini", {}, 907_200),
        ("salpakan-classic", {}, 10_502_381_800_172_021_760_000),
        ("hidden-capture-flag", {}, 1_411_873_643_675_199_617_616_832_128_000_000),
        ("gunjin-shogi", {}, 23_492_193_210_616_648_938_974_281_728_000_000),
    ],
)
def test_arrangement_count(name: str, options: dict[str, str], count: int) -> None:
    game = engine_core.load(name, **options)
    assert [game.arrangement_count(seat) for seat in game.seats] == [count, count]


def unlikely(cells: int) -> float:
    """A chi-square value that fair draws exceed once in 10,000 times (Wilson and Hilferty)."""
    degrees = cells - 1
    return float(degrees * (1 - 2 / (9 * degrees) + 3.719 * (2 / (9 * degrees)) ** 0.5) ** 3)


def chi_square(counts: Counter[str], cells: int, draws: int) -> float:
    expected = draws / cells
    absent = (cells - len(counts)) * expected
    return absent + sum((count - expected) ** 2 / expected for count in counts.values())


@pytest.mark.parametrize(("name", "seat", "cells"), [("hidden-hasami", 1, 7), ("hidden-hasami", 2, 7)])
def test_every_leader_file_has_the_same_chance(name: str, seat: int, cells: int) -> None:
    game = engine_core.load(name)
    draws, first = 7_000, 1_000 * seat
    print(f"seeds {first} to {first + draws - 1}")
    counts: Counter[str] = Counter()
    for seed in range(first, first + draws):
        arrangement = game.random_arrangement(seat, seed=seed)
        counts[next(square for square, kind in arrangement.items() if kind == "leader")] += 1
    assert len(counts) == cells
    assert chi_square(counts, cells, draws) < unlikely(cells)


@pytest.mark.parametrize("seat", [1, 2])
def test_every_placement_of_flag_and_mines_has_the_same_chance(seat: int) -> None:
    """Two squares for the flag, and for each fifteen pairs for the mines."""
    game = engine_core.load("luzhanqi-mini")
    draws, first = 9_000, 50_000 * seat
    print(f"seeds {first} to {first + draws - 1}")
    counts: Counter[str] = Counter()
    for seed in range(first, first + draws):
        arrangement = game.random_arrangement(seat, seed=seed)
        counts[" ".join(sorted(s + k for s, k in arrangement.items() if k in ("flag", "mine")))] += 1
    assert len(counts) == 30
    assert chi_square(counts, 30, draws) < unlikely(30)


@pytest.mark.parametrize("name", ARRANGED)
def test_random_arrangements_are_legal_and_follow_their_seed(name: str) -> None:
    game = engine_core.load(name)
    state = game.start()
    distinct = set()
    for seed in range(50):
        for seat in game.seats:
            arrangement = game.random_arrangement(seat, seed=seed)
            assert arrangement == game.random_arrangement(seat, seed=seed)
            assert state.arrange(seat, arrangement).state.pieces()[seat] == arrangement
            distinct.add((seat, tuple(sorted(arrangement.items()))))
    assert len(distinct) >= (14 if name == "hidden-hasami" else 100)
