"""What pairs of matches have been compared: so that no game, option, phase, viewer or ending is left out unnoticed."""

from collections import Counter

import engine_core
from engine_core import SPECTATOR, State

from .hidden_matches import values
from .indistinguishable import Pair

REVEALING = ("battle_reveal", "reveal_at_end", "marshal_death_shows_flag", "partner_view", "claim")
"""Options that say who learns what."""

CONDUCT = ("resigned", "time", "abandonment", "ruling", "agreed-draw", "adjudicated", "ply-limit")
BY_PLAY = {
    "hidden-hasami": ("repetition",),
    "luzhanqi-mini": ("flag-captured", "no-legal-move"),
    "luzhanqi": ("flag-captured", "no-legal-move"),
    "luzhanqi-tournament": ("flag-captured", "no-legal-move"),
    "luzhanqi-four": ("eliminated",),
    "salpakan-classic": ("flag-captured", "flag-reached"),
    "hidden-capture-flag": ("flag-captured", "no-legal-move"),
    "capture-flag-tournament": ("flag-captured", "no-legal-move"),
    "capture-flag-barrage": ("flag-captured", "no-legal-move"),
    "gunjin-shogi": ("flag-captured", "headquarters-entered"),
    "gunjin-shogi-23": ("no-legal-move",),
}
"""Reasons for which random matches end soon, and after which something is still hidden."""
RARE = {
    "hidden-hasami": ("objective-captured", "capture-threshold"),
    "luzhanqi-four": ("flag-captured",),
    "gunjin-shogi-23": ("headquarters-entered",),
}
"""Reasons besides, which take many matches."""


def name_of(viewer: int) -> str:
    return "spectator" if viewer == SPECTATOR else f"seat {viewer}"


def phase_of(state: State) -> str:
    """The phase, and how many seats have arranged where that is not yet play."""
    if state.phase == "play":
        return "play" if state.ply else "all arranged"
    if state.phase == "ended":
        return "ended"
    number = len(state.arranged)
    return ("none arranged", "one arranged")[number] if number < 2 else "some arranged"


class Tally:
    """How often each category was compared, counted in pairs of states for one viewer."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()

    @property
    def pairs(self) -> int:
        """Pairs of states that differ inside, each for one viewer."""
        return self.seen["pairs"]

    def note(self, pair: Pair, viewer: int, states: list[State], differing: list[int]) -> None:
        """Count a pair of matches that has been compared for a viewer, with the states of the first."""
        who, seen = name_of(viewer), self.seen
        seen["matches"] += 1
        seen[f"none arranged, {who}"] += phase_of(states[0]) == "none arranged"
        for step in differing:
            state = states[step]
            seen["pairs"] += 1
            seen[f"{phase_of(state)}, {who}"] += 1
            for name, value in state.game.options.items():
                seen[f"{name}={value}"] += 1
                if name in REVEALING:
                    seen[f"{name}={value}, {who}"] += 1
            if state.result is not None:
                seen[f"ended {state.result.reason}"] += 1
            mine, other = pair.one.claims[step], pair.two.claims[step]
            seen[f"silent claim, {who}"] += mine != other
            seen[f"own claim, {who}"] += mine == other == viewer != SPECTATOR

    def missing(self, game: str, *, rare: bool = False) -> list[str]:
        """The categories that have to be compared for a game and were not; with `rare` also those that take long."""
        wanted = required(game) + [f"ended {reason}" for reason in RARE.get(game, ()) if rare]
        return [category for category in wanted if not self.seen[category]]


def required(game: str) -> list[str]:
    """The categories that a game has."""
    seats = engine_core.load(game).seats
    viewers = [name_of(viewer) for viewer in (SPECTATOR, *seats)]
    phases = ["none arranged", "one arranged", "all arranged", "play", "ended"]
    phases += ["some arranged"] if len(seats) > 2 else []
    wanted = [f"{phase}, {who}" for phase in phases for who in viewers]
    wanted += [f"ended {reason}" for reason in (*CONDUCT, *BY_PLAY[game])]
    for name, offered in values(game).items():
        wanted += [f"{name}={value}" for value in offered]
        wanted += [f"{name}={value}, {who}" for value in offered for who in viewers if name in REVEALING]
    if "claim" in values(game):
        wanted += [f"silent claim, {who}" for who in viewers] + [f"own claim, {who}" for who in viewers[1:]]
    return wanted
