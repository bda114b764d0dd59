"""Numbers that follow from the rules: first moves whatever the arrangement, rays that capture."""

import random

import pytest

import engine_core
from engine_core import Game, State
from engine_core.events import Moved


@pytest.mark.parametrize("first_seat", [1, 2])
def test_first_moves_of_hasami_five(first_seat: int) -> None:
    """Nine stones slide over five ranks, and nine hop over them."""
    moves = [str(move) for move in engine_core.load("hasami-five").start(first_seat=first_seat).legal_moves()]
    front, back, behind = ("2", "1", "3") if first_seat == 1 else ("8", "9", "7")
    slides = [move for move in moves if move[1] == front]
    hops = [move for move in moves if move[1] == back]
    assert (len(slides), len(hops)) == (45, 9)
    assert all(move[0] == move[2] and move[3] == behind for move in hops)


def arranged(name: str, seed: int, first_seat: int = 1, **options: str) -> State:
    game = engine_core.load(name, **options)
    state = game.start(first_seat=first_seat)
    for seat in game.seats:
        state = state.arrange(seat, game.random_arrangement(seat, seed=seed + seat)).state
    return state


@pytest.mark.parametrize("first_seat", [1, 2])
@pytest.mark.parametrize(
    ("name", "options", "count"),
    [("hidden-hasami", {}, 35), ("hidden-hasami", {"board": "9x9"}, 63), ("luzhanqi-mini", {}, 7)],
)
def test_first_moves_whatever_the_arrangement(name: str, options: dict[str, str], count: int, first_seat: int) -> None:
    for seed in range(100):
        assert len(arranged(name, seed, first_seat, **options).legal_moves()) == count


@pytest.mark.parametrize("first_seat", [1, 2])
def test_first_moves_of_forty_pieces(first_seat: int) -> None:
    """One for each mobile piece in front of a gap between the lakes, three for a scout there; for seat 2 turned."""
    front = {1: ["a4", "b4", "e4", "f4", "i4", "j4"], 2: ["j7", "i7", "f7", "e7", "b7", "a7"]}[first_seat]
    seen = set()
    for seed in range(200):
        state = arranged("hidden-capture-flag", 7 * seed, first_seat)
        kinds = [state.pieces()[first_seat][square] for square in front]
        expected = sum({"bomb": 0, "flag": 0, "scout": 3}.get(kind, 1) for kind in kinds)
        assert len(state.legal_moves()) == expected
        seen.add(expected)
    assert len(seen) > 5


@pytest.mark.parametrize("size", ["7x7", "9x9"])
def test_at_most_three_rays_capture(size: str) -> None:
    """Stones that are mostly bracketed around one square: captures on one, two and three rays occur, on four never."""
    game = engine_core.load("hidden-hasami", board=size)
    generator = random.Random(3)
    rays = dict.fromkeys(range(1, 5), 0)
    for _ in range(600):
        state = game.position(crowded(game, generator), to_move=1)
        for move in state.legal_moves():
            turn = state.play(move)
            moved = turn.events[0]
            assert isinstance(moved, Moved)
            if turn.captured:
                rays[len({direction(moved.target, square) for square in turn.captured})] += 1
    assert rays[4] == 0
    assert min(rays[1], rays[2], rays[3]) > 0


def crowded(game: Game, generator: random.Random) -> dict[int, dict[str, str]]:
    """Around an empty square in the middle runs of enemy stones with a friendly one behind, and stones elsewhere."""
    centre = generator.choice(["c3", "d4", "d3", "e4", "c5"])
    pieces: dict[int, dict[str, str]] = {1: {}, 2: {}}
    for files, ranks in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        runs = generator.choice([[2, 1], [2, 1], [2, 2, 1], [1], [0, 1]])
        for distance, seat in enumerate(runs, 1):
            square = f"{chr(ord(centre[0]) + files * distance)}{int(centre[1:]) + ranks * distance}"
            if seat and square in game.squares:
                pieces[seat][square] = "guard"
    taken = {centre, *pieces[1], *pieces[2]}
    for square in generator.sample(sorted(set(game.squares) - taken), 6):
        pieces[generator.choice([1, 2])][square] = "guard"
    return pieces


def test_at_most_three_rays_and_one_pair() -> None:
    """Random matches of mak-yek: besides runs on at most three rays the two neighbours on one line, or neither."""
    generator = random.Random(5)
    pairs = 0
    for _ in range(60):
        state = engine_core.load("mak-yek", target="all").start()
        while state.phase == "play" and state.ply < 60:
            turn = state.play(generator.choice(state.legal_moves()))
            moved = turn.events[0]
            assert isinstance(moved, Moved)
            assert len({direction(moved.target, square) for square in turn.captured}) <= 3
            enemies = state.pieces()[3 - moved.seat]
            taken = [set(two) <= set(turn.captured) for two in beside(moved.target) if set(two) <= set(enemies)]
            assert all(taken)
            assert len(taken) <= 1
            pairs += len(taken)
            state = turn.state
    assert pairs > 10


def beside(square: str) -> list[tuple[str, str]]:
    """The two neighbours to the sides and the two before and behind, on the board or not."""
    file, rank = ord(square[0]), int(square[1:])
    return [(f"{chr(file - 1)}{rank}", f"{chr(file + 1)}{rank}"), (f"{square[0]}{rank - 1}", f"{square[0]}{rank + 1}")]


def test_three_rays() -> None:
    """By hand: up, left and right of d4 a run is closed; the moved stone came from below."""
    game = engine_core.load("hidden-hasami")
    own = {"d1": "leader", "d7": "guard", "a4": "guard", "f4": "guard"}
    enemy = {"d5": "guard", "d6": "guard", "c4": "guard", "b4": "guard", "e4": "guard", "a7": "leader", "b7": "guard"}
    turn = game.position({1: own, 2: enemy}, to_move=1).play("d1d4")
    assert turn.captured == ["b4", "c4", "e4", "d5", "d6"]
    assert turn.state.pieces()[2] == {"a7": "leader", "b7": "guard"}


def direction(origin: str, square: str) -> tuple[int, int]:
    """The unit step from one square towards another on the same line."""
    files, ranks = ord(square[0]) - ord(origin[0]), int(square[1:]) - int(origin[1:])
    assert (files == 0) != (ranks == 0)
    return (files > 0) - (files < 0), (ranks > 0) - (ranks < 0)
