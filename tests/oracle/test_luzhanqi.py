"""Luzhanqi for two: its options where the test positions leave something open."""

import random

import pytest

from . import Match, game
from .test_conduct import random_arrangement

FLAGS = {1: {"b1": "flag"}, 2: {"b12": "flag"}}


def position(one: dict[str, str], two: dict[str, str], to_move: int = 1, **options: str) -> Match:
    return game("luzhanqi", options).position({1: FLAGS[1] | one, 2: FLAGS[2] | two}, to_move)


@pytest.mark.parametrize("name", ["luzhanqi", "luzhanqi-tournament"])
def test_defaults(name: str) -> None:
    chosen = game(name).options
    expected = {
        "mine": ("both", "stays"),
        "battle_reveal": ("shown", "none"),
        "marshal_death_shows_flag": ("off", "on"),
        "hq_freeze": ("off", "on"),
        "no_move": ("pass", "loses"),
        "both_stuck": ("draw", "draw"),
        "camp_setup": ("off", "off"),
        "ply_limit": ("off", "off"),
        "quiet_limit": ("off", "off"),
        "reveal_at_end": ("off", "off"),
    }
    assert chosen == {option: values[name == "luzhanqi-tournament"] for option, values in expected.items()}


def test_mine_and_engineer() -> None:
    for mine, letters in (
        ("both", {"engineer": "A", "marshal": "B", "bomb": "B"}),
        ("stays", {"marshal": "D", "bomb": "B"}),
    ):
        for attacker, letter in letters.items():
            match = position({"a10": attacker}, {"a11": "mine", "e9": "captain"}, mine=mine)
            assert match.play("a10a11").outcome == letter


@pytest.mark.parametrize(
    ("options", "result"),
    [
        ({"no_move": "loses"}, (frozenset(), "no-legal-move")),
        ({"no_move": "loses", "both_stuck": "mover-wins"}, (frozenset({1}), "no-legal-move")),
        ({"no_move": "pass"}, (frozenset(), "no-legal-move")),
        ({"no_move": "pass", "both_stuck": "mover-wins"}, (frozenset(), "no-legal-move")),
    ],
)
def test_neither_side_can_move(options: dict[str, str], result: object) -> None:
    match = position({"c7": "captain"}, {"c8": "captain"}, 1, **options)
    ply = match.play("c7c8")
    assert (ply.outcome, ply.passed, match.result) == ("B", (), result)


def test_the_stuck_seat_as_play_begins() -> None:
    passed = position({}, {"c8": "captain"}, no_move="pass")
    assert (passed.to_move, passed.ply, passed.result) == (2, 0, None)
    assert position({}, {"c8": "captain"}, no_move="loses").result == (frozenset({2}), "no-legal-move")
    assert position({}, {}, no_move="pass").result == (frozenset(), "no-legal-move")


def test_a_walled_in_piece_is_passed_over() -> None:
    rules = game("luzhanqi", {"no_move": "pass"})
    match = rules.position({1: {"a1": "captain", "a2": "mine", "b1": "flag"}, 2: FLAGS[2] | {"b3": "captain"}}, 1)
    assert (match.to_move, match.result) == (2, None)
    assert match.play("b3b2").passed == (1,)
    assert match.play("b2a2").passed == ()
    assert (match.to_move, match.legal_moves()) == (1, {"a1a2"})


def test_frozen_on_any_headquarters() -> None:
    men = {"d1": "captain", "d12": "major"}
    assert position(men, {"e9": "captain"}, hq_freeze="on", no_move="pass").to_move == 2
    free = position(men, {"e9": "captain"}, hq_freeze="off")
    assert free.legal_moves() == {"d1c1", "d1e1", "d1d2", "d12c12", "d12e12", "d12d11"}


def test_an_occupied_camp_is_closed_to_everybody() -> None:
    match = position({"a2": "captain", "b3": "captain"}, {"d3": "captain", "c2": "captain"})
    assert not {"a2b3", "b3d3"} & match.legal_moves()
    match.play("b3b2")
    assert "c2d3" not in match.legal_moves()
    match.play("d3c3")
    assert {"a2b3", "b2b3", "b2c2"} <= match.legal_moves()


def test_pieces_in_camps_at_the_start() -> None:
    rng = random.Random(3)
    closed, opened = game("luzhanqi"), game("luzhanqi", {"camp_setup": "on"})
    for seat, camp in ((1, "c4"), (2, "c9")):
        arrangement = random_arrangement(closed, seat, rng)
        square = next(square for square, kind in arrangement.items() if kind == "major")
        moved = {name: kind for name, kind in arrangement.items() if name != square} | {camp: "major"}
        assert closed.arrangement_problems(seat, moved) == {"outside-zone"}
        assert opened.arrangement_problems(seat, moved) == opened.arrangement_problems(seat, arrangement) == set()


def test_a_bomb_and_a_flag_go_together() -> None:
    match = position({"b11": "bomb", "a6": "captain"}, {"e9": "captain"})
    ply = match.play("b11b12")
    assert (ply.outcome, ply.battle) == ("B!", "both")
    assert ply.captured == {"b11", "b12"}
    assert ply.named == ("bomb", "flag")
    assert match.result == (frozenset({1}), "flag-captured")


def test_a_flag_is_shown_once_only() -> None:
    match = position(
        {"c10": "marshal", "a10": "marshal"},
        {"c11": "bomb", "a11": "bomb", "e9": "captain"},
        marshal_death_shows_flag="on",
    )
    assert match.play("c10c11").shown == {"b1"}
    match.play("e9e8")
    assert match.play("a10a11").shown == set()
    assert match.view(2)["known"] == {"b1": [1, "flag"]}


def test_a_straight_run_stops_at_the_first_piece() -> None:
    match = position({"a2": "captain", "a9": "major"}, {"e2": "captain", "c2": "mine"})
    moves = {move for move in match.legal_moves() if move.startswith("a2")}
    assert moves == {"a2a1", "a2b2", "a2c2", "a2b3", "a2a3", "a2a4", "a2a5", "a2a6", "a2a7", "a2a8"}
