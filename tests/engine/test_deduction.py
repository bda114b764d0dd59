"""Deduction against brute force: which kinds hidden pieces can be, and in how many ways, to the last one."""

import random
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

import pytest

import engine_core
from engine_core import SPECTATOR
from engine_core import deduction as deduction_module

from .consistent import permutations
from .hidden_matches import GAMES
from .small_matches import MELEES, SMALL, Followed, borrowed, followed, watched

SEED = 1
MATCHES = {**dict.fromkeys(GAMES, 12), **dict.fromkeys(SMALL, 5), "gunjin-shogi-23": 40}
PLIES = 40


def compared(moment: Followed) -> None:
    """Everything that is deduced has to be what the brute force finds."""
    deduction, expected = moment.state.deduce(moment.viewer), moment.consistent.counts()
    assert deduction.exact, moment.story
    assert deduction.count == moment.consistent.count, moment.story
    found = {(piece.seat, piece.origin): piece for piece in deduction.pieces}
    assert len(found) == len(deduction.pieces)
    assert found.keys() <= expected.keys(), moment.story
    for name, kinds in expected.items():
        if name not in found:
            # Its kind has been told, so that the viewer knows it.
            assert len(kinds) == 1, (name, kinds, moment.story)
            continue
        piece = found[name]
        assert dict(piece.counts) == kinds, (name, moment.story)
        assert piece.kinds == tuple(kind for kind in moment.state.game.kinds if kinds[kind]), (name, moment.story)
        for kind in moment.state.game.kinds:
            assert piece.probability(kind) == Fraction(kinds[kind], moment.consistent.count), (name, moment.story)


def played(name: str, seed: int, matches: int) -> Counter[str]:
    """Compare at every ply of random matches; what was told of hidden pieces, and to whom."""
    print(f"seed {seed}")
    seen: Counter[str] = Counter()
    for number in range(matches):
        rng = random.Random(f"{name} {seed} {number}")
        first = 0
        for moment in followed(name, rng, PLIES):
            compared(moment)
            first = first or moment.consistent.count
            seen["told"] += moment.consistent.count < first
            seen["told the spectator"] += moment.consistent.count < first and moment.viewer == SPECTATOR
            seen["unsure"] += moment.consistent.count > 1
    print(name, seen)
    return seen


@pytest.mark.parametrize("name", MATCHES)
def test_exact(name: str) -> None:
    seen = played(name, SEED, MATCHES[name])
    assert seen["unsure"] >= 30
    assert seen["told"] >= (30 if name != "hidden-hasami" else 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", MATCHES)
def test_exact_at_length(name: str) -> None:
    seen = played(name, SEED + 1, 30 * MATCHES[name])
    assert name in SMALL or seen["told the spectator"] >= 50


def tied(matches: Iterable[Iterable[Followed]], monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Exact with few ties. With a low bound, kinds and counts may be too many but never too few."""
    print(f"seed {SEED}")
    seen: Counter[str] = Counter()
    for match in matches:
        for moment in match:
            compared(moment)
            with monkeypatch.context() as low:
                low.setattr(deduction_module, "MAX_WORLDS", 2)
                bounded, expected = moment.state.deduce(SPECTATOR), moment.consistent.counts()
                assert bounded.exact or bounded.count >= moment.consistent.count, moment.story
                for piece in bounded.pieces:
                    for kind, times in expected[piece.seat, piece.origin].items():
                        assert piece.counts[kind] >= times, (piece, moment.story)
            seen["tied"] += not bounded.exact
            seen["too many"] += bounded.count > moment.consistent.count
    print(seen)
    return seen


@pytest.mark.parametrize("name", MELEES)
def test_battles_between_hidden_pieces(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = tied((watched(name, random.Random(f"{name} {SEED} {n}"), plies=12) for n in range(12)), monkeypatch)
    assert seen["tied"] >= 10
    assert seen["too many"] >= 5


def test_borrowed_strength(monkeypatch: pytest.MonkeyPatch) -> None:
    """A battle then ties three pieces: attacker, defender, and what stood behind it."""
    name = "gunjin-shogi-23"
    seen = tied((borrowed(name, random.Random(f"{name} {SEED} {n}"), plies=14) for n in range(30)), monkeypatch)
    assert seen["tied"] >= 50
    assert seen["too many"] >= 20


def test_the_brute_force_counts() -> None:
    ways = list(permutations({"mine": 2, "flag": 1}, ["a1", "b1", "c1"]))
    assert len(ways) == 3
    assert {"a1": "mine", "b1": "flag", "c1": "mine"} in ways


# Section 15 of the rules: how many arrangements a seat has, so in how many ways an unknown one can have been made.
ARRANGEMENTS = {
    "hidden-hasami": 7,
    "luzhanqi-mini": 907_200,
    "hidden-capture-flag": 1_411_873_643_675_199_617_616_832_128_000_000,
    "luzhanqi": 709_596_419_051_520_000,
    "luzhanqi-four": 709_596_419_051_520_000,
    "gunjin-shogi-23": 151_676_234_572_262_400_000,
}


@pytest.mark.parametrize("name", ARRANGEMENTS)
def test_before_the_first_move_every_arrangement_can_be(name: str) -> None:
    """Where an arrangement fills its zone, what is public of it tells nothing."""
    game = engine_core.load(name)
    state = game.start()
    for seat in game.seats:
        state = state.arrange(seat, game.random_arrangement(seat, seed=3)).state
    hidden = len(game.seats) - 1
    assert state.deduce(1).count == ARRANGEMENTS[name] ** hidden
    assert state.deduce(SPECTATOR).count == ARRANGEMENTS[name] ** (hidden + 1)
