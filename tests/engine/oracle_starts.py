"""Positions from which rare things happen soon: stuck seats, claims, chases, captures, every sort of battle."""

import random
from collections.abc import Callable

import oracle

from .placing import Pieces, face, nobody, scatter
from .starts_of_battles import backed_flag, corridor, hunt, lone_pair, runners, visitors
from .starts_of_stones import cornered_stone, crossroads, gap, many, nearly_in_line, trapped_stone
from .starts_on_rails import at_a_camp, at_headquarters, flag_under_attack, last_movers, marshals

Start = Callable[[oracle.Rules, random.Random], Pieces]

HABITS = ["uniform", "attack", "attack", "shuffle", "chase"]
HABIT_OF: dict[Start, str] = {
    hunt: "chase",
    corridor: "shuffle",
    many: "attack",
    last_movers: "attack",
    nearly_in_line: "line",
}
"""How to play on from some of them."""

STONES: list[Start] = [trapped_stone, crossroads, cornered_stone]
CAPTURE_FLAG: list[Start] = [corridor, lone_pair, hunt, hunt]
RAILS: list[Start] = [at_a_camp, at_headquarters, marshals, flag_under_attack, last_movers, last_movers]
SPECIAL: dict[str, list[Start]] = {
    "hidden-hasami": STONES,
    "salpakan-classic": [runners, runners, lone_pair],
    "hidden-capture-flag": CAPTURE_FLAG,
    "capture-flag-tournament": CAPTURE_FLAG,
    "capture-flag-barrage": CAPTURE_FLAG,
    "luzhanqi-mini": [lone_pair, at_a_camp],
    "gunjin-shogi": [visitors, lone_pair],
    "gunjin-shogi-23": [visitors, lone_pair, backed_flag, backed_flag],
    "hasami-shogi": [*STONES, many, many],
    "dai-hasami-shogi": [*STONES, many, many],
    "mak-yek": [*STONES, many, many, gap],
    "hasami-five": [trapped_stone, crossroads, *[nearly_in_line] * 2],
    "luzhanqi": RAILS,
    "luzhanqi-tournament": RAILS,
    "luzhanqi-four": RAILS,
}


def sparse(rules: oracle.Rules, generator: random.Random, cells: list[tuple[str, str]]) -> tuple[Pieces, str]:
    """Pieces by seat and how to play on. `cells` are the battles to steer for, attacker first."""
    habit = generator.choice(HABITS)
    if generator.random() < 0.35:
        start = generator.choice(SPECIAL[rules.name])
        pieces = start(rules, generator)
        habit = HABIT_OF.get(start, habit)
        scatter(rules, generator, pieces, generator.choice([0, 0, 0, 1, 2]))
    else:
        pieces = nobody(rules)
        if cells and generator.random() < 0.8:
            face(rules, generator, pieces, *generator.choice(cells))
        scatter(rules, generator, pieces, generator.choice([1, 2, 4, 6, 9, 14]))
    if rules.name == "gunjin-shogi-23":
        _keep_flags_at_home(pieces)
    return pieces, habit


def _keep_flags_at_home(pieces: Pieces) -> None:
    """A flag that cannot move is never beyond the river."""
    for seat, beyond in ((1, "5678"), (2, "1234")):
        pieces[seat] = {
            square: kind for square, kind in pieces[seat].items() if kind != "flag" or square[1] not in beyond
        }


def seats_out(rules: oracle.Rules, generator: random.Random, pieces: Pieces) -> list[int]:
    """Now and then, where matches go on without some seats: those that are out; their pieces are taken away."""
    if not rules.sides.pieces_leave or generator.random() < 0.7:
        return []
    out = sorted(generator.sample(list(rules.all_seats), generator.choice([1, 2])))
    if len(rules.sides.remaining(out)) < 2:
        return []
    for seat in out:
        pieces[seat] = {}
    return out
