"""Random playouts and perft: seeds, counts that add up, limits, ended states, and other threads in the meantime."""

import sys
import threading
from collections.abc import Callable, Iterator

import pytest

import engine_core
from engine_core import RefereeError, State

from .rulesets_folder import Folder
from .shared import playing

FIVE = ["gunjin-shogi", "hidden-capture-flag", "hidden-hasami", "luzhanqi-mini", "salpakan-classic"]
REASONS = {
    "gunjin-shogi": {"flag-captured", "headquarters-entered", "no-legal-move"},
    "hidden-capture-flag": {"flag-captured", "no-legal-move"},
    "hidden-hasami": {"objective-captured", "capture-threshold", "repetition", "no-legal-move"},
    "luzhanqi-mini": {"flag-captured", "no-legal-move"},
    "salpakan-classic": {"flag-captured", "flag-reached", "no-legal-move"},
}


@pytest.mark.parametrize("name", FIVE)
def test_playouts_follow_their_seed(name: str) -> None:
    state = playing(name, 11, 4)
    before = state.to_bytes()
    first, again, other = (engine_core.playout(state, 60, seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert state.to_bytes() == before


@pytest.mark.parametrize("name", FIVE)
def test_counts_add_up(name: str) -> None:
    played = engine_core.playout(playing(name, 11, 4), 150, 3)
    assert played.games == 150 == sum(played.results.values()) + played.unfinished
    assert played.plies >= 150
    assert {result.reason for result in played.results} <= REASONS[name]
    for result in played.results:
        draws = [()] if result.reason == "repetition" else [(1,), (2,)]
        assert result.winners in draws


def test_no_games() -> None:
    assert engine_core.playout(playing("luzhanqi-mini", 1, 0), 0, 1) == (0, 0, 0, {})


def test_any_whole_number_is_a_seed() -> None:
    state = playing("luzhanqi-mini", 1, 0)
    for seed in (0, -1, 2**63, 2**64 + 5):
        assert engine_core.playout(state, 3, seed).games == 3
    assert engine_core.playout(state, 30, 5) == engine_core.playout(state, 30, 2**64 + 5)


def test_a_decided_position() -> None:
    """Seat 1 has one move, and it wins."""
    game = engine_core.load("hidden-capture-flag")
    state = game.position({1: {"a1": "miner", "b1": "bomb"}, 2: {"a2": "flag", "j10": "scout"}}, to_move=1)
    assert [str(move) for move in state.legal_moves()] == ["a1a2"]
    assert engine_core.playout(state, 9, 3) == (9, 9, 0, {((1,), "flag-captured"): 9})
    over = state.play("a1a2").state
    assert engine_core.playout(over, 5, 3) == (5, 0, 0, {((1,), "flag-captured"): 5})


def test_every_move_has_the_same_chance() -> None:
    """One move of 80 takes the flag at once; with a limit of one ply the others are draws."""
    game = engine_core.load("gunjin-shogi", ply_limit="1")
    state = game.position({1: {"e5": "aircraft"}, 2: {"e9": "flag", "a1": "mine", "i1": "tank"}}, to_move=1)
    moves = len(state.legal_moves())
    assert moves == 80
    games = 40_000
    won = engine_core.playout(state, games, 4).results[engine_core.Result((1,), "flag-captured")]
    expected = games / moves
    assert abs(won - expected) < 4 * expected**0.5


def test_the_history_counts_in_playouts() -> None:
    """One shuttle short of the third occurrence: only the repeating move ends it with two plies to go."""
    game = engine_core.load("hidden-hasami")
    state = game.position({1: {"a1": "leader", "c1": "guard"}, 2: {"g7": "leader", "e7": "guard"}}, to_move=1)
    for move in ("a1a2", "g7g6", "a2a1", "g6g7", "a1a2", "g7g6", "a2a1"):
        state = state.play(move).state
    repeating = state.play("g6g7").state
    assert repeating.result == ((), "repetition")
    moves = len(state.legal_moves())
    followed = sum(engine_core.perft(state.play(move).state, 1) for move in state.legal_moves())
    assert engine_core.perft(state, 1) == moves
    assert engine_core.perft(state, 2) == followed
    fresh = game.position(state.pieces(), to_move=2)
    assert engine_core.perft(fresh, 2) == followed + engine_core.perft(fresh.play("g6g7").state, 1)


def test_playouts_heed_the_limits() -> None:
    played = engine_core.playout(playing("hidden-hasami", 2, 0, ply_limit="6"), 200, 8)
    assert played.plies <= 1_200
    assert played.results[engine_core.Result((), "ply-limit")] > 100


def test_perft_at_the_edges() -> None:
    state = playing("hidden-hasami", 2, 0)
    assert [engine_core.perft(state, depth) for depth in (0, 1)] == [1, 35]
    over = state.resign(1).state
    assert [engine_core.perft(over, depth) for depth in (0, 1, 2)] == [1, 0, 0]
    for depth in (-1, 10_000):
        with pytest.raises(RefereeError):
            engine_core.perft(state, depth)


WIDE_SQUARE = """
base = "hidden-capture-flag"
id = "wide"
name = "Wide"
summary = "One square in the middle is two squares wide, so that it has six neighbours."

[board]
files = 10
ranks = 10
void = []
merged.e5 = ["f5"]
"""


def test_a_square_with_more_than_four_neighbours(rulesets: Folder) -> None:
    """The last of six neighbours, in the order of the squares, is the only one that seat 1 can go to."""
    rulesets.write("wide", WIDE_SQUARE)
    rulesets.serve()
    around = dict.fromkeys(("e4", "f4", "d5", "g5", "e6"), "bomb")
    state = engine_core.load("wide").position({1: {"e5": "marshal", **around}, 2: {"f6": "flag"}}, to_move=1)
    assert [str(move) for move in state.legal_moves()] == ["e5f6"]
    assert engine_core.perft(state, 1) == 1
    assert engine_core.playout(state, 9, 3) == (9, 9, 0, {((1,), "flag-captured"): 9})


LINED = """
base = "hidden-capture-flag"
id = "lined"
name = "Lined"
summary = "Three pieces in a line win, too."

[[endings]]
when = "line"
length = 3
along = ["rank", "file"]

[[endings]]
when = "flag-captured"

[[endings]]
when = "no-legal-move"
"""


def played_one_by_one(state: State, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(played_one_by_one(state.play(move).state, depth - 1) for move in state.legal_moves())


@pytest.mark.parametrize(
    ("name", "plies", "depth"),
    [
        ("hidden-capture-flag", 0, 5),
        ("hidden-capture-flag", 150, 4),
        ("capture-flag-barrage", 150, 4),
        ("capture-flag-tournament", 150, 3),
        ("gunjin-shogi-23", 150, 4),
        ("luzhanqi-mini", 60, 4),
        ("salpakan-classic", 40, 3),
    ],
)
def test_perft_counts_what_can_be_played(name: str, plies: int, depth: int) -> None:
    """Own moves, answers and battles that open and shut the ways of sliders, steppers and walkers."""
    state = playing(name, 3, plies)
    assert state.result is None
    assert engine_core.perft(state, depth) == played_one_by_one(state, depth)


def test_perft_sees_lines_in_games_with_battles(rulesets: Folder) -> None:
    """Some quiet moves end the match: those that bring the third piece into the line of the other two."""
    rulesets.write("lined", LINED)
    rulesets.serve()
    men = {1: {"a1": "captain", "b1": "miner", "d1": "scout"}, 2: {"j10": "flag", "h8": "scout", "j7": "colonel"}}
    state = engine_core.load("lined").position(men, to_move=1)
    assert state.play("d1c1").state.result == ((1,), "line-of-five")
    assert (
        engine_core.perft(state, 2)
        == played_one_by_one(state, 2)
        < len(state.legal_moves()) * engine_core.perft(state.play("a1a2").state, 1)
    )
    assert engine_core.perft(state, 3) == played_one_by_one(state, 3)


def test_each_kind_of_move_has_its_chance() -> None:
    """Steps and slides alike: of all moves of a stepping and a sliding piece one takes the flag at once."""
    game = engine_core.load("hidden-capture-flag", ply_limit="1")
    men = {1: {"e4": "scout", "a1": "miner", "j1": "bomb"}, 2: {"e9": "flag", "i10": "scout"}}
    state = game.position(men, to_move=1)
    moves = len(state.legal_moves())
    assert moves == 19  # 17 of the scout, 2 of the miner
    games = 19_000
    played = engine_core.playout(state, games, 4).results
    expected = games / moves
    assert abs(played[engine_core.Result((1,), "flag-captured")] - expected) < 4 * expected**0.5


@pytest.fixture
def no_forced_switch() -> Iterator[None]:
    """Threads take turns only where one lets go of the interpreter of its own accord."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(600)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.parametrize(
    "long_call",
    [
        lambda: engine_core.playout(playing("hidden-capture-flag", 1, 0), 300, 1),
        lambda: engine_core.perft(playing("hidden-hasami", 1, 0), 4),
    ],
    ids=["playout", "perft"],
)
@pytest.mark.usefixtures("no_forced_switch")
def test_other_threads_run_meanwhile(long_call: Callable[[], object]) -> None:
    """The other thread waits for a signal that is given just before the call. It can have run when the call returns
    only if the call let go of the interpreter; how fast it wakes up does not matter, since the call is repeated."""
    go = threading.Event()
    ran: list[bool] = []

    def wait_and_note() -> None:
        go.wait()
        ran.append(True)

    other = threading.Thread(target=wait_and_note)
    other.start()
    go.set()
    seen_before = bool(ran)
    for _ in range(50):
        long_call()
        if ran:
            break
    seen = bool(ran)
    other.join()
    assert (seen_before, seen) == (False, True)
