"""Counting tables and assignments, against going through all permutations. How they are drawn: test_samples.py."""

import random
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from math import factorial

from engine_core.assignments import Assignments, usable
from engine_core.contingency import Tables

SEED = 11


def sums(rng: random.Random, total: int, most: int) -> list[int]:
    """Numbers from 1 with this total, at most so many."""
    cuts = sorted(rng.sample(range(1, total), min(rng.randrange(most), total - 1)))
    return [after - before for before, after in zip([0, *cuts], [*cuts, total], strict=True)]


def open_columns(rng: random.Random, rows: int, columns: int, density: float) -> list[list[int]]:
    return [[column for column in range(columns) if rng.random() < density] for _ in range(rows)]


def spread(numbers: list[int]) -> list[int]:
    """The index of each number, that many times."""
    return [index for index, number in enumerate(numbers) for _ in range(number)]


def placed(rows: list[int], columns: list[int], open_to: list[list[int]]) -> Counter[tuple[tuple[int, int], ...]]:
    """In how many ways distinct things can be put to distinct places, by the table that this makes.

    A table is given as the row and column of each thing, sorted.
    """
    found: Counter[tuple[tuple[int, int], ...]] = Counter()
    things = spread(rows)
    for places in permutations(spread(columns)):
        if all(column in open_to[row] for row, column in zip(things, places, strict=True)):
            found[tuple(sorted(zip(things, places, strict=True)))] += 1
    return found


def cases() -> Iterator[tuple[list[int], list[int], list[list[int]]]]:
    print(f"seed {SEED}")
    rng = random.Random(SEED)
    for _ in range(120):
        total = rng.randint(1, 6)
        rows, columns = sums(rng, total, 5), sums(rng, total, 5)
        yield rows, columns, open_columns(rng, len(rows), len(columns), rng.choice((0.5, 0.8, 1.0)))


def test_tables() -> None:
    possible = 0
    for rows, columns, open_to in cases():
        expected = placed(rows, columns, open_to)
        tables = Tables(rows, columns, open_to)
        assert tables.weight == expected.total(), (rows, columns, open_to)
        if not expected:
            continue
        possible += len(expected) > 1
        totals: Counter[tuple[int, int]] = Counter()
        for table, ways in expected.items():
            for cell in table:
                totals[cell] += ways
        assert {cell: total for cell, total in tables.totals().items() if total} == totals, (rows, columns, open_to)
    assert possible >= 30


def test_other_threads_go_on_while_tables_are_counted() -> None:
    """One counts its turns; another fills the same tables at the same time, and finds the same."""
    rows, every = [3] * 6, [list(range(6))] * 6
    tables, turns, done = Tables(rows, rows, every), [0], threading.Event()

    def run() -> None:
        while not done.is_set():
            turns[0] += 1

    with ThreadPoolExecutor(2) as pool:
        pool.submit(run)
        second = pool.submit(tables.totals)
        try:
            before = turns[0]
            first = tables.totals()
            after = turns[0]
        finally:
            done.set()
    assert after > before
    assert tables.weight == factorial(18)  # all open: every order of the things
    assert first == second.result() == {(row, column): factorial(18) // 2 for row in range(6) for column in range(6)}


def test_sums_that_differ_have_no_table() -> None:
    assert Tables([2], [1], [[0]]).weight == 0
    assert Tables([1, 1], [2], [[0], []]).weight == 0


def assignments(domains: list[int], counts: list[int]) -> set[tuple[int, ...]]:
    """All ways to give each piece a kind of its domain, so that the kinds are used up."""
    return {
        kinds
        for kinds in set(permutations(spread(counts)))
        if all(domain >> kind & 1 for domain, kind in zip(domains, kinds, strict=True))
    }


def rosters() -> Iterator[tuple[list[int], list[int]]]:
    """Domains of pieces, and how many there are of each kind; a kind may be missing."""
    print(f"seed {SEED}")
    rng = random.Random(SEED)
    for _ in range(200):
        kinds, pieces = rng.randint(1, 5), rng.randint(1, 7)
        counts = Counter(rng.choices(range(kinds), k=pieces))
        every = (1 << kinds) - 1
        domains = [rng.choice((every, every, rng.randrange(1, every + 1))) for _ in range(pieces)]
        yield domains, [counts[kind] for kind in range(kinds)]


def test_assignments() -> None:
    several = 0
    for domains, counts in rosters():
        expected = assignments(domains, counts)
        found = Assignments(tuple(domains), tuple(counts))
        assert found.count == len(expected), (domains, counts)
        if expected:
            marginals = [Counter(kinds[piece] for kinds in expected) for piece in range(len(domains))]
            assert found.counts == marginals, (domains, counts)
        several += len(expected) > 1
    assert several >= 50


def test_usable_domains_lose_nothing() -> None:
    narrowed = impossible = 0
    for domains, counts in rosters():
        expected, kept = assignments(domains, counts), usable(domains, tuple(counts))
        if kept is None:
            assert not expected, (domains, counts)
            impossible += 1
            continue
        assert all(kept[piece] >> kind & 1 for kinds in expected for piece, kind in enumerate(kinds))
        assert all(after & ~before == 0 for before, after in zip(domains, kept, strict=True))
        narrowed += kept != domains
    assert narrowed >= 10
    assert impossible >= 3


def test_a_roster_of_forty() -> None:
    """Section 15 of the rules: the arrangements of hidden-capture-flag; and those with the flag in two places."""
    counts = (1, 1, 2, 3, 4, 4, 4, 5, 8, 1, 6, 1)
    every = (1 << 12) - 1
    everywhere = Assignments((every,) * 40, counts)
    assert everywhere.count == 1_411_873_643_675_199_617_616_832_128_000_000
    assert everywhere.counts[0] == {kind: everywhere.count * count // 40 for kind, count in enumerate(counts)}
    no_flag = every & ~(1 << 11)
    assert Assignments((every, every, *[no_flag] * 38), counts).count == everywhere.count // 20
