"""At least 2,000 random matches of each game, ply by ply against the oracle.

Counters make a run fail that never reached an ending, a matrix cell or an option value. Seeds are fixed and printed.
"""

import random
from collections import Counter
from collections.abc import Mapping
from functools import cache

import oracle
import pytest
from oracle.contact import Battle
from oracle.options import OF_EVERY_GAME

import engine_core

from .oracle_comparison import Duel, arranged_match, play_match
from .oracle_starts import HABITS, hunt, scatter, sparse

MATCHES = 2_000
LIMITS = {"ply_limit": ["off"] * 14 + ["1", "2", "7", "40"], "quiet_limit": ["off"] * 12 + ["1", "3", "12"]}

OPTIONS: dict[str, Mapping[str, tuple[str, ...]]] = {
    "hidden-hasami": {"board": ("7x7", "9x9")},
    "luzhanqi-mini": {"battle_reveal": ("none", "event", "shown")},
    "salpakan-classic": {
        "flag_attack": ("loses", "continues"),
        "arrival": ("claim", "adjacent"),
        "battle_reveal": ("none", "event", "shown"),
    },
    "hidden-capture-flag": {
        "battle_reveal": ("event", "shown", "none"),
        "two_squares": ("off", "3", "5"),
        "more_squares": ("off", "on"),
        "both_stuck": ("mover-wins", "draw"),
    },
    "gunjin-shogi": {"battle_reveal": ("none", "event", "shown")},
}
ENDINGS = {
    "hidden-hasami": ["objective-captured", "capture-threshold", "repetition"],
    "luzhanqi-mini": ["flag-captured"],
    "salpakan-classic": ["flag-captured", "flag-reached"],
    "hidden-capture-flag": ["flag-captured"],
    "gunjin-shogi": ["flag-captured", "headquarters-entered"],
}
EVERYWHERE = [
    "no-legal-move", "resigned", "agreed-draw", "ply-limit", "time", "abandonment", "ruling", "adjudicated",
]  # fmt: skip
OFFERS = ["offer:opened", "offer:accepted", "offer:declined", "offer:lapsed"]
OTHER = {
    "hidden-hasami": ["rays:1", "rays:2", "rays:3"],
    "luzhanqi-mini": ["stuck:both"],
    "salpakan-classic": [
        "claim:opened",
        "claim:ripened",
        "claim:refuted",
        "claim:second",
        "claim:unopposed",
        "stuck:both",
    ],
    "hidden-capture-flag": ["restriction:two-squares", "restriction:more-squares", "stuck:restricted", "stuck:both"],
    "gunjin-shogi": ["stuck:both"],
}


def required(name: str) -> set[str]:
    """Everything that the matches of a game have to reach."""
    contact = oracle.game(name).contact
    cells = contact.matrix if isinstance(contact, Battle) else {}
    goals = {f"cell:{attacker}x{defender}" for attacker, defender in cells}
    goals |= {f"ending:{reason}" for reason in (*ENDINGS[name], *EVERYWHERE)}
    for option, values in {**OPTIONS[name], **OF_EVERY_GAME}.items():
        goals |= {f"option:{option}={value}" for value in values}
    return goals | {*OFFERS, *OTHER[name], "first:1", "first:2", "start:arranged", "start:sparse"}


class Campaign:
    """The matches of one game with one seed."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self.generator = random.Random(f"{name} {seed}")
        self.goals = required(name)
        self.counts: Counter[str] = Counter()
        choices = [self._options() for _ in range(60)]
        self.pool = [(chosen, _rules(name, tuple(chosen.items()))) for chosen in choices]

    def _options(self) -> dict[str, str]:
        chosen = {option: self.generator.choice(values) for option, values in OPTIONS[self.name].items()}
        chosen |= {option: self.generator.choice(values) for option, values in LIMITS.items()}
        return chosen | {"reveal_at_end": self.generator.choice(["off", "on"])}

    def missing_cells(self) -> list[tuple[str, str]]:
        missing = [
            goal.removeprefix("cell:") for goal in self.goals if goal.startswith("cell:") and not self.counts[goal]
        ]
        found = []
        for cell in sorted(missing):
            attacker, _, defender = cell.partition("x")
            found.append((attacker, defender))
        return found

    def play(self, number: int) -> None:
        chosen, rules = self.generator.choice(self.pool)
        game = engine_core.load(self.name, **chosen)
        label = f"{self.name} match {number} {chosen}"
        if self.generator.random() < 0.12:
            duel = arranged_match(game, rules, self.generator, label)
            match = play_match(
                duel, self.generator, self.generator.choice([60, 150, 400]), self.generator.choice(HABITS)
            )
            self.counts["start:arranged"] += 1
        else:
            pieces, to_move, habit = sparse(rules, self.generator, self.missing_cells())
            duel = Duel(
                game.position(pieces, to_move=to_move), rules.position(pieces, to_move), f"{label} {pieces} {to_move}"
            )
            match = play_match(duel, self.generator, self.generator.choice([15, 60, 160]), habit)
            self.counts["start:sparse"] += 1
        self.counts["matches"] += 1
        self.counts["plies"] += match.ply
        self.counts[f"first:{match.first_seat}"] += 1
        self.counts.update(match.coverage)
        for option, value in chosen.items():
            self.counts[f"option:{option}={'N' if value.isdigit() and option in LIMITS else value}"] += 1


@cache
def _rules(name: str, chosen: tuple[tuple[str, str], ...]) -> oracle.Rules:
    return oracle.game(name, dict(chosen))


def run(name: str, seed: int) -> None:
    campaign = Campaign(name, seed)
    for number in range(MATCHES):
        campaign.play(number)
    counts = campaign.counts
    print(f"{name}, seed {seed}: {counts['matches']} matches, {counts['plies']} plies")
    print({key: count for key, count in sorted(counts.items()) if not key.startswith(("cell", "option"))})
    assert counts["matches"] >= 2_000
    assert sorted(goal for goal in campaign.goals if not counts[goal]) == []


@pytest.mark.parametrize("name", OPTIONS)
def test_random_matches(name: str) -> None:
    run(name, seed=1)


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
        label = f"chase {number} {options} {pieces} {to_move}"
        duel = Duel(game.position(pieces, to_move=to_move), rules.position(pieces, to_move), label)
        counts.update(play_match(duel, generator, 200, "chase").coverage)
    print({key: count for key, count in sorted(counts.items()) if not key.startswith("cell")})
    assert counts["restriction:more-squares"] >= 50


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
@pytest.mark.parametrize("name", OPTIONS)
def test_more_random_matches(name: str, seed: int) -> None:
    run(name, seed)


@pytest.mark.parametrize("name", OPTIONS)
def test_both_know_the_same_options(name: str) -> None:
    options = {option.name: set(option.values) for option in engine_core.load(name).ruleset.options}
    expected = {option: set(values) for option, values in {**OPTIONS[name], **OF_EVERY_GAME}.items()}
    assert options == expected
    defaults = {option: values[0] for option, values in {**OPTIONS[name], **OF_EVERY_GAME}.items()}
    assert dict(engine_core.load(name).options) == defaults
