"""Matches of few pieces, for which every way to give the hidden ones their kinds can be gone through."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import oracle

import engine_core
from engine_core import SPECTATOR, Game, State
from engine_core.ruleset_file import read

from .consistent import Consistent, Named
from .oracle_starts import SPECIAL
from .placing import HEADS, Pieces, neighbours, nobody
from .scripted import STYLES, Arrangement, Player, Style

RULESETS = Path(__file__).parent / "rulesets"

MELEES = ["luzhanqi-mini", "capture-flag-barrage", "gunjin-shogi", "salpakan-classic", "luzhanqi-tournament"]
"""Games in which few pieces fight soon."""

MOST_PIECES = {2: 9, 4: 10}
"""On the board in all, by the number of seats."""


@dataclass(frozen=True)
class Small:
    """What a small game has of its own, as tests/engine/rulesets/NAME.toml says it for the engine."""

    base: str
    roster: dict[str, int]
    zone: tuple[str, ...]


SMALL = {
    "small-mini": Small(
        "luzhanqi-mini",
        {"commander": 1, "soldier": 2, "engineer": 1, "bomb": 1, "mine": 1, "flag": 1},
        ("b1", "c1", "e1", "f1", "b2", "e2", "f2"),
    ),
    "small-rails": Small(
        "luzhanqi",
        {"marshal": 1, "captain": 1, "engineer": 1, "bomb": 1, "mine": 1, "flag": 1},
        ("b1", "d1", "c2", "a5", "a6", "e6"),
    ),
    "small-flight": Small(
        "gunjin-shogi",
        {"general": 1, "captain": 1, "aircraft": 1, "engineer": 1, "mine": 1, "flag": 1},
        ("d4", "e4", "f4", "d3", "e3", "f3"),
    ),
    "small-bridges": Small(
        "gunjin-shogi-23",
        {"general": 1, "major": 1, "aircraft": 1, "engineer": 1, "mine": 1, "flag": 1},
        ("b2", "b3", "b4", "e2", "e3", "e4"),
    ),
}
"""Games that are played from their arrangements; for a spectator these are too many."""


@cache
def both_referees(name: str, options: tuple[tuple[str, str], ...]) -> tuple[Game, oracle.Rules]:
    """A game, small or built in, in the engine and in the oracle."""
    chosen = dict(options)
    if name not in SMALL:
        return engine_core.load(name, **chosen), oracle.game(name, chosen)
    small, base = SMALL[name], oracle.game(SMALL[name].base, chosen)
    home = {base.board.names[square] for square in base.board.rows(1, range(base.home_rows))}
    rules = replace(base, name=name, roster=small.roster, kept_clear=tuple(home - set(small.zone)))
    return Game(read(RULESETS / f"{name}.toml").ruleset(chosen)), rules


def any_options(name: str, rng: random.Random) -> dict[str, str]:
    """Any choice of options; a seat without a move is passed over where that can be chosen for more than two."""
    base = SMALL[name].base if name in SMALL else name
    offered = {key: values for key, values in oracle.declared_options(base).items() if "N" not in values}
    if base == "luzhanqi-four":
        offered["no_move"] = ("pass",)
    return {key: rng.choice(values) for key, values in offered.items() if key != "reveal_at_end"}


def skirmish(rules: oracle.Rules, rng: random.Random, number: int) -> Pieces:
    """So many pieces of each seat close together, mostly with a flag or leader among them."""
    pieces = nobody(rules)
    squares = [rng.choice(rules.squares)]
    for square in squares:
        squares += [near for near in neighbours(rules, square) if near not in squares]
        if len(squares) > 1.6 * number * rules.seats:
            break
    rng.shuffle(squares)
    for men in pieces.values():
        kinds = [kind for kind in rng.choices(rules.kinds, k=number) if kind not in HEADS]
        kinds += [kind for kind in rules.kinds if kind in HEADS and rng.random() < 0.9]
        men.update(zip(squares[:number], kinds, strict=False))
        del squares[:number]
    return pieces


def _position(name: str, rules: oracle.Rules, rng: random.Random) -> Pieces:
    while True:
        number = rng.choice((2, 3, 4)) if rules.seats == 2 else 2
        pieces = rng.choice(SPECIAL[name])(rules, rng) if rng.random() < 0.4 else skirmish(rules, rng, number)
        if name == "gunjin-shogi-23":
            # A flag there is never beyond the river, so nothing that may be one starts there.
            for seat, home in ((1, "1234"), (2, "5678")):
                pieces[seat] = {square: kind for square, kind in pieces[seat].items() if square[1] in home}
        if all(pieces.values()) and sum(map(len, pieces.values())) <= MOST_PIECES[rules.seats]:
            return pieces


@dataclass(frozen=True)
class Opened:
    """How a match was started."""

    game: Game
    pieces: Mapping[int, Arrangement]
    first_seat: int
    loaded: bool

    def state(self, kinds: Named) -> State:
        """The first state in play, with other kinds of pieces by seat and square."""
        pieces = {
            seat: {square: kinds.get((seat, square), kind) for square, kind in men.items()}
            for seat, men in self.pieces.items()
        }
        if self.loaded:
            return self.game.position(pieces, self.first_seat)
        state = self.game.start(first_seat=self.first_seat)
        for seat, men in pieces.items():
            state = state.arrange(seat, men).state
        return state


@dataclass(frozen=True)
class Followed:
    """One moment of a random match, and what is one with it for a viewer."""

    opened: Opened
    moves: tuple[str, ...]
    state: State
    viewer: int
    consistent: Consistent

    @property
    def story(self) -> str:
        """What it takes to come here again."""
        return f"{self.state.game.options} {self.opened} viewer {self.viewer}: {self.moves}"


def followed(name: str, rng: random.Random, plies: int) -> Iterator[Followed]:
    """A random match of a game, ply by ply as long as it is in play; from its arrangements for a small game."""
    options = any_options(name, rng)
    game, rules = both_referees(name, tuple(options.items()))
    first_seat, loaded = rng.choice(game.seats), name not in SMALL and name != "hidden-hasami"
    pieces: Mapping[int, Arrangement]
    if loaded:
        pieces = _position(name, rules, rng)
    else:
        pieces = {seat: game.random_arrangement(seat, rng.getrandbits(32)) for seat in game.seats}
    viewer = rng.choice(game.seats if name in SMALL else (SPECTATOR, *game.seats))
    yield from _followed(Opened(game, pieces, first_seat, loaded), rules, viewer, rng, rng.choice(STYLES), plies)


def watched(name: str, rng: random.Random, plies: int) -> Iterator[Followed]:
    """The same for a spectator of a melee, who is told outcomes only: battles tie the kinds of hidden pieces."""
    options = any_options(name, rng) | {"battle_reveal": "none"}
    game, rules = both_referees(name, tuple(options.items()))
    kinds = rng.sample([kind for kind in rules.kinds if kind not in HEADS and rules.movement[kind]], 3)
    pieces = skirmish(rules, rng, 4)
    melee = {seat: {square: rng.choice(kinds) for square in men} for seat, men in pieces.items()}
    opened = Opened(game, melee, rng.choice(game.seats), loaded=True)
    yield from _followed(opened, rules, SPECTATOR, rng, STYLES[1], plies)


def borrowed(name: str, rng: random.Random, plies: int) -> Iterator[Followed]:
    """The same at the two bridges of a game in which a flag fights as what stands behind it."""
    options = any_options(name, rng) | {"battle_reveal": "none"}
    game, rules = both_referees(name, tuple(options.items()))
    movers = rng.sample([kind for kind in rules.kinds if rules.movement[kind]], 2)
    squares = {1: ["b4", "b3", "e4", "e3"], 2: ["b5", "b6", "e5", "e6"]}
    pieces = {
        seat: dict(
            zip(rng.sample(places, 4), [*rng.choices(movers, k=2), "flag", rng.choice([*movers, "mine"])], strict=True)
        )
        for seat, places in squares.items()
    }
    yield from _followed(Opened(game, pieces, rng.choice(game.seats), True), rules, SPECTATOR, rng, STYLES[1], plies)


def _followed(
    opened: Opened, rules: oracle.Rules, viewer: int, rng: random.Random, style: Style, plies: int
) -> Iterator[Followed]:
    state = opened.state({})
    consistent = Consistent(rules, opened.pieces, opened.first_seat, viewer, loaded=opened.loaded)
    player = Player(rng, style._replace(offer=0.0))
    moves: tuple[str, ...] = ()
    while state.phase == "play" and len(moves) <= plies:
        yield Followed(opened, moves, state, viewer, consistent)
        seat, move = state.to_move or 0, player.action(state).move
        moves += (move,)
        state = state.play(move).state
        if state.phase == "play":
            consistent.play(seat, move)
