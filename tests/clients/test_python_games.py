"""Moves and views as the Python client reads them."""

from collections.abc import Iterator

import pytest
from shinpan import Game, Piece, Referee, View
from shinpan.v1 import game_pb2

from service.process import ServerProcess

GUARDS_AND_A_LEADER = ("leader", *["guard"] * 6)


@pytest.fixture(scope="module")
def referee() -> Iterator[Referee]:
    with ServerProcess() as running, Referee(running.address) as connected:
        yield connected


@pytest.fixture(scope="module")
def game(referee: Referee) -> Game:
    """On seven by seven squares; each side begins with six guards and a leader on its first rank."""
    return referee.game("hidden-hasami")


@pytest.mark.parametrize(("text", "move"), [("a1a1", 0), ("b1b5", 1 << 8 | 29), ("g7a1", 48 << 8), ("a1g7", 48)])
def test_moves(game: Game, text: str, move: int) -> None:
    assert game.packed_move(text) == move
    assert game.move_text(move) == text


def test_moves_on_ranks_of_two_digits() -> None:
    squares = [game_pb2.Square(name=name) for name in ("a1", "a10", "b1", "b10")]
    game = Game(game_pb2.Game(board=game_pb2.Board(squares=squares)))
    for text, move in (("a1b10", 3), ("a10b1", 1 << 8 | 2), ("a10b10", 1 << 8 | 3)):
        assert game.packed_move(text) == move
        assert game.move_text(move) == text


@pytest.mark.parametrize("text", ["", "a1", "a1a8", "a1b2c3", "a1 b1", "A1B1"])
def test_texts_that_are_no_moves(game: Game, text: str) -> None:
    with pytest.raises(ValueError, match="is no move of hidden-hasami: a move is two squares"):
        game.packed_move(text)


@pytest.mark.parametrize("move", [49, 49 << 8, 1 << 16, -1])
def test_numbers_that_are_no_moves(game: Game, move: int) -> None:
    with pytest.raises(ValueError, match=f"{move} is no move of hidden-hasami, whose board has 49 squares"):
        game.move_text(move)


def test_pieces(referee: Referee, game: Game) -> None:
    placed = {
        1: dict(zip((f"{file}1" for file in "abcdefg"), GUARDS_AND_A_LEADER, strict=True)),
        2: dict(zip((f"{file}7" for file in "gfedcba"), GUARDS_AND_A_LEADER, strict=True)),
    }
    match = referee.start_match(game.id, arrangements=placed)
    match = referee.move(match.state, 1, "b1b5", viewers=[1, 2])
    still = {"moved": False, "shown": False, "claims": False}
    assert game.pieces(match.updates[1].view) == (
        Piece("a1", 1, "leader", "a1", **still),
        *(Piece(f"{file}1", 1, "guard", f"{file}1", **still) for file in "cdefg"),
        Piece("b5", 1, "guard", "b1", moved=True, shown=False, claims=False),
        *(Piece(f"{file}7", 2, None, f"{file}7", **still) for file in "abcdefg"),
    )
    kinds = {piece.square: piece.kind for piece in game.pieces(match.updates[2].view) if piece.kind is not None}
    assert kinds == placed[2]


def column(*first: int) -> bytes:
    return bytes(first).ljust(49, b"\0")


def view(seats: bytes, kinds: bytes, origins: bytes, flags: bytes) -> View:
    return View(seats, kinds, origins, flags, claim_pending=False, diagram=None)


def test_flags(game: Game) -> None:
    """4 and 8 are of the last move, not of pieces."""
    shown = view(column(1, 1, 1, 2), column(1, 1, 1, 255), column(1, 2, 3, 49), column(1, 2, 16, 12))
    flags = [(piece.moved, piece.shown, piece.claims) for piece in game.pieces(shown)]
    assert flags == [(True, False, False), (False, True, False), (False, False, True), (False, False, False)]


@pytest.mark.parametrize(
    "foreign",
    [
        view(column(), column(), column(), column()[:48]),
        view(column(1), column(0), column(1), column()),
        view(column(1), column(3), column(1), column()),
        view(column(1), column(1), column(0), column()),
        view(column(1), column(1), column(50), column()),
    ],
    ids=["short", "no kind", "another kind", "no origin", "far origin"],
)
def test_a_view_of_another_game(game: Game, foreign: View) -> None:
    with pytest.raises(ValueError, match="the view is not of hidden-hasami with these options"):
        game.pieces(foreign)
