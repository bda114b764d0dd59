"""Targets: complete, on listed figures, and judged rightly."""

import pytest

from load.figures import figures
from load.rounds import Spread
from load.targets import TARGETS, Target, judge

PROMISED = {
    "playout": (">= 8", True),
    "playout-others": (">= 2", False),
    "loop": (">= 3", True),
    "perft": (">= 5", True),
    "threads": (">= 1.8", False),
    "request": ("<= 0.5", True),
    "state-bytes": ("<= 400", False),
    "kinds": ("<= 100", False),
    "probabilities": ("<= 2000", False),
    "apply-grpcio": (">= 0.8", True),
    "apply-native": (">= 0.5", True),
    "native-plain": (">= 2.5", True),
    "batch": (">= 20", True),
    "scale-batches": (">= 1.8", False),
    "scale-calls": (">= 1.8", False),
    "latency-grpcio": ("<= 3", False),
    "latency-native": ("<= 3", False),
    "memory-grpcio": ("<= 1.05", False),
    "memory-native": ("<= 1.05", False),
}
"""Bounds, and whether they must be kept."""


def test_every_promise_is_a_target() -> None:
    assert {target.name: (target.bound, target.must) for target in TARGETS} == PROMISED


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_targets_are_about_listed_figures(target: Target) -> None:
    assert set(target.figures()) <= set(figures())
    if target.to is not None:
        assert {figures()[name].unit for name in target.of} == {figures()[target.to].unit}


def test_other_games_are_all_other_games() -> None:
    others = next(target for target in TARGETS if target.name == "playout-others")
    assert len(others.of) == 14
    assert "core.playout.hidden-capture-flag" not in others.of
    assert "core.playout.luzhanqi-four" in others.of


LEAST = Target("least", "", ("a", "b"), "c", at_least=2)
MOST = Target("most", "", ("a", "b"), None, at_most=2)


def test_the_worst_figure_decides() -> None:
    figures = {"a": [4.0, 2.0, 3.0], "b": [1.0, 9.0, 3.0], "c": [1.0, 1.0, 2.0]}
    verdict = judge(LEAST, figures)
    assert verdict is not None
    assert (verdict.of, verdict.value, verdict.met) == ("b", Spread(1.5, 1.0, 9.0), False)
    verdict = judge(MOST, figures)
    assert verdict is not None
    assert (verdict.of, verdict.value, verdict.met) == ("a", Spread(3.0, 2.0, 4.0), False)


@pytest.mark.parametrize(("value", "least", "most"), [(1.99, False, True), (2.0, True, True), (2.01, True, False)])
def test_a_bound_that_is_reached_is_kept(value: float, least: bool, most: bool) -> None:
    assert LEAST.met(value) is least
    assert MOST.met(value) is most


@pytest.mark.parametrize("missing", ["a", "b", "c"])
def test_a_target_without_all_its_figures_is_not_judged(missing: str) -> None:
    figures = {"a": [1.0], "b": [1.0], "c": [1.0]}
    del figures[missing]
    assert judge(LEAST, figures) is None
