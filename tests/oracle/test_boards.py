"""The boards that are more than plain rectangles, against the shared graphs and against drawings by hand."""

import pytest

from . import game
from .board import Board
from .rails import RailBoard
from .shared_data import graph, needs_data

GRAPHS = {"luzhanqi": "luzhanqi_graph.json", "luzhanqi-four": "luzhanqi_four_graph.json"}


def rail_board(name: str) -> RailBoard:
    board = game(name).board
    assert isinstance(board, RailBoard)
    return board


def named(board: Board, edges: set[frozenset[int]]) -> set[frozenset[str]]:
    return {frozenset(board.names[post] for post in edge) for edge in edges}


def either_way(lines: list[list[str]]) -> list[list[str]]:
    return sorted(min(line, line[::-1]) for line in lines)


@needs_data
@pytest.mark.parametrize("name", GRAPHS)
def test_the_graph_edge_by_edge(name: str) -> None:
    board, data = rail_board(name), graph(GRAPHS[name])
    assert list(board.names) == data["posts"]
    assert named(board, board.roads | board.rails) == {frozenset(edge) for edge in data["edges"]}
    assert named(board, board.rails) == {frozenset(edge) for edge in data["rails"]}
    lines = [[board.names[post] for post in line] for line in board.lines]
    assert either_way(lines) == either_way(data["rail_lines"])
    assert set(game(name).sanctuaries) == set(data["camps"])


@needs_data
@pytest.mark.parametrize("name", GRAPHS)
def test_zones_and_headquarters(name: str) -> None:
    rules, board, data = game(name), rail_board(name), graph(GRAPHS[name])
    zones = {int(seat): zone for seat, zone in data.get("home", {}).items()}
    for seat, zone in data.get("zones", {}).items():
        zones[int(seat)] = [name for row in zone["rows_from_back"] for name in row]
    for seat in rules.all_seats:
        assert set(rules.zone(seat)) == set(zones[seat]) - set(data["camps"])
        headquarters = {board.names[post] for post in board.for_seat(board.headquarters, seat)}
        assert headquarters == set(data["headquarters"][str(seat)])
    assert set(board.centre) == set(data.get("centre", []))


@pytest.mark.parametrize(
    ("name", "posts", "edges", "rails", "rail_posts", "straight", "engineer"),
    [("luzhanqi", 60, 133, 35, 32, 458, 1188), ("luzhanqi-four", 129, 288, 92, 73, 1416, 5648)],
)
def test_counts_of_the_rail_boards(
    name: str, posts: int, edges: int, rails: int, rail_posts: int, straight: int, engineer: int
) -> None:
    rules, board = game(name), rail_board(name)
    assert (board.size, len(board.roads | board.rails), len(board.rails)) == (posts, edges, rails)
    assert sum(1 for steps in board.rail_steps if steps) == rail_posts
    reach = {kind: sum(map(len, from_each_post(name, kind).values())) for kind in rules.kinds}
    assert (reach["marshal"], reach["bomb"], reach["engineer"]) == (straight, straight, engineer)
    assert (reach["mine"], reach["flag"]) == (0, 0)


def from_each_post(name: str, kind: str) -> dict[str, set[str]]:
    rules = game(name)
    how, names = rules.movement[kind], rules.board.names
    empty = [0] * rules.board.size
    return {
        names[post]: {names[target] for target in how.destinations(post, 1, empty)} if how else set()
        for post in range(rules.board.size)
    }


@needs_data
@pytest.mark.parametrize("name", GRAPHS)
def test_reach_of_named_posts(name: str) -> None:
    checks = graph(GRAPHS[name])["checks"]
    for kind, key in (("captain", "reach_straight"), ("engineer", "reach_engineer")):
        reach = from_each_post(name, kind)
        assert {post: len(reach[post]) for post in checks[key]} == checks[key]


def test_the_gunjin_board_of_46_cells() -> None:
    board = game("gunjin-shogi-23").board
    near = {name: {board.names[other] for other in board.neighbours[square]} for square, name in enumerate(board.names)}
    assert board.size == 46
    assert near["c1"] == {"b1", "e1", "c2", "d2"}
    assert near["c8"] == {"b8", "e8", "c7", "d7"}
    assert near["d2"] == {"c1", "c2", "e2", "d3"}
    for file in "abcdef":
        assert (f"{file}5" in near[f"{file}4"]) == (file in "be")
    assert all(name in near[other] for name, others in near.items() for other in others)
    assert len(game("gunjin-shogi-23").zone(1)) == len(game("gunjin-shogi-23").zone(2)) == 23


def test_aircraft_of_gunjin_23_on_an_empty_board() -> None:
    reach = from_each_post("gunjin-shogi-23", "aircraft")
    files = {name: {other for other in reach if other[0] == name[0]} for name in reach}
    assert reach["a4"] == (files["a4"] - {"a4"}) | {"b4"}
    assert reach["d4"] == (files["d4"] - {"d4"}) | {"c1", "c8", "c4", "e4"}
    assert reach["c8"] == (files["c8"] - {"c8"}) | files["d4"] | {"b8", "e8"}
    assert from_each_post("gunjin-shogi-23", "engineer")["c1"] == {
        "a1", "b1", "e1", "f1", "c2", "c3", "c4", "d2", "d3", "d4",
    }  # fmt: skip


def test_forward_is_the_seats_own() -> None:
    rules = game("gunjin-shogi-23")
    how, board = rules.movement["tank"], rules.board
    assert how is not None
    empty = [0] * board.size
    for seat, squares in ((1, {"c8", "d6", "c7", "e7"}), (2, {"c8", "d6", "d5", "c7", "e7"})):
        reached = how.destinations(board.index["d7"], seat, empty)
        assert {board.names[target] for target in reached} == squares
    assert {board.names[target] for target in how.destinations(board.index["c1"], 1, empty)} == {
        "b1", "e1", "c2", "c3", "d2", "d3",
    }  # fmt: skip
    assert {board.names[target] for target in how.destinations(board.index["c1"], 2, empty)} == {"b1", "e1", "c2", "d2"}
