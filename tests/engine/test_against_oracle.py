"""2,000 random matches of each game, ply by ply against the oracle.

Counters make a run fail that misses a goal of `oracle_goals`: an ending, a matrix cell, an option value or pair of
values, a mechanism. Seeds are fixed and printed.
"""

import random
from collections import Counter
from functools import cache

import oracle
import pytest

import engine_core
from engine_core.events import SeatEliminated, SeatPassed

from .oracle_comparison import loaded
from .oracle_goals import choices, required
from .oracle_players import arranged_match, play_match
from .oracle_starts import HABITS, seats_out, sparse
from .pairwise import Choice, covering_choices, pairs_of
from .placing import scatter
from .starts_of_battles import hunt

MATCHES = dict.fromkeys(oracle.GAMES, 2000) | {"luzhanqi-four": 700}
"""With four seats there are six views of 129 posts to compare, so a match takes three times as long."""
NUMBERS = {"ply_limit": ["1", "2", "7", "40"], "quiet_limit": ["1", "3", "12"]}
"""For the options that take any number."""


class Campaign:
    """The matches of one game with one seed."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self.generator = random.Random(f"{name} {seed}")
        self.goals = required(name)
        self.counts: Counter[str] = Counter()
        self.covering = covering_choices(choices(name), self.generator)
        self.unlimited = [self._unlimited() for _ in range(40)]

    def _unlimited(self) -> Choice:
        chosen = {option: self.generator.choice(values) for option, values in choices(self.name).items()}
        return chosen | dict.fromkeys(NUMBERS, "off")

    def _missing_cells(self) -> list[tuple[str, str]]:
        missing = sorted(goal[5:] for goal in self.goals if goal.startswith("cell:") and not self.counts[goal])
        return [(cell.split("x")[0], cell.split("x")[1]) for cell in missing]

    def play(self, number: int) -> None:
        generator = self.generator
        choice = self.covering[number // 2 % len(self.covering)] if number % 2 else generator.choice(self.unlimited)
        numbers = {option: generator.choice(NUMBERS[option]) for option in NUMBERS if choice[option] == "N"}
        chosen = choice | numbers
        game, rules = engine_core.load(self.name, **chosen), _rules(self.name, tuple(chosen.items()))
        label = f"{self.name} match {number} {chosen}"
        if generator.random() < 0.12:
            duel, reached = arranged_match(game, rules, generator, label)
            reached |= play_match(duel, generator, generator.choice([40, 120, 300]), generator.choice(HABITS))
            reached |= {"start:arranged", f"first:{duel.match.first_seat}"}
        else:
            pieces, habit = sparse(rules, generator, self._missing_cells())
            out = seats_out(rules, generator, pieces)
            to_move = generator.choice([seat for seat in rules.all_seats if seat not in out])
            duel = loaded(game, rules, label, pieces=pieces, to_move=to_move, out=out)
            reached = play_match(duel, generator, generator.choice([15, 40, 120]), habit)
            reached |= {"start:position", *(["start:seat-out"] if out else [])}
        self._count(choice, reached)
        self.counts.update(matches=1, plies=duel.match.ply)

    def _count(self, choice: Choice, reached: set[str]) -> None:
        self.counts.update(reached)
        self.counts.update(f"{mark} {option}={value}" for mark in reached for option, value in choice.items())
        self.counts.update(f"option:{option}={value}" for option, value in choice.items())
        self.counts.update(f"pair:{pair}" for pair in pairs_of(choice))


@cache
def _rules(name: str, chosen: tuple[tuple[str, str], ...]) -> oracle.Rules:
    return oracle.game(name, dict(chosen))


def run(name: str, *seeds: int) -> None:
    """All matches of these seeds, which together reach every goal."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        campaign = Campaign(name, seed)
        for number in range(MATCHES[name]):
            campaign.play(number)
        counts += campaign.counts
    goals = required(name)
    print(f"{name}, seeds {seeds}: {counts['matches']} matches, {counts['plies']} plies")
    print({goal: counts[goal] for goal in sorted(goals) if not goal.startswith(("cell", "option", "pair"))})
    assert counts["matches"] == MATCHES[name] * len(seeds)
    assert sorted(goal for goal in goals if not counts[goal]) == []


@pytest.mark.parametrize("name", oracle.GAMES)
def test_random_matches(name: str) -> None:
    run(name, 1)


@pytest.mark.parametrize("two_squares", ["off", "3", "5"])
def test_endless_chases(two_squares: str) -> None:
    """Hunter and prey in small rooms, where the rule against endless chases bites often."""
    options = {"more_squares": "on", "two_squares": two_squares}
    game, rules = engine_core.load("hidden-capture-flag", **options), oracle.game("hidden-capture-flag", options)
    generator = random.Random(f"chases {two_squares}")
    counts: Counter[str] = Counter()
    for number in range(1_500):
        pieces = hunt(rules, generator)
        scatter(rules, generator, pieces, generator.choice([0, 0, 0, 1]))
        to_move = generator.choice([1, 2])
        duel = loaded(game, rules, f"chase {number} {options}", pieces=pieces, to_move=to_move)
        counts.update(play_match(duel, generator, 200, "chase"))
    print({key: count for key, count in sorted(counts.items()) if not key.startswith("cell")})
    assert counts["restriction:more-squares"] >= 50


def test_an_elimination_is_told_before_the_passes_after_it() -> None:
    pieces = {1: {"b10": "captain", "j1": "flag"}, 2: {"a10": "flag"}, 3: {"j17": "flag"}, 4: {"l9": "captain"}}
    events = engine_core.load("luzhanqi-four").position(pieces, to_move=1).play("b10a10").events
    told = [event for event in events if isinstance(event, SeatPassed | SeatEliminated)]
    assert told == [SeatEliminated(2, "flag-captured"), SeatPassed(3)]


@pytest.mark.slow
@pytest.mark.parametrize("name", oracle.GAMES)
def test_more_random_matches(name: str) -> None:
    run(name, *range(2, 6))


def test_both_know_the_same_games_and_options() -> None:
    assert sorted(oracle.GAMES) == engine_core.games()
    for name in oracle.GAMES:
        game = engine_core.load(name)
        values = {option.name: option.values for option in game.ruleset.options}
        assert values == choices(name)
        assert game.options == {option: values[0] for option, values in choices(name).items()}
