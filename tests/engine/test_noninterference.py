"""Whatever the engine tells a viewer is a function of what that viewer may know.

Pairs of matches that differ inside, but not in the records of the oracle for one viewer, have to look alike to it.
"""

import random
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import cycle, islice

import pytest

import engine_core
from engine_core import REFEREE, SPECTATOR, RefereeError, State, Turn, View
from engine_core.view import CLAIM

from .indistinguishable import Channel, Course, Line, Pair, differences, differing_steps, line_of, pair_of, twin
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

MATCHES = {
    "hidden-hasami": 90,
    "luzhanqi-mini": 70,
    "salpakan-classic": 90,
    "hidden-capture-flag": 70,
    "gunjin-shogi": 70,
}
"""Random matches; every one is compared with twins."""
TWINS = 7
SEED = 20240611

OPTIONS: dict[str, list[dict[str, str]]] = {
    "hidden-hasami": [{}, {"board": "9x9"}, {"reveal_at_end": "on"}, {"quiet_limit": "9"}, {"ply_limit": "12"}],
    "luzhanqi-mini": [
        {},
        {"battle_reveal": "event"},
        {"battle_reveal": "shown"},
        {"battle_reveal": "shown", "reveal_at_end": "on"},
        {"ply_limit": "15"},
    ],
    "salpakan-classic": [
        {},
        {"flag_attack": "continues"},
        {"arrival": "adjacent"},
        {"battle_reveal": "event", "flag_attack": "continues", "arrival": "adjacent"},
        {"battle_reveal": "shown", "quiet_limit": "12"},
        {"reveal_at_end": "on"},
    ],
    "hidden-capture-flag": [
        {},
        {"battle_reveal": "none"},
        {"battle_reveal": "shown"},
        {"battle_reveal": "none", "two_squares": "3", "more_squares": "on"},
        {"battle_reveal": "none", "two_squares": "5", "both_stuck": "draw", "reveal_at_end": "on"},
        {"more_squares": "on", "ply_limit": "20"},
    ],
    "gunjin-shogi": [
        {},
        {"battle_reveal": "event"},
        {"battle_reveal": "shown"},
        {"reveal_at_end": "on"},
        {"ply_limit": "10"},
    ],
}

CONDUCT = ("resigned", "time", "abandonment", "ruling", "agreed-draw", "adjudicated", "ply-limit")
REASONS = {
    "hidden-hasami": (*CONDUCT, "objective-captured", "capture-threshold", "repetition"),
    "luzhanqi-mini": (*CONDUCT, "flag-captured", "no-legal-move"),
    "salpakan-classic": (*CONDUCT, "flag-captured", "flag-reached"),
    "hidden-capture-flag": (*CONDUCT, "flag-captured", "no-legal-move"),
    "gunjin-shogi": (*CONDUCT, "flag-captured", "headquarters-entered"),
}


def base_match(game: str, options: Mapping[str, str], rng: random.Random, plan: str, how: str) -> tuple[Line, Course]:
    """A random match that ends as the plan says, in both referees."""
    actions: list[Action] = []
    turns: list[Turn] = []

    def carry_out(action: Action) -> None:
        turns.append(tell_engine(turns[-1].state if turns else opening.state(), action))
        actions.append(action)

    if plan == "position":
        opening = position(game, options, rng, most=rng.choice((2, 3, 6, 12)))
        if game == "salpakan-classic":
            opening = near_goal(opening, rng)
    else:
        opening = Opening(game, options, rng.choice((1, 2)))
    if plan != "position":
        for action in arrangements(opening, rng)[: 1 if plan.startswith("one") else 2]:
            carry_out(action)
    if plan in ("play", "position", "outside"):
        state = turns[-1].state if turns else opening.state()
        plies = rng.choice((0, 4, 30)) if plan == "outside" else 200
        style = STYLES[-1] if game == "salpakan-classic" and rng.random() < 0.5 else rng.choice(STYLES)
        for action, turn in play_on(state, rng, style, plies):
            actions.append(action)
            turns.append(turn)
    if plan == "outside" and turns[-1].state.phase == "play":
        if turns[-1].state.draw_agreed:
            carry_out(Action("resign", rng.choice((1, 2))))
        else:
            for action in outside_ending(rng, how):
                carry_out(action)
    if plan == "one and out":
        for action in outside_ending(rng, "resign" if how == "draw" else how):
            carry_out(action)
    return line_of(opening, actions), Course(opening, actions, turns)


