"""What nobody was told stays unknown: two matches that differ in nothing public look the same."""

import random

import pytest

from . import Match, Rules, game
from .test_conduct import random_match

ALIKE = {
    "hidden-capture-flag": "marshal general colonel major captain lieutenant sergeant miner spy",
    "luzhanqi-tournament": "general lieutenant-general brigadier colonel major captain lieutenant",
    "luzhanqi-four": "general lieutenant-general brigadier colonel major captain lieutenant",
    "gunjin-shogi-23": "general colonel major captain lieutenant second-lieutenant spy",
}
"""Kinds that move alike, and whose fall shows nothing."""


def unmet(match: Match, played: list[str]) -> list[str]:
    """First squares of seat 2's pieces that have not moved and met nobody."""
    alike = ALIKE[match.rules.name].split()
    flags = [match.rules.board.index[square] for square, kind in match.start_kinds[2].items() if kind == "flag"]
    lenders = {match.rules.board.towards_home(flag, 2) for flag in flags}
    return [
        square
        for square, kind in match.start_kinds[2].items()
        if match.board().get(square) == (2, kind)
        and kind in alike
        and match.rules.board.index[square] not in lenders
        and not any(square in move for move in played)
    ]


def twins(rules: Rules, seed: int) -> tuple[Match, Match]:
    """A random match, and the same with two such pieces exchanged."""
    rng = random.Random(seed)
    match, played = random_match(rules, 30, rng)
    first = match.start_kinds
    squares = unmet(match, played)
    one = rng.choice(squares)
    other = rng.choice([square for square in squares if first[2][square] != first[2][one]])
    twin = rules.start()
    for seat in rules.all_seats:
        exchanged = {one: first[2][other], other: first[2][one]} if seat == 2 else {}
        twin.arrange(seat, first[seat] | exchanged)
    for move in played:
        twin.play(move)
    return match, twin


def same_for(match: Match, twin: Match, viewer: int | str) -> bool:
    private = isinstance(viewer, str) or match.private_record(viewer) == twin.private_record(viewer)
    assert private == (match.view(viewer) == twin.view(viewer))
    return private


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", ALIKE)
def test_what_never_fought_stays_unknown(name: str, seed: int) -> None:
    reveal = {} if name == "hidden-capture-flag" else {"battle_reveal": "none"}
    match, twin = twins(game(name, reveal), seed)
    assert hash(twin.public_record()) == hash(match.public_record())
    assert twin.public_record() == match.public_record()
    for viewer in (*match.rules.all_seats, "spectator"):
        assert same_for(match, twin, viewer) == (viewer != 2)


@pytest.mark.parametrize("seed", range(4))
def test_only_the_partner_may_know_too(seed: int) -> None:
    match, twin = twins(game("luzhanqi-four", {"battle_reveal": "none", "partner_view": "on"}), seed)
    assert twin.public_record() == match.public_record()
    assert [same_for(match, twin, viewer) for viewer in (1, 2, 3, 4, "spectator")] == [True, False, True, False, True]
