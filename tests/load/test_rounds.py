"""Rounds and statistics, on known numbers."""

from functools import partial

from load.rounds import FULL, QUICK, Spread, micros, rate, ratios, spread, take_turns


def test_turns_alternate_and_the_first_round_does_not_count() -> None:
    taken: list[str] = []

    def turn(name: str) -> dict[str, float]:
        taken.append(name)
        return {name: float(len(taken))}

    figures = take_turns(3, [lambda: turn("a"), lambda: turn("b")])
    assert taken == ["a", "b"] * 4
    assert figures == {"a": [3.0, 5.0, 7.0], "b": [4.0, 6.0, 8.0]}


def test_turns_may_come_from_a_generator() -> None:
    turns = (partial(dict[str, float], [(f"f{number}", number)]) for number in range(2))
    assert take_turns(2, turns) == {"f0": [0, 0], "f1": [1, 1]}


def test_ratios_are_taken_within_rounds() -> None:
    """A machine that is half as fast in one round changes no ratio; the ratio of the medians would be 1.5."""
    of, to = [300.0, 150.0, 300.0], [200.0, 50.0, 100.0]
    assert spread(ratios(of, to)) == Spread(3.0, 1.5, 3.0)


def test_spread() -> None:
    assert spread([9.0, 1.0, 4.0, 2.0]) == Spread(median=3.0, low=1.0, high=9.0)
    assert spread([7.0]) == Spread(7.0, 7.0, 7.0)


def test_rate_adds_up_what_every_call_has_done() -> None:
    """Calls are numbered from 0, and calls that do nothing leave the rate at 0."""
    calls: list[int] = []

    def work(call: int) -> int:
        calls.append(call)
        return 0

    assert rate(work, 0.001) == 0
    assert calls == list(range(len(calls)))
    taken = micros({"short": lambda _: sum(range(100)), "long": lambda _: sum(range(10_000))}, 0.001)
    assert 0 < taken["short"] < taken["long"]


def test_shares_of_counts() -> None:
    assert FULL.share(60) == 60
    assert QUICK.share(60) == 1
    assert FULL._replace(load_seconds=FULL.load_seconds / 2).share(60) == 30
    assert FULL._replace(load_seconds=FULL.load_seconds * 2).share(60) == 60
