"""Random matches of every game with hidden pieces, in every phase and with every option, and their twins."""

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import TypeVar

import engine_core
from engine_core import Turn

from .indistinguishable import Course, Line, Pair, line_of, pair_of, redrawn, twin
from .scripted import (
    ENDINGS,
    STYLES,
    Action,
    Opening,
    Style,
    arrangements,
    near_goal,
    play_on,
    position,
    tell_engine,
)

T = TypeVar("T")

GAMES = [name for name in engine_core.games() if not engine_core.load(name).ruleset.perfect_information]
OPEN_GAMES = [name for name in engine_core.games() if name not in GAMES]

NUMBERS = {"ply_limit": "11", "quiet_limit": "7"}
"""The number that stands for all where an option takes any."""
OF_EVERY_GAME = ("ply_limit", "quiet_limit", "reveal_at_end")

PLANS = (
    *("some arrange", "some arrange, then the end", "all arrange", "play", "play"),
    *("position",) * 5,
    *ENDINGS,
)
"""How a random match goes; a way to end it from outside comes after a few moves."""
OF_MANY_SEATS = ("a seat leaves early", "play", "some arrange", "a seat leaves early", "position")
"""Plans besides where there are more than two seats."""


@cache
def values(game: str) -> dict[str, tuple[str, ...]]:
    """Every value of every option of a game."""
    options = engine_core.load(game).ruleset.options
    return {
        option.name: tuple(NUMBERS.get(option.name, "") if v == "N" else v for v in option.values) for option in options
    }


@cache
def choices(game: str) -> tuple[Mapping[str, str], ...]:
    """Options to play a game with, which have every value between them; the defaults are left out of each."""
    own = {name: offered for name, offered in values(game).items() if name not in OF_EVERY_GAME}
    rng = random.Random(f"options {game}")
    turned = {name: rng.sample(offered, len(offered)) for name, offered in own.items()}
    sets: list[dict[str, str]] = [{}]
    for lap in range(max([3, *map(len, own.values())])):
        sets.append({name: offered[lap % len(offered)] for name, offered in turned.items()})
    ends = [{name: values(game)[name][1]} for name in OF_EVERY_GAME]
    mixed = sets + [{**sets[place % len(sets)], **end} for place, end in enumerate(ends)] + sets
    return tuple({name: v for name, v in chosen.items() if v != values(game)[name][0]} for chosen in mixed)


def outside(state: engine_core.State, rng: random.Random, how: str) -> Iterator[Action]:
    """The actions that end a match in this way, whatever its position; an agreement needs play."""
    game, left = state.game, [seat for seat in state.game.seats if seat not in state.out]
    if how == "draw" and state.phase == "play":
        if not state.draw_agreed:
            yield Action("offer-draw", left[0])
        agreed = state.draw_agreed or left[:1]
        yield from (Action("accept-draw", seat) for seat in left if seat not in agreed)
    elif how == "adjudicate":
        sides = {team: tuple(s for s in game.seats if game.ruleset.teams[s - 1] == team) for team in game.ruleset.teams}
        yield Action("adjudicate", winners=rng.choice(((), *sides.values())))
    else:
        rng.shuffle(left)
        cause = how if how in ("time", "abandonment", "ruling") else ""
        yield from (Action("forfeit" if cause else "resign", seat, cause=cause) for seat in left)


def base_match(game: str, options: Mapping[str, str], rng: random.Random, plan: str) -> tuple[Line, Course]:
    """A random match that goes as the plan says, in both referees."""
    loaded = engine_core.load(game, **options)
    seats = loaded.seats
    opening, plies = Opening(game, options, rng.choice(seats)), rng.choice((0, 3, 10)) if plan in ENDINGS else 40
    if plan == "position":
        few = rng.choice((2, 3, 6, 12))
        opening, plies = position(game, options, rng, most=few), 40 if few > 3 else 120
        if any(ending.when == "flag-reached" for ending in loaded.ruleset.endings):
            opening = near_goal(opening, rng)
    actions: list[Action] = []
    turns: list[Turn] = []
    state = opening.state()

    def carry_out(action: Action) -> None:
        nonlocal state
        turns.append(tell_engine(state, action))
        actions.append(action)
        state = turns[-1].state

    if plan != "position":
        arranging = arrangements(opening, rng)
        if plan.startswith("some"):
            arranging = arranging[: rng.randint(1, len(seats) - 1)]
        early = rng.randrange(len(seats)) if plan == "a seat leaves early" else None
        for number, action in enumerate(arranging):
            if number == early:
                carry_out(Action("resign", rng.choice([action.seat, *state.arranged])))
            if state.phase == "arrangement" and action.seat not in state.out:
                carry_out(action)
    if plan in ("play", "position", "a seat leaves early", *ENDINGS) and state.phase == "play":
        for action, turn in play_on(state, rng, _style(loaded, rng), plies):
            actions.append(action)
            turns.append(turn)
            state = turn.state
    if plan in ENDINGS or plan == "some arrange, then the end":
        for action in outside(state, rng, plan if plan in ENDINGS else rng.choice(ENDINGS)):
            if state.phase != "ended" and action.seat not in state.out:
                carry_out(action)
    return line_of(opening, actions), Course(opening, actions, turns)


def _style(game: engine_core.Game, rng: random.Random) -> Style:
    """Where a flag can run home it often does."""
    runs = any(ending.when == "flag-reached" for ending in game.ruleset.endings)
    return STYLES[-1] if runs and rng.random() < 0.5 else rng.choice(STYLES[:-1])


def pairs(game: str, seed: int, matches: int, twins: int) -> Iterator[Pair]:
    """Pairs of matches of a game that are equal for somebody, as far as the oracle knows."""
    rng = random.Random(f"{seed} {game}")
    plans = (*PLANS, *OF_MANY_SEATS) if len(engine_core.load(game).seats) > 2 else PLANS
    laps = _shuffled(choices(game), rng)
    for plan in islice(_shuffled(plans, rng), matches):
        line, course = base_match(game, next(laps), rng, plan)
        for _ in range(twins):
            pair = best_twin(line, course, rng, plan)
            if pair is not None:
                yield pair


def _shuffled(items: Sequence[T], rng: random.Random) -> Iterator[T]:
    """All of them in a random order, again and again."""
    while True:
        yield from rng.sample(items, len(items))


def best_twin(line: Line, course: Course, rng: random.Random, plan: str) -> Pair | None:
    """Of some candidates one that stays equal to its end, or else the one that does so for the longest.

    Where the match had a claim, half of the twins are rather those that have none at their last step, or another.
    """
    best: Pair | None = None
    silent = any(line.claims) and rng.random() < 0.5

    def worth(pair: Pair) -> tuple[bool, int]:
        return silent and pair.one.claims[pair.steps] != pair.two.claims[pair.steps], pair.steps

    everybody = engine_core.load(line.opening.game).seats
    for _ in range(8):
        seats = rng.sample(everybody, rng.choice((1, 1, len(everybody) - 1, len(everybody))))
        anew = plan.startswith("some") or (plan == "all arrange" and rng.random() < 0.4)
        opening, actions = redrawn(line, seats, rng) if anew else twin(line, course, seats, rng)
        if (opening, actions) == (line.opening, line.actions):
            continue
        pair = pair_of(line, opening, actions)
        if best is None or worth(pair) > worth(best):
            best = pair
        if worth(best) >= (silent, 0 if silent else len(line.actions)):
            break
    return best
