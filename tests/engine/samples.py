"""States of random matches for the tests of the codec: every game, many options, all phases and endings."""

import random
from collections.abc import Iterator, Mapping
from itertools import cycle

import engine_core
from engine_core import State

from .scripted import (
    ENDINGS,
    STYLES,
    Action,
    Opening,
    arrangements,
    near_goal,
    outside_ending,
    play_on,
    position,
    tell_engine,
)

OPTIONS: dict[str, list[dict[str, str]]] = {
    "hidden-hasami": [{}, {"board": "9x9"}, {"quiet_limit": "9"}, {"board": "9x9", "corner": "on", "ply_limit": "30"}],
    "luzhanqi-mini": [{}, {"battle_reveal": "event"}, {"battle_reveal": "shown", "reveal_at_end": "on"}],
    "salpakan-classic": [
        {},
        {"flag_attack": "continues"},
        {"arrival": "adjacent", "battle_reveal": "event"},
        {"flag_attack": "continues", "arrival": "adjacent", "claim": "announced", "quiet_limit": "14"},
    ],
    "hidden-capture-flag": [
        {},
        {"two_squares": "3"},
        {"more_squares": "on"},
        {"two_squares": "5", "more_squares": "on", "both_stuck": "draw", "battle_reveal": "none"},
    ],
    "capture-flag-tournament": [{}, {"two_squares": "5", "battle_reveal": "shown"}],
    "capture-flag-barrage": [{}, {"two_squares": "3", "more_squares": "on"}, {"both_stuck": "draw"}],
    "gunjin-shogi": [
        {},
        {"engineer_beats_tank": "off", "battle_reveal": "shown"},
        {"ply_limit": "60", "reveal_at_end": "on"},
    ],
}
OPEN_OPTIONS: dict[str, list[dict[str, str]]] = {
    "hasami-shogi": [{}, {"target": "all", "corner": "on", "repetition": "off"}],
    "dai-hasami-shogi": [{"run": "1", "lead": "3"}, {"target": "8", "repetition": "4"}],
    "mak-yek": [{}, {"corner": "on", "lead": "3", "ply_limit": "60"}],
    "hasami-five": [{}, {"line": "orthogonal", "repetition": "4", "quiet_limit": "20"}],
}
"""The same for games in which nothing is hidden and every match starts alike."""


def match_states(game: str, options: Mapping[str, str], rng: random.Random, *, loaded: bool, how: str) -> list[State]:
    """All states of one random match; `how` ends it from outside, at the latest after some moves."""
    match_id = rng.randbytes(rng.choice((0, 0, 8, 32)))
    first_seat = rng.choice((1, 2))
    if loaded:
        opening = position(game, options, rng, most=rng.choice((3, 8, 14)))
        if game == "salpakan-classic":
            opening = near_goal(opening, rng)
        states = [
            engine_core.load(game, **options).position(opening.pieces or {}, opening.first_seat, match_id=match_id)
        ]
    else:
        opening = Opening(game, options, first_seat)
        states = [engine_core.load(game, **options).start(first_seat=first_seat, match_id=match_id)]
        for action in arrangements(opening, rng) if states[0].phase == "arrangement" else ():
            if how and how != "draw" and rng.random() < 0.15:
                break
            states.append(tell_engine(states[-1], action).state)
    if states[-1].phase == "play":
        plies = rng.choice((0, 3, 12, 40)) if how else 400
        style = STYLES[-1] if loaded and game == "salpakan-classic" else rng.choice(STYLES)
        states += [turn.state for _, turn in play_on(states[-1], rng, style, plies)]
    if how and states[-1].phase != "ended":
        actions: Iterator[Action] = outside_ending(rng, how)
        if states[-1].draw_agreed and how == "draw":
            actions = iter([Action("accept-draw", 3 - states[-1].draw_agreed[0])])
        states += _carried_out(states[-1], actions)
    return states


def _carried_out(state: State, actions: Iterator[Action]) -> Iterator[State]:
    for action in actions:
        state = tell_engine(state, action).state
        yield state


def matches(game: str, seed: object, count: int) -> Iterator[list[State]]:
    """So many random matches of each choice of options of a game."""
    rng = random.Random(f"samples {game} {seed}")
    endings = cycle(("", *ENDINGS, ""))
    for options in {**OPTIONS, **OPEN_OPTIONS}[game]:
        for number in range(count):
            yield match_states(game, options, rng, loaded=number % 3 == 2, how=next(endings))


def label(state: State) -> str:
    """Game, phase and reason of a state, for counters."""
    end = f" {state.result.reason}" if state.result else ""
    return f"{state.game.id} {state.phase}{end}"
