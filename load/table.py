"""Results as lines of text."""

from collections.abc import Iterator
from math import floor, log10

from load.results import Judged, Results


def number(value: float) -> str:
    """A number with three digits that count, and commas."""
    if value == 0:
        return "0"
    digits = 2 - floor(log10(abs(value)))
    return f"{round(value, digits):,.{max(0, digits)}f}"


def verdict(judged: Judged) -> str:
    """Whether a target is met."""
    if judged.met is None:
        return "not measured"
    return "met" if judged.met else "NOT MET"


def lines(results: Results) -> Iterator[str]:
    """All figures, then all targets."""
    for name, figure in results.figures.items():
        median, low, high = figure.spread
        yield f"{name:45} {number(median):>12} ({number(low)} .. {number(high)}) {figure.unit}"
    yield ""
    yield "targets, * those that must be met:"
    for name, judged in results.targets.items():
        value, spread = "-", ""
        if judged.value is not None:
            value = number(judged.value.median)
            spread = f"({number(judged.value.low)} .. {number(judged.value.high)})"
        star = "*" if judged.must else " "
        yield f"{star} {name:16} {judged.bound:>8} {value:>10} {spread:20} {verdict(judged):12} {judged.promise}"
    for what, why in results.unmeasured.items():
        yield f"{what}: {why}"
