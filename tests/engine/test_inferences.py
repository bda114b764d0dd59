"""What follows from single pieces of evidence, for the seat that has met it and for those who looked on."""

from fractions import Fraction
from math import comb, factorial

import pytest

import engine_core
from engine_core import SPECTATOR, Deduction, State

from .evidence_rows import ROWS, Row


def left(deduction: Deduction, square: str) -> set[str]:
    """The kinds that the piece of seat 2 which started on a square can be."""
    return set(next(piece for piece in deduction.pieces if (piece.seat, piece.origin) == (2, square)).kinds)


def played(state: State, *moves: str) -> State:
    for move in moves:
        state = state.play(move).state
    assert state.phase == "play"
    return state


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_particular_evidence(row: Row) -> None:
    game = engine_core.load(row.game, **row.options)
    state = played(game.position({1: row.own, 2: row.theirs}, to_move=row.first), *row.moves)
    expected = row.left if row.left is not None else set(row.theirs.values()) - (row.excluded or frozenset())
    assert left(state.deduce(1), row.piece) == expected


def started(name: str, **options: str) -> State:
    game = engine_core.load(name, **options)
    state = game.start()
    for seat in game.seats:
        state = state.arrange(seat, game.random_arrangement(seat, seed=1)).state
    return state


# The arrangement rules of each game, for seat 2: a square and what cannot have started there.
ZONES = [
    ("luzhanqi-mini", "a7", "bomb mine flag"),
    ("luzhanqi-mini", "a8", "flag"),
    ("luzhanqi-mini", "f8", ""),
    ("gunjin-shogi-23", "b5", "mine flag"),
    ("gunjin-shogi-23", "a5", ""),
    ("luzhanqi", "a7", "bomb mine flag"),
    ("luzhanqi", "a8", "mine flag"),
    ("luzhanqi", "a11", "flag"),
    ("luzhanqi", "b12", ""),
]


@pytest.mark.parametrize(("name", "square", "excluded"), ZONES)
def test_where_a_piece_started(name: str, square: str, excluded: str) -> None:
    state = started(name)
    assert left(state.deduce(1), square) == set(state.game.kinds) - set(excluded.split())


def test_no_mine_starts_before_the_headquarters_of_gunjin_shogi() -> None:
    game = engine_core.load("gunjin-shogi")
    seed = next(seed for seed in range(50) if {"d6", "f6", "e6"} <= game.random_arrangement(2, seed).keys())
    state = (
        game.start().arrange(1, game.random_arrangement(1, 1)).state.arrange(2, game.random_arrangement(2, seed)).state
    )
    for square, excluded in (("d6", {"mine"}), ("f6", {"mine"}), ("e6", set())):
        assert left(state.deduce(1), square) == set(game.kinds) - excluded


def test_pieces_confined_to_few_squares_use_them_up() -> None:
    """Flag, mines and bombs of luzhanqi-mini start on the back row; pieces of it that move leave less to the others."""
    game = engine_core.load("luzhanqi-mini")
    back = ["mine", "flag", "mine", "bomb", "bomb", "officer", "officer"]
    front = ["commander", *["soldier"] * 3, *["engineer"] * 3]
    theirs = {f"{file}8": kind for file, kind in zip("abcdefg", back, strict=True)}
    theirs |= {f"{file}7": kind for file, kind in zip("abcdefg", front, strict=True)}
    state = game.start().arrange(1, game.random_arrangement(1, 1)).state.arrange(2, theirs).state
    for moves in (("f7f6", "f8f7"), ("g7g6", "g8g7")):
        state = played(state, "d2d3", moves[0], "d3d2", moves[1])
    # f8 was the other headquarters.
    deduction = state.deduce(1)
    assert left(deduction, "b8") == {"flag"}
    assert left(deduction, "f8") == {"commander", "officer", "soldier", "engineer", "bomb"}
    assert left(deduction, "a8") == set(game.kinds) - {"flag"}
    for moves in (("d7d6", "d8d7"), ("e7e6", "e8e7")):
        state = played(state, "d2d3", moves[0], "d3d2", moves[1])
    deduction = state.deduce(1)
    assert left(deduction, "a8") == left(deduction, "c8") == {"mine"}
    # Two of four are bombs, and everybody else can be anywhere else.
    assert deduction.count == comb(4, 2) * factorial(9) // (factorial(2) * factorial(3) * factorial(3))
    d8 = next(piece for piece in deduction.pieces if piece.origin == "d8")
    assert d8.probability("bomb") == Fraction(1, 2)
    assert d8.probability("soldier") == Fraction(1, 2) * Fraction(3, 9)
    assert d8.probability("mine") == 0


