"""Actions for both referees at once: what a seat or the backend does beside the board, moves, arrangements."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import oracle

from engine_core import State, Turn

Action = tuple[Callable[[State], Turn], Callable[[oracle.Match], Any]]
"""The same action for the engine and for the oracle."""

WORDS = ("offer", "accept", "decline", "resign", "forfeit", "adjudicate")


def conduct(generator: random.Random, seats: Sequence[int], playing: bool) -> tuple[Action, str]:
    """An action beside the board and its name. It need not be allowed; those that end the match are rarer."""
    seat = generator.choice([*seats, *seats, *seats, len(seats) + 1])
    talk, leave = 15 * len(seats), len(seats) ** 2 // 2
    weights = [talk, talk, 12, leave, 2 * leave, 3] if playing else [2, 2, 2, 1, 2, 1]
    word = generator.choices(WORDS, weights)[0]
    cause = generator.choice(["time", "abandonment", "ruling"])
    winners = generator.choice(_winners(seats))
    actions: dict[str, Action] = {
        "offer": (lambda s: s.offer_draw(seat), lambda m: m.offer_draw(seat)),
        "accept": (lambda s: s.accept_draw(seat), lambda m: m.accept_draw(seat)),
        "decline": (lambda s: s.decline_draw(seat), lambda m: m.decline_draw(seat)),
        "resign": (lambda s: s.resign(seat), lambda m: m.resign(seat)),
        "forfeit": (lambda s: s.forfeit(seat, cause), lambda m: m.forfeit(seat, cause)),
        "adjudicate": (lambda s: s.adjudicate(winners), lambda m: m.adjudicate(winners)),
    }
    return actions[word], f"{word}({winners if word == 'adjudicate' else seat})"


def _winners(seats: Sequence[int]) -> list[list[int]]:
    """Sides, parts of sides, too many winners, nobody, and seats that are not there."""
    if len(seats) == 2:
        return [[], [], [1], [2], [1, 2], [3], [0]]
    return [[], [], [1, 3], [2, 4], [1], [4], [1, 2], [1, 2, 3], [1, 2, 3, 4], [5], [0, 2]]


def open_actions(match: oracle.Match, seat: int) -> set[str]:
    """What the oracle lets a seat do now, in the words of the engine; everything but moves is tried on a copy."""
    attempts: dict[str, Callable[[oracle.Match], None]] = {
        "resign": lambda copy: copy.resign(seat),
        "offer-draw": lambda copy: copy.offer_draw(seat),
        "accept-draw": lambda copy: copy.accept_draw(seat),
        "decline-draw": lambda copy: copy.decline_draw(seat),
    }
    found = {word for word, attempt in attempts.items() if _accepts(match.clone(), attempt)}
    if match.phase == "arrangement" and seat in match.in_play and seat not in match.start_kinds:
        found.add("arrange")
    return found | ({"move"} if seat == match.to_move else set())


def _accepts(copy: oracle.Match, attempt: Callable[[oracle.Match], None]) -> bool:
    try:
        attempt(copy)
    except oracle.IllegalAction:
        return False
    return True


def playing(move: str) -> Action:
    """A move, legal or not."""
    return (lambda s: s.play(move), lambda m: m.play(move))


def arranging(seat: int, arrangement: dict[str, str]) -> Action:
    """A seat's arrangement, legal or not."""
    return (lambda s: s.arrange(seat, arrangement), lambda m: m.arrange(seat, arrangement))
