"""The positions that are measured."""

from engine_core import State
from load.positions import GAME, MIDDLE_PLIES, matches_under_way, middle, opening


def standing(state: State) -> int:
    return sum(len(pieces) for pieces in state.pieces().values())


def test_the_opening_has_all_pieces() -> None:
    state = opening()
    assert (state.game.id, state.ply, standing(state)) == (GAME, 0, 80)


def test_the_middle_is_in_play_and_always_the_same() -> None:
    state = middle()
    assert (state.ply, state.phase) == (MIDDLE_PLIES, "play")
    assert standing(state) < 80
    assert state == middle()
    assert state != middle(2)


def test_matches_under_way_are_in_play_at_every_stage() -> None:
    positions = matches_under_way(8)
    assert [one.state.ply for one in positions] == [0, 50, 100, 150, 200, 250, 300, 350]
    for one in positions:
        assert one.state.to_move == one.seat
        assert one.move in one.state.legal_moves()
