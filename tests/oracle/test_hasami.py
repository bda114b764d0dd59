"""Taking stones, and the ends of the Hasami games, where the test positions leave something open."""

import pytest

from . import Match, game

STONE = "stone"
Men = dict[int, str]


def stones(name: str, men: Men, to_move: int = 1, **options: str) -> Match:
    """A position of stones; the squares of each seat are written in one string."""
    return game(name, options).position(
        {seat: dict.fromkeys(text.split(), STONE) for seat, text in men.items()}, to_move
    )


@pytest.mark.parametrize(
    ("name", "squares", "first_moves"),
    [("hasami-shogi", 9, 63), ("dai-hasami-shogi", 18, 45), ("mak-yek", 16, 32), ("hasami-five", 18, 54)],
)
def test_there_is_no_arrangement(name: str, squares: int, first_moves: int) -> None:
    match = game(name).start(first_seat=2)
    assert (match.phase, match.to_move, match.revision, len(match.legal_moves())) == ("play", 2, 0, first_moves)
    view = match.view("spectator")
    assert (view["own"], view["hidden"], len(view["known"])) == ({}, {}, 2 * squares)
    assert len(match.view(1)["own"]) == len(match.view(1)["known"]) == squares
    assert all(piece == [2, STONE] for piece in match.view(1)["known"].values())


def test_mak_yek_starts_on_the_first_and_third_rank() -> None:
    board = game("mak-yek").start().board()
    assert {(seat, square[1]) for square, (seat, _) in board.items()} == {(1, "1"), (1, "3"), (2, "6"), (2, "8")}


def test_a_hidden_leader_in_the_corner() -> None:
    pieces = {1: {"a5": "guard", "b7": "guard", "d1": "leader"}, 2: {"a7": "leader", "g6": "guard", "g7": "guard"}}
    for corner, result in (("off", None), ("on", (frozenset({1}), "objective-captured"))):
        match = game("hidden-hasami", {"corner": corner}).position(pieces, 1)
        match.play("a5a6")
        assert match.result == result
        assert ("corner" in match.coverage) == (corner == "on")


def test_a_corner_needs_the_moved_stone() -> None:
    match = stones("hasami-shogi", {1: "a8 b9 e1 f1", 2: "a9 h5 i5"}, corner="on")
    assert match.play("e1e2").outcome == "move"


def test_stones_taken_in_two_ways_count_once() -> None:
    """b8 falls by bracketing and intervention, the corner a8 by intervention and as a corner."""
    match = stones("mak-yek", {1: "a7 b1 d8 f1", 2: "a8 c8 d5 g7 h7"}, corner="on", target="5")
    ply = match.play("b1b8")
    assert ply.captured == {"a8", "c8"}
    assert match.coverage >= {"rays:1", "corner", "intervention"}
    assert (match.taken_by(1), match.taken_by(2), match.result) == (2, 0, None)


def test_single_stones_only_leaves_intervention_alone() -> None:
    match = stones("mak-yek", {1: "d1 g4 d6", 2: "c4 e4 f4 d5 h8"}, run="1")
    assert match.play("d1d4").captured == {"c4", "e4", "d5"}


def test_three_rays_at_once() -> None:
    match = stones("hasami-shogi", {1: "e1 b5 g5 e8 a1", 2: "c5 d5 f5 e6 e7 i9 h9"}, target="8")
    assert match.play("e1e5").captured == {"c5", "d5", "f5", "e6", "e7"}
    assert "rays:3" in match.coverage


def test_the_last_stone_is_enough_whatever_the_target() -> None:
    match = stones("hasami-shogi", {1: "e1 a5 i1", 2: "b5 c5 d5"}, target="8")
    match.play("e1e5")
    assert match.result == (frozenset({1}), "capture-threshold")


def test_a_lead_is_looked_at_when_the_turn_returns() -> None:
    match = stones("hasami-shogi", {1: "e1 a5 h1 i1", 2: "b5 c5 d5 h8 i8 f9"}, lead="3", target="8")
    match.play("e1e5")
    assert match.result is None
    match.play("f9f8")
    assert match.result == (frozenset({1}), "capture-threshold")
    assert "threshold:lead" in match.coverage


def shuffle(match: Match, rounds: int) -> Match:
    for _ in range(rounds):
        for move in ("a1a2", "a9a8", "a2a1", "a8a9"):
            if match.phase == "play":
                match.play(move)
    return match


@pytest.mark.parametrize(("repetition", "plies"), [("3", 8), ("4", 12), ("off", 20)])
@pytest.mark.parametrize("name", ["hasami-shogi", "hasami-five"])
def test_repetition(name: str, repetition: str, plies: int) -> None:
    match = shuffle(stones(name, {1: "a1 c1", 2: "a9 c9"}, repetition=repetition), 5)
    assert match.ply == plies
    assert match.result == (None if repetition == "off" else (frozenset(), "repetition"))


def test_without_a_repetition_rule_there_is_no_memory_to_run_out() -> None:
    match = shuffle(stones("hasami-shogi", {1: "a1 c1", 2: "a9 c9"}, repetition="off"), 1025)
    assert (match.quiet_plies, match.result) == (4100, None)


@pytest.mark.parametrize(
    ("men", "move", "wins"),
    [
        ("c3 d4 f6 g7 e1", "e1e5", True),  # a diagonal filled in its middle
        ("c7 d6 f4 g3 e1", "e1e5", True),  # the other one
        ("c3 c4 c5 c7 g6", "g6c6", True),
        ("c2 c3 c4 c5 g6", "g6c6", False),  # one of five on a start row
        ("b2 c3 d4 e5 g6", "g6f6", False),
        ("a9 b9 d9 e9 c3", "c3c9", True),  # the other side's start row
        ("a2 b2 d2 e2 c3", "c3c2", False),
        ("d8 d7 d6 d5 h4", "h4d4", True),
    ],
)
def test_five_in_line(men: str, move: str, wins: bool) -> None:
    match = stones("hasami-five", {1: men, 2: "i1 i2"})
    match.play(move)
    assert match.result == ((frozenset({1}), "line-of-five") if wins else None)


@pytest.mark.parametrize(
    ("line", "horizontal", "vertical", "diagonal"),
    [("all", True, True, True), ("no-horizontal", False, True, True), ("orthogonal", True, True, False)],
)
def test_lines_that_count(line: str, horizontal: bool, vertical: bool, diagonal: bool) -> None:
    for men, move, wins in (
        ("b5 c5 d5 f5 e1", "e1e5", horizontal),
        ("e3 e4 e6 e7 a5", "a5e5", vertical),
        ("c3 d4 f6 g7 e1", "e1e5", diagonal),
    ):
        match = stones("hasami-five", {1: men, 2: "i1 i2"}, line=line)
        match.play(move)
        assert (match.result is not None) == wins


def test_hops() -> None:
    match = stones("hasami-five", {1: "e4 e5", 2: "d4 c8 h8"})
    assert {move for move in match.legal_moves() if move.startswith("e4")} == {
        "e4e6", "e4c4", "e4e3", "e4e2", "e4e1", "e4f4", "e4g4", "e4h4", "e4i4",
    }  # fmt: skip
    assert "e4i8" not in match.legal_moves()