def test_a_leader_is_told_by_nothing_but_its_end() -> None:
    game = engine_core.load("hidden-hasami")
    pieces = {
        1: {"a4": "guard", "c1": "guard", "g1": "leader"},
        2: {"b4": "guard", "g7": "leader", "f6": "guard", "a7": "guard"},
    }
    state = played(game.position(pieces, to_move=1), "c1c4")
    deduction = state.deduce(1)
    assert left(deduction, "b4") == {"guard"}
    assert [left(deduction, square) for square in ("a7", "f6", "g7")] == [{"guard", "leader"}] * 3
    assert deduction.count == 3


@pytest.mark.parametrize("reveal", ["event", "shown"])
def test_a_battle_that_names_the_kinds_is_never_forgotten(reveal: str) -> None:
    game = engine_core.load("capture-flag-barrage", battle_reveal=reveal)
    own = {"a1": "flag", "h1": "miner", "d8": "scout"}
    state = game.position({1: own, 2: {"d7": "marshal", "a10": "flag", "b10": "spy"}}, to_move=1)
    state = played(state, "d8d7", "d7e7", "h1h2", "e7f7")
    for viewer in (1, SPECTATOR):
        deduction = state.deduce(viewer)
        assert "d7" not in {piece.origin for piece in deduction.pieces}
        assert left(deduction, "a10") == {"flag", "spy"}


def test_a_shown_flag_is_known_to_everybody() -> None:
    game = engine_core.load("luzhanqi", battle_reveal="none", marshal_death_shows_flag="on")
    pieces = {1: {"b1": "flag", "c6": "bomb", "a2": "captain"}, 2: {"c7": "marshal", "b12": "flag", "a7": "captain"}}
    state = played(game.position(pieces, to_move=1), "c6c7")
    for viewer in (1, SPECTATOR):
        deduction = state.deduce(viewer)
        assert "b12" not in {piece.origin for piece in deduction.pieces}
        assert left(deduction, "c7") == {"marshal"}
        assert left(deduction, "a7") == {"captain"}


def test_two_hidden_pieces_that_fought() -> None:
    """To a spectator either piece may be anything, but of all pairs only one has this outcome."""
    game = engine_core.load("capture-flag-barrage", battle_reveal="none")
    pieces = {1: {"d8": "spy", "a1": "scout"}, 2: {"d7": "marshal", "a10": "scout"}}
    state = game.position(pieces, to_move=1)
    assert state.deduce(SPECTATOR).count == 4
    deduction = played(state, "d8d7").deduce(SPECTATOR)
    assert deduction.count == 1
    assert left(deduction, "d7") == {"marshal"}


def test_partners_may_see_each_other() -> None:
    pieces = {1: {"g1": "captain", "h1": "flag"}, 2: {"a7": "captain", "a8": "flag"}}
    pieces |= {3: {"g17": "major", "h17": "flag"}, 4: {"q7": "captain", "q8": "flag"}}
    for shown, hidden in (("off", {2, 3, 4}), ("on", {2, 4})):
        state = engine_core.load("luzhanqi-four", partner_view=shown).position(pieces, to_move=1)
        deduction = state.deduce(1)
        assert {piece.seat for piece in deduction.pieces} == hidden
        assert deduction.count == 2 ** len(hidden)
        assert {piece.seat for piece in state.deduce(SPECTATOR).pieces} == {1, 2, 3, 4}


@pytest.mark.parametrize("viewer", [SPECTATOR, 2])
def test_an_announced_claim_is_that_of_the_last_arrival(viewer: int) -> None:
    game = engine_core.load("salpakan-classic", claim="announced")
    pieces = {1: {"c7": "private", "e7": "flag", "a2": "spy"}, 2: {"a7": "private", "d8": "spy", "h5": "flag"}}
    deduction = played(game.position(pieces, to_move=1), "c7c8", "a7a6", "e7e8").deduce(viewer)
    kinds = {piece.origin: set(piece.kinds) for piece in deduction.pieces if piece.seat == 1}
    assert kinds == {"e7": {"flag"}, "c7": {"private", "spy"}, "a2": {"private", "spy"}}
