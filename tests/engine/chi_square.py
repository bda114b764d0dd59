"""Whether frequencies fit equal chances."""

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist

UNLIKELY = NormalDist().inv_cdf(1 - 1e-6)


def statistic(observed: Sequence[int], shares: Sequence[int]) -> float:
    """Pearson's statistic of frequencies that should be in proportion to the shares."""
    whole, drawn = sum(shares), sum(observed)
    expected = [drawn * share / whole for share in shares]
    return sum((count - mean) ** 2 / mean for count, mean in zip(observed, expected, strict=True))


def threshold(outcomes: int) -> float:
    """What the statistic of so many outcomes passes once in a million times, if the shares are right.

    Wilson and Hilferty's approximation: within 1 % from ten degrees of freedom on, too high by 7 % for three of them
    and by 15 % for one.
    """
    freedom = outcomes - 1
    return freedom * float((1 - 2 / (9 * freedom) + UNLIKELY * sqrt(2 / (9 * freedom))) ** 3)
