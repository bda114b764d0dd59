"""Roads, rails and four seats: whole boards of posts, edge by edge."""

import json

import pytest

import engine_core
from engine_core.game import Game

from .shared import SHARED


def pairs(game: Game, neighbours: str) -> set[frozenset[str]]:
    """The joined pairs of squares, by name."""
    board, names = game.ruleset.board, game.squares
    joined = board.roads if neighbours == "roads" else board.rail_neighbours
    return {frozenset((names[square], names[other])) for square in range(len(names)) for other in joined(square)}


@pytest.mark.parametrize(("name", "edges", "rails"), [("luzhanqi", 133, 35), ("luzhanqi-four", 288, 92)])
def test_numbers_of_edges(name: str, edges: int, rails: int) -> None:
    game = engine_core.load(name)
    assert (len(pairs(game, "roads")), len(pairs(game, "rails"))) == (edges, rails)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared rules data are not here")
@pytest.mark.parametrize(
    ("name", "file"), [("luzhanqi", "luzhanqi_graph.json"), ("luzhanqi-four", "luzhanqi_four_graph.json")]
)
def test_graphs_edge_by_edge(name: str, file: str) -> None:
    game = engine_core.load(name)
    graph = json.loads((SHARED / file).read_text(encoding="utf-8"))
    assert set(game.squares) == set(graph["posts"])
    assert pairs(game, "roads") == {frozenset(edge) for edge in graph["edges"]}
    assert pairs(game, "rails") == {frozenset(edge) for edge in graph["rails"]}
    lines = {frozenset(game.squares[square] for square in line) for line in game.ruleset.board.rails}
    assert lines == {frozenset(line) for line in graph["rail_lines"]}


def reach(game: Game, kind: str, square: str) -> int:
    """Moves of a lone piece on an otherwise empty board."""
    far = [name for name in game.squares if name != square]
    for other in (far[0], far[-1]):
        state = game.position({1: {square: kind}, 2: {other: "flag"}}, to_move=1, out=game.seats[2:])
        moves = {str(move) for move in state.legal_moves()}
        if square + other not in moves:
            return len(moves)
    raise AssertionError("one of the two corners is out of reach")


@pytest.mark.parametrize(
    ("square", "straight", "turning"), [("a6", 14, 32), ("c2", 8, 35), ("c6", 8, 34), ("b6", 5, 32)]
)
def test_reach_on_an_empty_board(square: str, straight: int, turning: int) -> None:
    game = engine_core.load("luzhanqi")
    assert (reach(game, "major", square), reach(game, "engineer", square)) == (straight, turning)


@pytest.mark.parametrize("name", ["luzhanqi", "luzhanqi-tournament", "luzhanqi-four", "gunjin-shogi-23"])
def test_arrangements_and_playouts(name: str) -> None:
    game = engine_core.load(name)
    state = game.start()
    for seat in game.seats:
        state = state.arrange(seat, game.random_arrangement(seat, seed=seat)).state
    expected = 151_676_234_572_262_400_000 if name.startswith("gunjin") else 709_596_419_051_520_000
    assert {game.arrangement_count(seat) for seat in game.seats} == {expected}
    played = engine_core.playout(state, 50, 1)
    assert sum(played.results.values()) + played.unfinished == 50
