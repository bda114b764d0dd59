"""The positions that are measured: drawn arrangements, and what random play makes of them."""

import random
from functools import cache
from typing import NamedTuple

import engine_core
from engine_core import Move, State

GAME = "hidden-capture-flag"
"""The game of the targets: the largest of the hidden ones for two, with 80 pieces."""

MIDDLE_PLIES = 200


class Position(NamedTuple):
    """A state in play, and a legal move of the seat to move."""

    state: State
    seat: int
    move: Move


def opening(game_id: str = GAME, seed: int = 1) -> State:
    """A match with drawn arrangements, before its first move."""
    game = engine_core.load(game_id)
    state = game.start()
    for seat in game.seats if state.phase == "arrangement" else ():
        state = state.arrange(seat, game.random_arrangement(seat, seed=seed + seat)).state
    return state


def middle(seed: int = 1, plies: int = MIDDLE_PLIES) -> State:
    """A match of `GAME` after some random moves; one that ends before is left for the next seed."""
    while True:
        chance = random.Random(seed)
        state = opening(GAME, seed)
        for _ in range(plies):
            if state.result is not None:
                break
            state = state.play(chance.choice(state.legal_moves())).state
        if state.result is None:
            return state
        seed += 1000


@cache
def matches_under_way(count: int) -> tuple[Position, ...]:
    """States of as many matches, from their first moves to `2 * MIDDLE_PLIES` plies, each with a move."""
    positions = []
    for number in range(count):
        state = middle(number, 2 * MIDDLE_PLIES * number // count)
        assert state.to_move is not None
        positions.append(Position(state, state.to_move, random.Random(number).choice(state.legal_moves())))
    return tuple(positions)
