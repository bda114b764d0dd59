"""GetGame is enough to draw every board and to find the moves on it, without knowing the game beforehand."""

from collections.abc import Mapping
from itertools import pairwise

import pytest
from contract import Answer
from described_game import DescribedGame
from drawn_game import drawing

import engine_core

GAMES = engine_core.games()

LUZHANQI = r"""
12 .2-#2-.2-#2-.2
   |  |  |  |  |
11 .2=.2=.2=.2=.2
   H \| /| \| /H
10 .2-o -.2-o -.2
   H /| \| /| \H
 9 .2-.2-o -.2-.2
   H \| /| \| /H
 8 .2-o -.2-o -.2
   H /| \| /| \H
 7 .2=.2=.2=.2=.2
   H  ~  H  ~  H
 6 .1=.1=.1=.1=.1
   H \| /| \| /H
 5 .1-o -.1-o -.1
   H /| \| /| \H
 4 .1-.1-o -.1-.1
   H \| /| \| /H
 3 .1-o -.1-o -.1
   H /| \| /| \H
 2 .1=.1=.1=.1=.1
   |  |  |  |  |
 1 .1-#1-.1-#1-.1
   a  b  c  d  e
"""

GUNJIN_23 = """
 8 .2-.2-#2&& -.2-.2
   |  |  |  |  |  |
 7 .2-.2-.2-.2-.2-.2
   |  |  |  |  |  |
 6 .2-.2-.2-.2-.2-.2
   |  |  |  |  |  |
 5 .2-.2-.2-.2-.2-.2
   ~  |  ~  ~  |  ~
 4 .1-.1-.1-.1-.1-.1
   |  |  |  |  |  |
 3 .1-.1-.1-.1-.1-.1
   |  |  |  |  |  |
 2 .1-.1-.1-.1-.1-.1
   |  |  |  |  |  |
 1 .1-.1-#1&& -.1-.1
   a  b  c  d  e  f
"""


@pytest.mark.parametrize(
    ("game_id", "expected"),
    [("luzhanqi", LUZHANQI), ("luzhanqi-tournament", LUZHANQI), ("gunjin-shogi-23", GUNJIN_23)],
)
def test_drawings(answer: Answer, game_id: str, expected: str) -> None:
    """Camps with their diagonals, rails, mountains; the river with two bridges, and headquarters two squares wide."""
    assert drawing(answer(game_id)) == expected.lstrip("\n")


def test_the_drawing_of_four(answer: Answer) -> None:
    lines = drawing(answer("luzhanqi-four")).splitlines()
    rows = {line[:2].strip(): line for line in lines}
    assert rows["17"].strip() == "17                   .3-#3-.3-#3-.3"
    assert rows["9"].strip() == "9 .2-.2-.2-o -.2-.2=.     .     . =.4-.4-o -.4-.4-.4"
    assert rows["6"].strip() == "6                   .1=.1=.1=.1=.1"
    rails = {line.removeprefix("rail ") for line in lines if line.startswith("rail ")}
    curves = {"g6-f7", "f11-g12", "l11-k12", "k6-l7"}
    centre = {"g7-i7", "i7-k7", "g9-i9", "i9-k9", "g11-i11", "i11-k11"}
    assert rails == curves | centre | {"g7-g9", "g9-g11", "i7-i9", "i9-i11", "k7-k9", "k9-k11"}


@pytest.mark.parametrize(
    ("game_id", "kept"),
    [
        ("mak-yek", {8: "2", 6: "2", 3: "1", 1: "1"}),
        ("salpakan-classic", {8: "2", 7: "2", 6: "2", 3: "1", 2: "1", 1: "1"}),
    ],
)
def test_zones_are_drawn(answer: Answer, game_id: str, kept: Mapping[int, str]) -> None:
    rows = {int(line[:2]): line[3:] for line in drawing(answer(game_id)).splitlines() if line[:2].strip()}
    assert {rank: owner for rank, row in rows.items() if (owner := row[1]) != " "} == kept
    assert all(len(set(row[1::3])) == 1 for row in rows.values())


@pytest.mark.parametrize("game_id", ["hidden-capture-flag", "capture-flag-tournament", "capture-flag-barrage"])
def test_lakes_are_drawn(answer: Answer, game_id: str) -> None:
    rows = {line[:2]: line[3:].ljust(30) for line in drawing(answer(game_id)).splitlines()}
    for rank in (" 5", " 6"):
        assert [file for file, cell in zip("abcdefghij", rows[rank][::3], strict=True) if cell == " "] == list("cdgh")


@pytest.mark.parametrize(
    ("game_id", "edges", "rails", "rail_posts", "lines", "straight", "turning"),
    [("luzhanqi", 133, 35, 32, 7, 458, 1188), ("luzhanqi-four", 288, 92, 73, 18, 1416, 5648)],
)
def test_roads_and_rails(
    answer: Answer,
    game_id: str,
    edges: int,
    rails: int,
    rail_posts: int,
    lines: int,
    straight: int,
    turning: int,
) -> None:
    """And the moves of a lone piece on an otherwise empty board, summed over all posts."""
    game = answer(game_id)
    joined = {frozenset(step) for line in game.board.rails for step in pairwise(line.squares)}
    assert (len(game.board.roads), len(joined), len(game.board.rails)) == (edges, rails, lines)
    assert len(frozenset().union(*joined)) == rail_posts
    described = DescribedGame(game)
    for kind, reach in (("major", straight), ("engineer", turning)):
        place = [one.id for one in game.kinds].index(kind)
        assert sum(len(described.moves(1, {square: (1, place)})) for square in range(len(game.board.squares))) == reach


@pytest.mark.parametrize("game_id", GAMES)
def test_moves_of_lone_pieces(answer: Answer, game_id: str) -> None:
    """Each kind of each seat on each square, and one enemy, far off or near: the moves are those of the engine."""
    told, engine = answer(game_id), engine_core.load(game_id)
    described = DescribedGame(told)
    names = [square.name for square in told.board.squares]
    kinds = [kind.id for kind in told.kinds]
    patterns = {kind.movement.SerializeToString(deterministic=True): place for place, kind in enumerate(told.kinds)}
    enemy = kinds.index("guard") if "guard" in kinds else 0
    compared = 0
    for seat in (told.seats[0].number, told.seats[-1].number):
        other = next(one.number for one in told.seats if one.team != told.seats[seat - 1].team)
        for place in patterns.values():
            for square in range(len(names)):
                stands = (square + 1 + compared % 7) % len(names)
                men = {square: (seat, place), stands: (other, enemy)}
                pieces = {seat: {names[square]: kinds[place]}, other: {names[stands]: kinds[enemy]}}
                out = [one.number for one in told.seats if one.number not in (seat, other)]
                state = engine.position(pieces, seat, out)
                if state.to_move == seat:
                    assert described.moves(seat, men) == {int(move) for move in state.legal_moves()}, pieces
                    compared += 1
    assert compared > len(names)
