"""Families of metrics that are counted in C and read when Prometheus asks, told as its own client tells them."""

from abc import abstractmethod
from collections.abc import Iterable
from itertools import accumulate
from time import time
from typing import Final, Generic, TypeVar

from prometheus_client import CollectorRegistry, Counter, Metric
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample

from service.counters import BOUNDS, Count, Durations

_T = TypeVar("_T", Count, Durations)

_DATED: Final = any(
    sample.name.endswith("_created") for metric in Counter("any", "Any.", registry=None).collect()
    for sample in metric.samples
)  # fmt: skip
"""Whether times of creation are told, which the environment decides."""
_BOUNDS: Final = [*map(str, BOUNDS), "+Inf"]


class _Family(Collector, Generic[_T]):
    """Members by the values of their labels."""

    _made: type[_T]
    _type: str

    def __init__(self, name: str, documentation: str, labels: tuple[str, ...], registry: CollectorRegistry) -> None:
        self._name = name
        self._documentation = documentation
        self._labels = labels
        self._members: dict[tuple[str, ...], tuple[_T, float]] = {}
        registry.register(self)

    def of(self, *values: str) -> _T:
        """The member with these values of the labels, in their order; exported from now on."""
        member = self._members.get(values)
        if member is None:  # another thread may have made it meanwhile
            member = self._members.setdefault(values, (self._made(), time()))
        return member[0]

    def collect(self) -> Iterable[Metric]:
        """The family as it is now."""
        metric = Metric(self._name, self._documentation, self._type)
        for values, (member, created) in list(self._members.items()):
            labels = dict(zip(self._labels, values, strict=True))
            metric.samples += self._samples(member, labels)
            if _DATED:
                metric.samples.append(Sample(f"{self._name}_created", labels, created))
        yield metric

    @abstractmethod
    def _samples(self, member: _T, labels: dict[str, str]) -> list[Sample]:
        """The samples of a member."""


class Counts(_Family[Count]):
    """A counter."""

    _made = Count
    _type = "counter"

    def total(self) -> int:
        """The sum of all members."""
        return sum(member.value for member, _ in list(self._members.values()))

    def _samples(self, member: Count, labels: dict[str, str]) -> list[Sample]:
        return [Sample(f"{self._name}_total", labels, float(member.value))]


class Times(_Family[Durations]):
    """A histogram of seconds."""

    _made = Durations
    _type = "histogram"

    def _samples(self, member: Durations, labels: dict[str, str]) -> list[Sample]:
        up_to = list(accumulate(member.buckets))
        buckets = [
            Sample(f"{self._name}_bucket", {**labels, "le": bound}, float(count))
            for bound, count in zip(_BOUNDS, up_to, strict=True)
        ]
        return [
            *buckets,
            Sample(f"{self._name}_count", labels, float(up_to[-1])),
            Sample(f"{self._name}_sum", labels, member.seconds),
        ]
