"""The Python API as the design states it: each promise an assertion."""

import copy
import gc
import pickle
import weakref
from collections.abc import Sequence
from dataclasses import FrozenInstanceError

import pytest

import engine_core
from engine_core import Game, Move, RefereeError, State, StateError, Turn
from engine_core.events import Moved

from .shared import playing

FIVE = ["gunjin-shogi", "hidden-capture-flag", "hidden-hasami", "luzhanqi-mini", "salpakan-classic"]
ROW = {1: {f"{file}1": "guard" for file in "abcdefg"}, 2: {f"{file}7": "guard" for file in "abcdefg"}}
HASAMI = {1: ROW[1] | {"d1": "leader"}, 2: ROW[2] | {"a7": "leader"}}


@pytest.fixture
def game() -> Game:
    return engine_core.load("hidden-hasami")


@pytest.fixture
def state(game: Game) -> State:
    """Play has begun, seat 1 to move."""
    return game.start().arrange(1, HASAMI[1]).state.arrange(2, HASAMI[2]).state


# Games.


def test_games() -> None:
    assert engine_core.games() == sorted(engine_core.games())
    assert set(FIVE) <= set(engine_core.games())


def test_load() -> None:
    game = engine_core.load("hidden-hasami", board="9x9")
    assert (game.id, game.options["board"]) == ("hidden-hasami", "9x9")
    assert len(game.squares) == 81
    assert game.squares[:10] == ("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "a2")
    assert game.squares[-1] == "i9"
    assert game.kinds == ("leader", "guard")
    assert game.seats == (1, 2)
    assert dict(engine_core.load("hidden-hasami").options) == {
        "board": "7x7", "corner": "off", "ply_limit": "off", "quiet_limit": "off", "reveal_at_end": "off",
    }  # fmt: skip
    assert engine_core.load("hidden-hasami", ply_limit=30).options["ply_limit"] == "30"
    with pytest.raises(TypeError):
        game.options["board"] = "7x7"  # type: ignore[index]


def test_existing_squares_only() -> None:
    squares = engine_core.load("hidden-capture-flag").squares
    assert len(squares) == 92
    assert not {"c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"} & set(squares)
    assert squares[40:46] == ("a5", "b5", "e5", "f5", "i5", "j5")


@pytest.mark.parametrize(
    ("name", "options", "reason", "listed"),
    [
        ("chess", {}, "UNKNOWN_GAME", ["chess", *FIVE]),
        ("", {}, "UNKNOWN_GAME", FIVE),
        ("Hidden-Hasami", {}, "UNKNOWN_GAME", FIVE),
        (
            "hidden-hasami",
            {"size": "9x9"},
            "UNKNOWN_OPTION",
            ["size", "board", "ply_limit", "quiet_limit", "reveal_at_end"],
        ),
        ("hidden-hasami", {"battle_reveal": "none"}, "UNKNOWN_OPTION", ["battle_reveal", "board"]),
        ("hidden-hasami", {"board": "8x8"}, "INVALID_OPTION_VALUE", ["8x8", "7x7", "9x9"]),
        ("hidden-hasami", {"ply_limit": "0"}, "INVALID_OPTION_VALUE", ["off", "whole number from 1"]),
        ("hidden-hasami", {"ply_limit": "N"}, "INVALID_OPTION_VALUE", ["off"]),
        ("hidden-hasami", {"ply_limit": -3}, "INVALID_OPTION_VALUE", ["off"]),
        ("hidden-hasami", {"quiet_limit": "1.5"}, "INVALID_OPTION_VALUE", ["off"]),
        ("hidden-hasami", {"reveal_at_end": True}, "INVALID_OPTION_VALUE", ["True", "off", "on"]),
        ("hidden-capture-flag", {"two_squares": "4"}, "INVALID_OPTION_VALUE", ["off", "3", "5"]),
    ],
)
def test_what_does_not_exist(name: str, options: dict[str, object], reason: str, listed: list[str]) -> None:
    with pytest.raises(RefereeError) as refused:
        engine_core.load(name, **options)
    error = refused.value
    assert isinstance(error, ValueError)
    assert error.reason == reason
    assert all(word in str(error) for word in listed)
    assert all(isinstance(value, str) for value in error.details.values())


def test_games_with_ever_new_limits_are_not_kept_for_ever() -> None:
    """A caller may ask for any limit, so what is kept of past choices has a bound."""
    kept = [weakref.ref(engine_core.load("luzhanqi-mini", ply_limit=limit)) for limit in range(1, 341)]
    gc.collect()
    assert sum(game() is not None for game in kept) <= 300


# States.


def test_start_and_arrange(game: Game) -> None:
    state = game.start()
    assert (state.phase, state.to_move, state.ply, state.revision, state.result) == ("arrangement", None, 0, 0, None)
    assert state.legal_moves() == []
    assert state.pieces() == {1: {}, 2: {}}
    turn = state.arrange(1, HASAMI[1])
    assert isinstance(turn, Turn)
    assert (turn.state.phase, turn.state.arranged, turn.state.revision) == ("arrangement", (1,), 1)
    after = turn.state.arrange(2, HASAMI[2]).state
    assert (after.phase, after.to_move, after.ply, after.revision) == ("play", 1, 0, 2)
    assert after.pieces() == HASAMI
    assert game.start(first_seat=2).arrange(1, HASAMI[1]).state.arrange(2, HASAMI[2]).state.to_move == 2
    arrangement = game.random_arrangement(2, seed=7)
    assert sorted(arrangement) == sorted(HASAMI[2])
    assert game.start(match_id=b"m" * 32).match_id == b"m" * 32
    with pytest.raises(RefereeError):
        game.start(match_id=b"m" * 33)
    with pytest.raises(RefereeError):
        game.start(first_seat=3)


def test_position(game: Game) -> None:
    state = game.position({1: {"a1": "leader"}, 2: {"g7": "guard", "g6": "guard"}}, to_move=2, out=())
    assert (state.phase, state.to_move, state.ply, state.revision) == ("play", 2, 0, 0)
    assert state.pieces() == {1: {"a1": "leader"}, 2: {"g7": "guard", "g6": "guard"}}
    for wrong in (
        {1: {"a8": "guard"}},
        {1: {"a1": "king"}},
        {1: {"a1": "guard"}, 2: {"a1": "guard"}},
        {3: {"a1": "guard"}},
    ):
        with pytest.raises(RefereeError) as refused:
            game.position(wrong, to_move=1)
        assert isinstance(refused.value, ValueError)


def test_legal_moves(state: State, game: Game) -> None:
    moves = state.legal_moves()
    assert len(moves) == 35
    assert all(isinstance(move, Move) for move in moves)
    assert {str(move) for move in moves} == {f"{file}1{file}{rank}" for file in "abcdefg" for rank in range(2, 7)}
    move = next(move for move in moves if str(move) == "b1b4")
    assert (game.squares[move.source], game.squares[move.target]) == ("b1", "b4")
    assert int(move) == move.source << 8 | move.target
    assert [int(move) for move in moves] == sorted(int(move) for move in moves)


def test_play_takes_every_form_of_a_move(state: State) -> None:
    move = state.legal_moves()[3]
    assert state.play(move).state == state.play(str(move)).state == state.play(int(move)).state


def test_a_turn(state: State) -> None:
    turn = state.play("a1a6")
    assert turn.events == (Moved(1, 1, "a1", "a6", "move", (), None, None),)
    assert (turn.battle, turn.captured) == (None, [])
    assert (turn.state.ply, turn.state.revision, turn.state.to_move) == (1, 3, 2)
    assert str(turn.state.last_move) == "a1a6"
    stones = {1: {"a4": "guard", "d1": "leader"}, 2: {"b4": "guard", "c4": "guard", "g7": "leader", "g6": "guard"}}
    turn = state.game.position(stones, to_move=1).play("d1d4")
    assert turn.events == (Moved(1, 1, "d1", "d4", "capture", ("b4", "c4"), None, None),)
    assert (turn.battle, turn.captured) == (None, ["b4", "c4"])


def test_actions_beside_the_board(state: State) -> None:
    assert state.resign(2).state.result == ((1,), "resigned")
    offered = state.offer_draw(1).state
    assert offered.draw_agreed == (1,)
    accepted = offered.accept_draw(2).state
    assert accepted.result is not None
    assert (accepted.result.winners, accepted.result.reason) == ((), "agreed-draw")
    assert offered.decline_draw(2).state.draw_agreed == ()
    assert state.forfeit(2, "time").state.result == ((1,), "time")
    assert state.adjudicate([1]).state.result == ((1,), "adjudicated")
    assert (accepted.phase, accepted.to_move, list(accepted.legal_moves())) == ("ended", None, [])


@pytest.mark.parametrize("name", FIVE)
def test_bytes_and_pickling(name: str) -> None:
    for plies in (0, 25):
        state = playing(name, 5, plies)
        for other in (engine_core.decode(state.to_bytes()), pickle.loads(pickle.dumps(state)), copy.deepcopy(state)):
            assert (other, hash(other), repr(other)) == (state, hash(state), repr(state))
            assert other.legal_moves() == state.legal_moves()
            assert other.game is state.game
    move = playing(name, 5, 0).legal_moves()[0]
    assert pickle.loads(pickle.dumps(move)) == move
    assert str(pickle.loads(pickle.dumps(move))) == str(move)
    with pytest.raises(StateError) as refused:
        engine_core.decode(b"no state")
    assert refused.value.reason in StateError.REASONS


def test_equality(state: State, game: Game) -> None:
    again = game.start().arrange(2, HASAMI[2]).state.arrange(1, HASAMI[1]).state
    assert (again, hash(again)) == (state, hash(state))  # the order of the arrangements leaves no trace
    assert state != game.start()
    assert state != again.play("a1a2").state
    assert state != "a state"
    assert len({state, again}) == 1
    assert state.play("a1a2").state == again.play("a1a2").state
    other = game.start(match_id=b"x").arrange(1, HASAMI[1]).state.arrange(2, HASAMI[2]).state
    assert other != state


def test_states_and_views_are_immutable(state: State) -> None:
    view = state.view(1)
    for thing, names in (
        (state, ["phase", "to_move", "ply", "revision", "result", "game", "match_id", "anything"]),
        (view, ["seats", "kinds", "origins", "flags", "viewer", "anything"]),
        (state.legal_moves()[0], ["source", "target", "anything"]),
        (state.play("a1a2"), ["state", "events", "anything"]),
    ):
        for name in names:
            with pytest.raises((AttributeError, TypeError)):
                setattr(thing, name, None)
    with pytest.raises(FrozenInstanceError):
        setattr(state.play("a1a2").events[0], "seat", 2)  # noqa: B010
    before = state.to_bytes()
    state.pieces()[1]["a1"] = "guard"
    state.play("a1a2"), state.resign(1), state.offer_draw(2)
    assert state.to_bytes() == before


def test_states_are_made_by_games_only() -> None:
    for made in (State, Turn):
        with pytest.raises(TypeError):
            made()


def test_repr_is_deterministic(state: State) -> None:
    assert repr(state) == "<State of hidden-hasami: ply 0, seat 1 to move>"
    assert repr(state.view(1)) == repr(engine_core.decode(state.to_bytes()).view(1))
    assert "hidden-hasami" in repr(state.game)
    assert repr(state.legal_moves()[0]) == f"<Move {state.legal_moves()[0]}>"


# Errors.


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("a1", "MALFORMED_MOVE"),
        ("", "MALFORMED_MOVE"),
        ("a1a8", "MALFORMED_MOVE"),
        ("a1-a2", "MALFORMED_MOVE"),
        ("A1A2", "MALFORMED_MOVE"),
        (49, "MALFORMED_MOVE"),
        (-1, "MALFORMED_MOVE"),
        (1 << 20, "MALFORMED_MOVE"),
        (None, "MALFORMED_MOVE"),
        (1.5, "MALFORMED_MOVE"),
        ("a1a1", "ILLEGAL_MOVE"),
        ("a1b1", "ILLEGAL_MOVE"),
        ("a1a7", "ILLEGAL_MOVE"),
        ("a1b2", "ILLEGAL_MOVE"),
        ("a7a6", "ILLEGAL_MOVE"),
        ("d4d5", "ILLEGAL_MOVE"),
    ],
)
def test_refused_moves(state: State, move: object, reason: str) -> None:
    with pytest.raises(RefereeError) as refused:
        state.play(move)  # type: ignore[arg-type]
    assert refused.value.reason == reason
    assert isinstance(refused.value, ValueError) == (reason == "MALFORMED_MOVE")


