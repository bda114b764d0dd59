"""Pairwise coverage of options: few choices in which every two values of different options meet."""

import random
from collections.abc import Mapping
from itertools import combinations, product

Choice = dict[str, str]
Pair = tuple[tuple[str, str], tuple[str, str]]


def all_pairs(options: Mapping[str, tuple[str, ...]]) -> set[Pair]:
    """Every two values of two options, the options in alphabetical order."""
    return {
        ((one, value), (other, second))
        for one, other in combinations(sorted(options), 2)
        for value, second in product(options[one], options[other])
    }


def pairs_of(choice: Mapping[str, str]) -> set[Pair]:
    return set(combinations(sorted(choice.items()), 2))


def covering_choices(options: Mapping[str, tuple[str, ...]], generator: random.Random) -> list[Choice]:
    """Choices of all options that meet every pair: each begins with a missing pair and is the best of some."""
    missing = all_pairs(options)
    choices: list[Choice] = []
    while missing:
        pair = generator.choice(sorted(missing))
        candidates = [
            {option: generator.choice(values) for option, values in options.items()} | dict(pair) for _ in range(30)
        ]
        best = max(candidates, key=lambda candidate: len(pairs_of(candidate) & missing))
        missing -= pairs_of(best)
        choices.append(best)
    return choices
