"""Deduction over whole matches: what is true is never excluded, and the numbers agree with each other."""

import random
from collections import Counter

import pytest

import engine_core
from engine_core import SPECTATOR, State, StateError

from .hidden_matches import GAMES, choices
from .scripted import STYLES, Opening, arrangements, near_goal, play_on, position, tell_engine
from .test_samples import kinds_of

SEED = 41
PLIES = 120


def check(state: State, viewer: int, seen: Counter[str]) -> None:
    """What is deduced from one viewer's knowledge, against the truth and in itself."""
    deduction = state.deduce(viewer)
    truth = kinds_of(state, list(state.game.seats))
    view, names = state.view(viewer), state.game.squares
    where = {(seat, start): names[at] for at, (seat, start) in enumerate(zip(view.seats, view.origins, strict=True))}
    assert deduction.count >= 1
    for piece in deduction.pieces:
        assert piece.seat != viewer
        assert truth[piece.seat, piece.origin] in piece.kinds, (viewer, piece, state.to_bytes().hex())
        assert piece.square == where.get((piece.seat, names.index(piece.origin) + 1))
        assert all(number >= 1 for number in piece.counts.values())
        # The counts are those of an upper bound where not all ties were used, and agree all the same.
        assert sum(piece.counts.values()) == deduction.count, (viewer, piece, state.to_bytes().hex())
    if deduction.exact:
        # How many pieces of each kind are hidden follows from what is in play in any case.
        for seat in state.game.seats:
            hidden = [piece for piece in deduction.pieces if piece.seat == seat]
            roster = Counter(truth[piece.seat, piece.origin] for piece in hidden)
            expected = sum((piece.probability(kind) for piece in hidden for kind in roster), start=0)
            assert expected == len(hidden)
            for kind, number in roster.items():
                assert sum(piece.probability(kind) for piece in hidden) == number
    if not deduction.exact:
        # What is drawn fits all ties none the less: the codec fights every battle again.
        try:
            (sample,) = state.sample(viewer, 1, seed=SEED)
        except StateError:
            seen["not found"] += 1
        else:
            assert engine_core.decode(sample.to_bytes()) == sample
            assert sample.view(viewer) == view
            seen["found"] += 1
    seen["exact" if deduction.exact else "bounded"] += 1
    seen["spectator"] += viewer == SPECTATOR
    seen["certain"] += any(len(piece.kinds) == 1 for piece in deduction.pieces)


def whole_match(name: str, rng: random.Random, number: int, seen: Counter[str]) -> None:
    options = {key: value for key, value in choices(name)[number % len(choices(name))].items() if "limit" not in key}
    game = engine_core.load(name, **options)
    if number % 4 == 3:
        opening = position(name, options, rng, most=12)
        if any(ending.when == "flag-reached" for ending in game.ruleset.endings):
            opening = near_goal(opening, rng)
        state = opening.state()
    else:
        opening = Opening(name, options, rng.choice(game.seats))
        state = opening.state()
        for action in arrangements(opening, rng):
            state = tell_engine(state, action).state
    states = [state] if state.phase == "play" else []
    states += [turn.state for _, turn in play_on(state, rng, rng.choice(STYLES[1:4]), PLIES)]
    for later in [found for found in states if found.phase == "play"][::30]:
        for viewer in (SPECTATOR, *game.seats):
            check(later, viewer, seen)


@pytest.mark.parametrize("name", GAMES)
def test_the_truth_is_never_excluded(name: str) -> None:
    print(f"seed {SEED}")
    rng, seen = random.Random(f"{name} {SEED}"), Counter[str]()
    for number in range(8 if len(engine_core.load(name).seats) == 2 else 4):
        whole_match(name, rng, number, seen)
    print(name, seen)
    assert seen["exact"] >= 25
    assert seen["spectator"] >= 10


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_truth_is_never_excluded_at_length(name: str) -> None:
    print(f"seed {SEED + 1}")
    rng, seen = random.Random(f"{name} {SEED + 1}"), Counter[str]()
    for number in range(200):
        whole_match(name, rng, number, seen)
    print(name, seen)
    assert seen["certain"] >= 200
