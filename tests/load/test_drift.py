"""Drift, on known numbers."""

import pytest

from load.drift import drift


def test_the_last_third_is_compared_with_the_first() -> None:
    """Of twenty samples the first two do not count, and of the rest six are a third."""
    values = [900.0, 900, 1, 2, 3, 5, 6, 7, *[50.0] * 6, 8, 9, 10, 12, 13, 14]
    found = drift(values, 2.74)
    assert (found.first, found.last) == (4, 11)
    assert (found.ratio, found.met) == (2.75, False)
    assert drift(values, 2.75).met


def test_the_quietest_quarter_does_not_mind_what_others_do_to_the_rest() -> None:
    """Of eight samples one does not count, and of the rest two are a third: their 25th percentile is a quarter of the
    way from the one to the other."""
    found = drift([7.0, 1, 5, 7, 7, 7, 1, 9], 1.5, 25)
    assert (found.first, found.last) == (2, 3)


def test_what_becomes_less_is_no_drift() -> None:
    assert drift([4.0, 3, 2, 1], 1.0).met


def test_too_few_samples_are_refused() -> None:
    with pytest.raises(ValueError, match="3 samples say nothing of a drift; 4 are needed"):
        drift([1.0, 2, 3], 1.0)
