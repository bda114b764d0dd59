"""The largest boards and rosters: 255 squares and 32 kinds load and play, one more is refused with a message."""

import random
from pathlib import Path

import pytest

import engine_core
from engine_core import REFEREE, Game, State
from engine_core.errors import RulesetError
from engine_core.events import MatchEnded
from engine_core.ruleset_file import read

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def document(files: int, ranks: int, kinds: int, *, rows: int = 2, void: str = "", count: int = 1) -> str:
    """A game of two with so many kinds: the first never moves and is the flag, the others slide or fly."""
    last = chr(ord("a") + files - 1)
    lines = [
        'id = "large"', 'name = "Large"', 'summary = "As large as it gets."',
        "[board]", f"files = {files}", f"ranks = {ranks}", f"void = [{void}]",
        "[seats]", "count = 2",
        "[movement.slide]", 'range = "any"', "[movement.fly]", "fly = true",
        "[arrangement]", f'zone = ["a1-{last}{rows}"]',
        "[combat]", "order = [" + ", ".join(f'"k{n}"' for n in range(1, kinds)) + "]",
        'exceptions = [{ defender = ["k0"], outcome = "A!" }]',
        "[[endings]]", 'when = "flag-captured"', "[[endings]]", 'when = "no-legal-move"',
    ]  # fmt: skip
    for number in range(kinds):
        movement = "none" if number == 0 else "fly" if number == 1 else "slide"
        lines += [
            "[[kinds]]", f'id = "k{number}"', f'letter = "{LETTERS[number]}"', f'name = "Kind {number}"',
            f"count = {count if number else 1}", f'movement = "{movement}"',
        ]  # fmt: skip
    return "\n".join(lines) + "\n"


def load(tmp_path: Path, text: str) -> Game:
    path = tmp_path / "large.toml"
    path.write_text(text, encoding="utf-8")
    return Game(read(path).ruleset({}))


def refused(tmp_path: Path, text: str) -> str:
    with pytest.raises(RulesetError) as error:
        load(tmp_path, text)
    return str(error.value)


def play_on(state: State, seed: int, plies: int = 3_000) -> State:
    """Random moves, attacks first: the board empties, and each state holds together."""
    generator = random.Random(seed)
    for _ in range(plies):
        if state.result is not None:
            break
        moves = state.legal_moves()
        assert len(set(moves)) == len(moves)
        seats = state.view(REFEREE).seats
        attacks = [move for move in moves if seats[move.target]]
        before = sum(map(len, state.pieces().values()))
        turn = state.play(generator.choice(attacks or moves))
        state = turn.state
        assert sum(map(len, state.pieces().values())) == before - len(turn.captured)
    view = state.view(REFEREE)
    assert sum(map(bool, view.seats)) + len(view.captured) == sum(map(len, start_pieces(state).values()))
    return state


def start_pieces(state: State) -> dict[int, list[int]]:
    """By seat the start squares of all pieces, those that have left the board too."""
    view = state.view(REFEREE)
    found: dict[int, list[int]] = {seat: [] for seat in state.game.seats}
    for seat, origin in zip(view.seats, view.origins, strict=True):
        if seat:
            found[seat].append(origin)
    for piece in view.captured:
        found[piece.seat].append(piece.origin)
    for origins in found.values():
        assert len(set(origins)) == len(origins)
    return found


def test_255_squares(tmp_path: Path) -> None:
    game = load(tmp_path, document(17, 15, 20, rows=7, count=6))
    assert (len(game.squares), game.squares[-1]) == (255, "q15")
    state = game.start()
    for seat in game.seats:
        state = state.arrange(seat, game.random_arrangement(seat, seed=seat)).state
    assert [len(men) for men in state.pieces().values()] == [115, 115]
    assert state.to_bytes() == state.to_bytes()
    end = play_on(state, seed=1)
    assert end.result is not None
    assert end.ply > 50
    played = engine_core.playout(state, 20, seed=5)
    assert sum(played.results.values()) + played.unfinished == 20


def test_every_square_is_occupied(tmp_path: Path) -> None:
    """255 pieces on 255 squares; every move is a battle until one side has its flag taken."""
    game = load(tmp_path, document(17, 15, 20))
    squares = list(game.squares)
    random.Random(9).shuffle(squares)
    pieces = {
        1: dict.fromkeys(squares[1:128], "k5") | {squares[0]: "k0"},
        2: dict.fromkeys(squares[128:254], "k1") | {squares[254]: "k0"},
    }
    state = game.position(pieces, to_move=2)
    assert sum(map(bool, state.view(1).seats)) == 255
    flyers = 126 * 128  # each flies to every enemy square, and no square is empty
    assert len(state.legal_moves()) == flyers
    assert engine_core.perft(state, 1) == flyers
    turn = state.play(squares[128] + squares[0])
    assert turn.events[-1] == MatchEnded((2,), "flag-captured")
    play_on(state, seed=2)


def test_the_last_square_moves(tmp_path: Path) -> None:
    """Index 254 as source and target, in text, packed, and beside the values that mean none."""
    game = load(tmp_path, document(17, 15, 3))
    state = game.position({1: {"q15": "k2", "a1": "k0"}, 2: {"a15": "k2", "b1": "k0"}}, to_move=1)
    turn = state.play("q15b15")
    assert turn.state.last_move is not None
    assert (turn.state.last_move.source, str(turn.state.last_move)) == (254, "q15b15")
    back = turn.state.play("a15a14").state.play(239 << 8 | 254).state
    assert (str(back.last_move), back.pieces()[1]) == ("b15q15", {"q15": "k2", "a1": "k0"})


def test_32_kinds(tmp_path: Path) -> None:
    game = load(tmp_path, document(12, 12, 32, rows=5))
    assert len(game.kinds) == 32
    state = game.start()
    for seat in game.seats:
        state = state.arrange(seat, game.random_arrangement(seat, seed=seat)).state
    assert max(state.view(REFEREE).kinds) == 32
    assert play_on(state, seed=3).result is not None
    strongest = game.position({1: {"a1": "k31", "c1": "k0"}, 2: {"a3": "k30", "c3": "k0"}}, to_move=1)
    assert strongest.play("a1a3").battle == "defender"  # k1 is the strongest, k31 the weakest


def test_26_kinds(tmp_path: Path) -> None:
    """As many as there are capital letters."""
    game = load(tmp_path, document(12, 12, 26, rows=5))
    state = game.start()
    for seat in game.seats:
        state = state.arrange(seat, game.random_arrangement(seat, seed=seat)).state
    assert play_on(state, seed=3).result is not None


def test_256_squares_are_refused(tmp_path: Path) -> None:
    text = refused(tmp_path, document(16, 16, 3))
    assert all(word in text for word in ("large.toml", "board", "256", "255"))


def test_a_void_brings_it_back_to_255(tmp_path: Path) -> None:
    assert len(load(tmp_path, document(16, 16, 3, void='"h8"')).squares) == 255


def test_33_kinds_are_refused(tmp_path: Path) -> None:
    text = refused(tmp_path, document(12, 12, 33, rows=5))
    assert all(word in text for word in ("large.toml", "kinds", "32", "33"))
