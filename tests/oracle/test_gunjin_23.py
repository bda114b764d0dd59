"""gunjin-shogi-23: the flag's borrowed strength, the headquarters, and ends without a move."""

import pytest

from . import Match, game

QUIET = {1: {"f1": "spy"}, 2: {"f8": "spy"}}
"""Pieces that keep both sides able to move."""


def position(one: dict[str, str], two: dict[str, str], to_move: int = 1, **options: str) -> Match:
    return game("gunjin-shogi-23", options).position({1: QUIET[1] | one, 2: QUIET[2] | two}, to_move)


@pytest.mark.parametrize(
    ("attacker", "behind", "letter"),
    [
        ("spy", "general", "A"),
        ("spy", "lieutenant-general", "D"),
        ("general", "spy", "D"),
        ("captain", "captain", "B"),
        ("major", "captain", "A"),
        ("captain", "major", "D"),
        ("general", "mine", "B"),
        ("engineer", "mine", "A"),
        ("engineer", "tank", "A"),
        ("tank", "engineer", "D"),
        ("spy", None, "A"),
    ],
)
def test_borrowed_strength(attacker: str, behind: str | None, letter: str) -> None:
    backing = {"b2": behind} if behind else {}
    match = position({"b3": "flag"} | backing, {"b4": attacker}, 2)
    ply = match.play("b4b3")
    assert (ply.outcome, match.result) == (letter, None)
    board = match.board()
    assert board.get("b2") == ((1, behind) if behind else None)
    assert ("b3" in board) == (letter != "B")
    marks = {mark for mark in match.coverage if mark.startswith("flag:")}
    assert marks == {f"flag:backed-{letter}" if behind else "flag:bare"}


@pytest.mark.parametrize(("flag", "behind"), [("c7", "c8"), ("d7", "c8"), ("b7", "b8"), ("c6", "c7"), ("b5", "b6")])
def test_behind_is_towards_the_own_back_row(flag: str, behind: str) -> None:
    ahead = f"{flag[0]}{int(flag[1]) - 1}"
    backed = position({ahead: "colonel"}, {flag: "flag", behind: "general"})
    assert backed.play(ahead + flag).outcome == "D"
    beside = ("e" if flag[0] == "d" else "a" if flag[0] == "b" else "b") + flag[1]
    bare = position({beside: "colonel"}, {flag: "flag", ahead: "general"})
    assert bare.play(beside + flag).outcome == "A"


def test_an_enemy_behind_lends_nothing() -> None:
    match = position({"b3": "flag"}, {"b2": "general", "b4": "cavalry"}, 2)
    assert match.play("b4b3").outcome == "A"


def test_a_flag_behind_a_flag_passes_on_its_strength() -> None:
    match = position({"b3": "flag", "b2": "flag", "b1": "general"}, {"b4": "colonel"}, 2)
    assert match.play("b4b3").outcome == "D"
    bare = position({"b2": "flag", "b1": "flag"}, {"b3": "colonel"}, 2)
    assert bare.play("b3b2").outcome == "A"


@pytest.mark.parametrize(
    ("policy", "named", "known"),
    [("none", None, {}), ("event", ("colonel", "flag"), {}), ("shown", ("colonel", "flag"), {"b3": [1, "flag"]})],
)
def test_the_lender_is_never_named(policy: str, named: object, known: object) -> None:
    match = position({"b3": "flag", "b2": "general"}, {"b4": "colonel"}, 2, battle_reveal=policy)
    ply = match.play("b4b3")
    assert (ply.outcome, ply.named) == ("D", named)
    assert match.view(2)["known"] == known


@pytest.mark.parametrize("kind", game("gunjin-shogi-23").kinds)
def test_who_occupies_the_headquarters(kind: str) -> None:
    if game("gunjin-shogi-23").movement[kind] is None:
        return
    occupies = kind in ("general", "lieutenant-general", "major-general", "colonel", "lieutenant-colonel", "major")
    match = position({"b8": kind}, {})
    match.play("b8c8")
    assert match.result == ((frozenset({1}), "headquarters-entered") if occupies else None)
    own = position({"b1": kind}, {})
    own.play("b1c1")
    assert own.result is None


@pytest.mark.parametrize(("both_stuck", "winners"), [("draw", set()), ("mover-wins", {1})])
def test_neither_side_can_move(both_stuck: str, winners: set[int]) -> None:
    rules = game("gunjin-shogi-23", {"both_stuck": both_stuck})
    match = rules.position({1: {"a1": "flag", "b4": "captain"}, 2: {"b5": "captain", "f8": "flag"}}, 1)
    match.play("b4b5")
    assert match.result == (frozenset(winners), "no-legal-move")


def test_engineer_and_tank() -> None:
    for option, letter in (("on", "A"), ("off", "D")):
        match = position({"b4": "engineer"}, {"b5": "tank"}, engineer_beats_tank=option)
        assert match.play("b4b5").outcome == letter


def test_aircraft_go_over_everything_but_stop_only_where_no_own_piece_is() -> None:
    match = position({"c1": "aircraft", "c4": "mine", "d3": "flag"}, {"c5": "mine", "d7": "captain", "c8": "mine"})
    moves = {move[2:] for move in match.legal_moves() if move.startswith("c1")}
    assert moves == {"b1", "e1", "c2", "c3", "c5", "c6", "c7", "c8", "d2", "d4", "d5", "d6", "d7"}