def redrawn(line: Line, seat: int, rng: random.Random) -> tuple[Opening, list[Action]]:
    """The same match with other arrangements, empty squares included, for a match that never comes to play."""
    game = engine_core.load(line.opening.game, **line.opening.options)
    men = game.random_arrangement(seat, rng.getrandbits(32))
    return line.opening, [
        action._replace(arrangement=men) if action.what == "arrange" else action for action in line.actions
    ]


PLANS = ("position", "play", "outside", "one", "one and out", "position", "play", "outside", "outside", "all")


def pairs(game: str, seed: int, matches: int) -> Iterator[tuple[str, Pair]]:
    """Pairs of matches of a game that differ inside, with the plan that each was made by."""
    rng = random.Random(f"{seed} {game}")
    cases = [(plan, options) for plan in PLANS for options in OPTIONS[game]]
    rng.shuffle(cases)
    endings = cycle(ENDINGS)
    for plan, options in islice(cycle(cases), matches):
        how = next(endings) if plan in ("outside", "one and out") else ""
        line, course = base_match(game, options, rng, plan, how)
        for _ in range(TWINS):
            pair = best_twin(line, course, rng, plan)
            if pair is not None:
                yield plan, pair


def best_twin(line: Line, course: Course, rng: random.Random, plan: str) -> Pair | None:
    """Of some candidates one that stays equal to its end, or else the one that does so for the longest.

    Where the match had a claim, half of the twins are rather those that have none at their last step, or another.
    """
    best: Pair | None = None
    silent = any(line.claims) and rng.random() < 0.5

    def worth(pair: Pair) -> tuple[bool, int]:
        return silent and pair.one.claims[pair.steps] != pair.two.claims[pair.steps], pair.steps

    shortest = 1 if plan.startswith("one") else 0 if plan == "position" else 2
    for _ in range(8):
        seats = rng.choice(((1,), (2,), (1,), (2,), (1, 2)))
        if plan.startswith("one"):
            seats = (line.actions[0].seat,)
            opening, actions = redrawn(line, seats[0], rng)
        else:
            opening, actions = twin(line, course, seats, rng)
        if (opening, actions) == (line.opening, line.actions):
            continue
        pair = pair_of(line, opening, actions)
        if pair.steps >= shortest and (best is None or worth(pair) > worth(best)):
            best = pair
        if best is not None and worth(best) >= (silent, 0 if silent else len(line.actions)):
            break
    return best


