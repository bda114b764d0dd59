"""Corner capture as an option of a game with hidden kinds."""

import pytest

import engine_core


@pytest.mark.parametrize(("corner", "captured"), [("off", []), ("on", ["a7"])])
def test_a_stone_in_a_corner(corner: str, captured: list[str]) -> None:
    game = engine_core.load("hidden-hasami", corner=corner)
    pieces = {1: {"b7": "guard", "g6": "leader"}, 2: {"a7": "guard", "g1": "leader", "g2": "guard"}}
    turn = game.position(pieces, to_move=1).play("g6a6")
    assert turn.captured == captured
    assert turn.state.result is None


def test_a_leader_in_a_corner() -> None:
    game = engine_core.load("hidden-hasami", corner="on", board="9x9")
    pieces = {1: {"h9": "guard", "a8": "leader"}, 2: {"i9": "leader", "g1": "guard", "g2": "guard"}}
    turn = game.position(pieces, to_move=1).play("a8i8")
    assert turn.captured == ["i9"]
    assert turn.state.result == ((1,), "objective-captured")
