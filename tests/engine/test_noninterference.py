"""Whatever the engine tells a viewer is a function of what that viewer may know.

Pairs of matches that differ inside, but not in the records of the oracle for one viewer, have to look alike to it.
"""

import random
from functools import cache

import pytest

import engine_core
from engine_core import REFEREE, SPECTATOR

from .channels import Channel, differences
from .hidden_matches import GAMES, OPEN_GAMES, pairs
from .indistinguishable import Pair, differing_steps, states_of
from .leaky_channels import LEAKS
from .tally import Tally

SEED = 20240611
TWINS = 4
"""With so many twins every random match is compared."""
PAIRS = 1800
"""Pairs of states that differ inside, each for one viewer: at least so many of each game."""
MATCHES = 300
"""By then every category must have been compared."""
SLOW_PAIRS = 30_000


def compared(game: str, seed: int, least: int, matches: int, *, rare: bool = False) -> Tally:
    """Compare pairs of matches of a game for every viewer to whom they are equal, until nothing is left out."""
    print(f"seed {seed}")
    tally, rng = Tally(), random.Random(f"{seed} answers {game}")
    for pair in pairs(game, seed, matches, TWINS):
        differing = differing_steps(pair)
        if not differing:
            continue
        states, _ = states_of(pair.one, pair.steps)
        for viewer in pair.viewers:
            found = differences(Channel(), pair, viewer, rng)
            assert not found, (found[:3], viewer, pair.told())
            tally.note(pair, viewer, states, differing)
        if tally.pairs >= least and not tally.missing(game, rare=rare):
            break
    print(game, sorted(tally.seen.items()))
    assert tally.missing(game, rare=rare) == []
    assert tally.pairs >= least
    return tally


@pytest.mark.parametrize("game", GAMES)
def test_equal_knowledge_gets_equal_answers(game: str) -> None:
    compared(game, SEED, PAIRS, MATCHES)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [SEED + 10, SEED + 11])
@pytest.mark.parametrize("game", GAMES)
def test_equal_knowledge_gets_equal_answers_at_length(game: str, seed: int) -> None:
    compared(game, seed, SLOW_PAIRS, 10 * MATCHES, rare=True)


def test_before_play_partners_learn_nothing_of_each_other() -> None:
    game = engine_core.load("luzhanqi-four", partner_view="on")
    one, two = (game.start().arrange(1, game.random_arrangement(1, seed)).state for seed in (1, 2))
    assert one.view(3) == two.view(3)


@pytest.mark.parametrize("game", OPEN_GAMES)
def test_open_games_show_everybody_the_same(game: str) -> None:
    """Nothing is hidden there, so no pair could differ: every viewer sees the board of the referee."""
    state = engine_core.load(game).start()
    rng = random.Random(f"{SEED} {game}")
    print(f"seed {SEED}")
    for _ in range(30):
        views = [state.view(viewer) for viewer in (REFEREE, SPECTATOR, *state.game.seats)]
        told = [(v.seats, v.kinds, v.origins, v.flags, v.captured, v.claim_pending, v.diagram()) for v in views]
        assert told == told[:1] * len(told)
        turn = state.play(rng.choice(state.legal_moves()))
        assert all(turn.events_for(viewer) == turn.events for viewer in (SPECTATOR, *state.game.seats))
        state = turn.state


@cache
def some_pairs() -> list[Pair]:
    games = ("gunjin-shogi", "salpakan-classic")
    return [pair for game in games for pair in pairs(game, SEED + 1, 40, TWINS) if differing_steps(pair)]


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_would_be_found(leak: type[Channel]) -> None:
    print(f"seed {SEED + 1}")
    rng = random.Random(SEED)
    assert any(differences(leak(), pair, viewer, rng) for pair in some_pairs() for viewer in pair.viewers)
