"""Damaged states: refused with a reason, or else exactly what their bytes say, possible, and safe to use.

Length and checksum are always made right again, so that the damage itself has to be found.
"""

import random
from collections import Counter

import pytest

import engine_core
from engine_core import REFEREE, SPECTATOR, State, StateError
from engine_core.errors import InvalidAction, RulesetUnavailable

from .layout import taken_apart
from .mutants import damaged, misstated
from .plausible import inconsistencies
from .plausible_case import Case
from .samples import OPTIONS, label, match_states
from .scripted import ENDINGS, Action, tell_engine

MUTANTS = 20_000
"""Of each game."""
SEED = 7
WITH_HISTORY = ("hidden-hasami", "hidden-capture-flag", "capture-flag-tournament", "capture-flag-barrage")
"""Games that keep moves, for repetition or for restrictions."""
HIGHEST_REVISION = 2**31 - 1


def originals(game: str, rng: random.Random) -> list[bytes]:
    """States from all phases of matches with every choice of options."""
    found: list[State] = []
    for options in OPTIONS[game]:
        for number, how in enumerate((*ENDINGS, "", "", "")):
            states = match_states(game, options, rng, loaded=number % 3 == 2, how=how)
            found += [states[0], states[-1], *rng.sample(states, min(8, len(states)))]
    return [state.to_bytes() for state in found]


def names_end(data: bytes) -> int:
    fields = taken_apart(data)
    return 4 + sum(1 + len(name) for name in fields.names) + 16


def use(state: State, rng: random.Random, *, thoroughly: bool) -> bool:
    """Nothing that can be asked of a state may fail; tells whether what follows it is a state again."""
    for viewer in (SPECTATOR, 1, 2, REFEREE):
        view = state.view(viewer)
        if thoroughly:
            view.diagram()
    moves = state.legal_moves()
    actions = {seat: state.legal_actions(seat) for seat in (1, 2)}
    assert bool(moves) == (state.phase == "play")
    follow = [Action("play", state.to_move or 0, move=str(rng.choice(moves)))] if moves else []
    follow += [
        Action(what, seat, state.game.random_arrangement(seat, 1) if what == "arrange" else {})
        for seat, whats in actions.items()
        for what in whats
        if what != "move"
    ]
    if thoroughly and state.phase != "arrangement":
        engine_core.playout(state, 2, seed=1)
    if follow:
        try:
            after = tell_engine(state, rng.choice(follow)).state
        except InvalidAction:
            return state.revision == HIGHEST_REVISION
        try:
            return engine_core.decode(after.to_bytes()) == after
        except StateError:
            return False
    return True


def same_moves(state: State, case: Case) -> bool:
    """Whether the legal moves are those of the oracle, where no earlier moves count."""
    if state.phase != "play" or case.shape.two_squares or case.shape.more_squares:
        return True
    names, seat = state.game.squares, state.to_move or 0
    expected = {
        names[square] + names[target]
        for square, piece in case.at.items()
        if piece.seat == seat
        for target in case.ground.targets(case.owner, seat, square, case.kind(piece))
    }
    return {str(move) for move in state.legal_moves()} == expected


@pytest.mark.parametrize("game", sorted(OPTIONS))
def test_damaged_states(game: str) -> None:
    print(f"seed {SEED}")
    rng = random.Random(f"{SEED} {game}")
    states = originals(game, rng)
    ends = [names_end(data) for data in states]
    outcomes: Counter[str] = Counter()
    impossible: dict[str, str] = {}
    number = refused = 0
    while number < MUTANTS:
        index = rng.randrange(len(states))
        original = states[index]
        mutant = damaged(original, ends[index], rng.choice(states), rng) if number % 3 else misstated(original, rng)
        if mutant == original:
            continue
        number += 1
        try:
            state = engine_core.decode(mutant)
        except (StateError, RulesetUnavailable) as error:
            outcomes[error.reason] += 1
            refused += 1
            continue
        assert state.to_bytes() == mutant, mutant.hex()
        outcomes["accepted"] += 1
        outcomes[f"accepted: {label(state)}"] += 1
        fields = taken_apart(mutant)
        problems = inconsistencies(fields)
        if not use(state, rng, thoroughly=outcomes["accepted"] % 8 == 0):
            problems.append("the bytes of the state that follows are refused")
        if not same_moves(state, Case(fields)):
            problems.append("the legal moves are not those of the oracle")
        for problem in problems:
            outcomes[f"impossible: {problem}"] += 1
            impossible.setdefault(problem, mutant.hex())
    print(*sorted(outcomes.items()), sep="\n")
    found = [f"{problem} ({outcomes[f'impossible: {problem}']}): {mutant}" for problem, mutant in impossible.items()]
    assert not found, "\n".join(found)
    assert outcomes["accepted"] > MUTANTS / 100
    documented = {*StateError.REASONS, RulesetUnavailable.reason}
    unseen = {"STATE_CHECKSUM"} if game in WITH_HISTORY else {"STATE_CHECKSUM", "STATE_HISTORY"}
    assert {reason for reason in documented if not outcomes[reason]} == unseen
    for phase in ("arrangement", "play", "ended"):
        assert any(outcome.startswith(f"accepted: {game} {phase}") for outcome in outcomes)
    assert sum(outcomes[reason] for reason in documented) == refused
