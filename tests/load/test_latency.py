"""Percentiles of latencies, on known numbers."""

from load.latency import percentiles


def test_percentiles() -> None:
    assert percentiles(list(range(101))) == (50.0, 99.0)
    assert percentiles([5, 1, 3]) == (3.0, 4.96)