def test_reasons(state: State, game: Game) -> None:
    start = game.start()
    over = state.resign(1).state
    offered = state.offer_draw(1).state
    for action, reason in (
        (lambda: start.play("a1a2"), "ARRANGEMENT_PENDING"),
        (lambda: start.offer_draw(1), "ARRANGEMENT_PENDING"),
        (lambda: engine_core.perft(start, 1), "ARRANGEMENT_PENDING"),
        (lambda: engine_core.playout(start, 1, 1), "ARRANGEMENT_PENDING"),
        (lambda: start.arrange(1, HASAMI[1]).state.arrange(1, HASAMI[1]), "ALREADY_ARRANGED"),
        (lambda: state.arrange(1, HASAMI[1]), "ALREADY_ARRANGED"),
        (lambda: start.arrange(1, {}), "INVALID_ARRANGEMENT"),
        (lambda: start.arrange(3, HASAMI[1]), "INVALID_SEAT"),
        (lambda: state.resign(0), "INVALID_SEAT"),
        (lambda: state.offer_draw(3), "INVALID_SEAT"),
        (lambda: game.random_arrangement(3, seed=1), "INVALID_SEAT"),
        (lambda: state.view(3), "INVALID_VIEWER"),
        (lambda: state.view(-1), "INVALID_VIEWER"),
        (lambda: state.forfeit(1, "boredom"), "INVALID_ACTION"),
        (lambda: state.adjudicate([1, 2]), "INVALID_ACTION"),
        (lambda: engine_core.playout(state, -1, 1), "INVALID_ACTION"),
        (lambda: engine_core.perft(state, -1), "INVALID_ACTION"),
        (lambda: state.accept_draw(1), "NO_DRAW_OFFER"),
        (lambda: offered.accept_draw(1), "NO_DRAW_OFFER"),
        (lambda: offered.offer_draw(2), "DRAW_OFFER_OPEN"),
        (lambda: over.play("a1a2"), "MATCH_OVER"),
        (lambda: over.resign(2), "MATCH_OVER"),
        (lambda: over.offer_draw(2), "MATCH_OVER"),
        (lambda: over.forfeit(2, "time"), "MATCH_OVER"),
        (lambda: over.adjudicate([]), "MATCH_OVER"),
        (lambda: over.arrange(2, HASAMI[2]), "MATCH_OVER"),
    ):
        with pytest.raises(RefereeError) as refused:
            action()
        assert refused.value.reason == reason
        assert str(refused.value)