class Tally:
    """How often each category was compared."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()

    def note(self, pair: Pair, viewer: int, differing: list[int]) -> None:
        who = "spectator" if viewer == SPECTATOR else f"seat {viewer}"
        self.seen["pairs"] += 1
        self.seen[who] += 1
        result = next((entry for entry in pair.one.public[pair.steps] if entry[0] == "result"), None)
        if result is not None:
            self.seen[f"ended {result[2]}"] += 1
            self.seen[f"ended, {who}"] += 1
        elif any(entry[0] == "board" for entry in pair.one.public[pair.steps]):
            self.seen[f"play, {who}"] += 1
            self.seen[f"all arranged, {who}"] += pair.one.opening.pieces is None
        elif differing:
            self.seen[f"one arranged, {who}"] += 1
        for name, value in pair.one.opening.options.items():
            self.seen[f"{name}={value}"] += 1
        mine, other = (set(line.claims[: pair.steps + 1]) - {0} for line in (pair.one, pair.two))
        if mine != other:
            self.seen[f"silent claim, {who}"] += viewer not in mine | other
        elif viewer in mine:
            self.seen[f"own claim, {who}"] += 1


def required(game: str) -> list[str]:
    viewers = ("seat 1", "seat 2", "spectator")
    wanted = [f"{phase}, {who}" for phase in ("one arranged", "all arranged", "play", "ended") for who in viewers]
    wanted += [f"ended {reason}" for reason in REASONS[game]]
    wanted += [f"{name}={value}" for options in OPTIONS[game] for name, value in options.items()]
    if game == "salpakan-classic":
        wanted += [f"silent claim, {who}" for who in viewers] + [f"own claim, {who}" for who in viewers[:2]]
    return wanted


def told(pair: Pair) -> str:
    """What it takes to play the two matches again."""
    return f"{pair.one.opening} {pair.one.actions[: pair.steps]} / {pair.two.opening} {pair.two.actions[:2]}"


@pytest.mark.parametrize("game", sorted(OPTIONS))
def test_equal_knowledge_gets_equal_answers(game: str) -> None:
    print(f"seed {SEED}")
    tally, rng = Tally(), random.Random(f"{SEED} answers {game}")
    for _plan, pair in pairs(game, SEED, MATCHES[game]):
        differing = differing_steps(pair)
        if not differing:
            tally.seen["alike inside"] += 1
            continue
        for viewer in pair.viewers:
            found = differences(Channel(), pair, viewer, rng)
            assert not found, (found[:3], viewer, told(pair))
            tally.note(pair, viewer, differing)
    print(sorted(tally.seen.items()))
    assert tally.seen["pairs"] >= 500
    assert [category for category in required(game) if not tally.seen[category]] == []


class CapturedByKind(Channel):
    """The list of what has been captured is sorted by kind, though it does not name the kinds."""

    def captured(self, state: State, view: View) -> object:
        kinds = {(piece.seat, piece.origin): piece.kind for piece in state.view(REFEREE).captured}
        return sorted(view.captured, key=lambda piece: kinds[piece.seat, piece.origin])


class EventsOfTheReferee(Channel):
    """Everybody gets all events."""

    def events(self, turn: Turn, viewer: int) -> object:
        return turn.events


class MovesOfTheOtherSeat(Channel):
    """Legal moves are given to whoever asks."""

    def legal_moves(self, state: State, viewer: int) -> object:
        return [int(move) for move in state.legal_moves()]


class ClaimsOfOthers(Channel):
    """The mark of a claim is on every board."""

    def flags(self, state: State, view: View) -> bytes:
        everything = state.view(REFEREE).flags
        return bytes(mine | flag & CLAIM for mine, flag in zip(view.flags, everything, strict=True))


class CompressedSize(Channel):
    """States are stored compressed, so that their size depends on what is in them."""

    def size(self, state: State) -> int:
        return len(zlib.compress(state.to_bytes()))


class TalkativeRefusals(Channel):
    """A refused move tells what stands on its target."""

    def complaint(self, state: State, error: RefereeError) -> object:
        target = error.details.get("move", "")[2:]
        kinds = [men[target] for men in state.pieces().values() if target in men]
        return super().complaint(state, error), kinds


@cache
def some_pairs() -> list[Pair]:
    return [pair for game in ("salpakan-classic", "luzhanqi-mini") for _, pair in pairs(game, SEED + 1, 24)]


LEAKS = (CapturedByKind, EventsOfTheReferee, MovesOfTheOtherSeat, ClaimsOfOthers, CompressedSize, TalkativeRefusals)


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_would_be_found(leak: type[Channel]) -> None:
    print(f"seed {SEED + 1}")
    rng = random.Random(SEED)
    assert any(differences(leak(), pair, viewer, rng) for pair in some_pairs() for viewer in pair.viewers)
