"""The other engines do what they are compared for."""

from collections.abc import Callable

import pytest

pytest.importorskip("cshogi", reason="the yardsticks are not installed; `make bench` installs them")
pytest.importorskip("chess", reason="the yardsticks are not installed; `make bench` installs them")
pytest.importorskip("pyspiel", reason="the yardsticks are not installed; `make bench` installs them")

import cshogi

from load import yardsticks

FIRST_MOVES_OF_SHOGI = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"


@pytest.mark.parametrize(("depth", "nodes"), [(1, 30), (2, 900), (3, 25470)])
def test_perft_of_shogi(depth: int, nodes: int) -> None:
    """The published numbers of the opening position."""
    assert yardsticks.shogi_perft(cshogi.Board(), depth) == nodes


def test_a_request_of_shogi_is_answered() -> None:
    after = yardsticks.shogi_answer(FIRST_MOVES_OF_SHOGI, "7g7f")
    assert after == "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"


def test_an_illegal_request_of_shogi_is_refused() -> None:
    with pytest.raises(ValueError, match="7g7e"):
        yardsticks.shogi_answer(FIRST_MOVES_OF_SHOGI, "7g7e")


def test_requests_of_shogi_are_all_answered() -> None:
    requests = yardsticks.shogi_requests(16)
    assert len({yardsticks.shogi_answer(sfen, usi) for sfen, usi in requests}) == 16


@pytest.mark.parametrize(
    "game", [yardsticks.shogi_playout, yardsticks.shogi_loop, yardsticks.chess_loop, yardsticks.dark_chess_loop]
)
def test_random_games_last_some_plies_and_end(game: Callable[[int], int]) -> None:
    assert 4 < game(1) <= yardsticks.MAX_PLIES
    assert game(1) == game(1)