def test_legal_actions(state: State, game: Game) -> None:
    start = game.start()
    assert set(start.legal_actions(1)) == {"arrange", "resign"}
    assert set(start.arrange(1, HASAMI[1]).state.legal_actions(1)) == {"resign"}
    assert set(state.legal_actions(1)) == {"move", "resign", "offer-draw"}
    assert set(state.legal_actions(2)) == {"resign", "offer-draw"}
    offered = state.offer_draw(2).state
    assert set(offered.legal_actions(1)) == {"move", "resign", "accept-draw", "decline-draw"}
    assert set(offered.legal_actions(2)) == {"resign"}
    assert state.resign(1).state.legal_actions(2) == ()


def test_moves_are_a_sequence(state: State) -> None:
    moves = state.legal_moves()
    listed = list(moves)
    assert isinstance(moves, Sequence)
    assert (len(moves), moves[0], moves[-1], moves[-35]) == (35, listed[0], listed[34], listed[0])
    assert moves[3:5] == listed[3:5]
    for outside in (35, -36):
        with pytest.raises(IndexError):
            moves[outside]
    assert moves == listed
    assert listed == moves
    assert moves == state.legal_moves()
    assert moves != state.play(moves[0]).state.legal_moves()
    assert moves[7] in moves
    assert "a1a2" not in moves
    assert (moves.index(moves[7]), moves.count(moves[7])) == (7, 1)
    assert list(reversed(moves)) == listed[::-1]
    assert state.resign(1).state.legal_moves() == []
    assert not state.resign(1).state.legal_moves()
