"""Metrics that are counted in C are scraped as those of Prometheus' own client are."""

import random

import pytest
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from service.collectors import Counts, Times
from service.counters import BOUNDS

SEED = 5


def text_of(registry: CollectorRegistry) -> str:
    """What is scraped, without the times of creation and the sums, which floats round in the order of adding."""
    lines = generate_latest(registry).decode().splitlines()
    return "\n".join(
        line if line[:1] == "#" or "_sum{" not in line else "" for line in lines if "_created{" not in line
    )


def test_counts_are_scraped_as_counters() -> None:
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    ours, theirs = CollectorRegistry(), CollectorRegistry()
    counts = Counts("calls", 'Calls of "all" \\ sorts.', ("method", "code"), ours)
    counter = Counter("calls", 'Calls of "all" \\ sorts.', ("method", "code"), registry=theirs)
    assert text_of(ours) == text_of(theirs)
    for _ in range(200):
        labels, more = (chance.choice("ab"), chance.choice(('"', "é", "OK"))), chance.choice((1, 7, 1 << 40))
        counts.of(*labels).add(more)
        counter.labels(*labels).inc(more)
    counts.of("never", "OK")
    counter.labels("never", "OK")
    assert text_of(ours) == text_of(theirs)


def test_times_are_scraped_as_histograms() -> None:
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    ours, theirs = CollectorRegistry(), CollectorRegistry()
    times = Times("seconds", "Time of calls.", ("method",), ours)
    histogram = Histogram("seconds", "Time of calls.", ("method",), registry=theirs, buckets=BOUNDS)
    at_bounds = [round(bound * 1e9) + more for bound in BOUNDS for more in (-1, 0, 1)]
    for nanos in (0, *at_bounds, *(round(10 ** chance.uniform(3, 11)) for _ in range(500))):
        method = chance.choice("ab")
        times.of(method).add(nanos)
        histogram.labels(method).observe(nanos / 1e9)
    assert text_of(ours) == text_of(theirs)
    assert sums(ours) == pytest.approx(sums(theirs))


def sums(registry: CollectorRegistry) -> dict[str, float]:
    """The sums of a scrape by method."""
    return {
        sample.labels["method"]: sample.value
        for family in text_string_to_metric_families(generate_latest(registry).decode())
        for sample in family.samples
        if sample.name.endswith("_sum")
    }


def test_times_of_creation_are_scraped() -> None:
    ours, theirs = CollectorRegistry(), CollectorRegistry()
    Counts("calls", "Calls.", ("method",), ours).of("a")
    Times("seconds", "Time.", ("method",), ours).of("a")
    Counter("calls", "Calls.", ("method",), registry=theirs).labels("a")
    Histogram("seconds", "Time.", ("method",), registry=theirs, buckets=BOUNDS).labels("a")
    told, created = (
        {sample.name: sample.value for family in registry.collect() for sample in family.samples}
        for registry in (ours, theirs)
    )
    assert told.keys() == created.keys()
    assert told == pytest.approx(created, abs=60)
