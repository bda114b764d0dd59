"""The oracle against every test position of its games."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from . import GAMES, IllegalAction, Match, Ply, game
from .shared_data import by_seat, needs_data, positions

Case = dict[str, Any]

CASES = [case for case in positions() if case["game"] in GAMES]
ACTIONS: dict[str, Callable[[Match, int], None]] = {
    "resign": Match.resign,
    "offer-draw": Match.offer_draw,
    "accept-draw": Match.accept_draw,
    "decline-draw": Match.decline_draw,
}


def cases(*, topic: Callable[[str], bool]) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if topic(case["topic"])]


def loaded(case: Case) -> Match:
    rules = game(case["game"], case["options"])
    return rules.position(by_seat(case["pieces"]), case["to_move"])


def act(match: Match, what: str) -> Ply | None:
    """Carry out an entry of `moves`; only a move has an answer."""
    if ":" not in what:
        return match.play(what)
    action, seat = what.split(":")
    ACTIONS[action](match, int(seat))
    return None


def expected_result(result: dict[str, Any] | None) -> tuple[frozenset[int], str] | None:
    if result is None:
        return None
    if result.get("draw"):
        return frozenset(), result["reason"]
    winners = result["winners"] if "winners" in result else [result["winner"]]
    return frozenset(winners), result["reason"]


def check_moves(match: Match, expected: Case) -> None:
    """What `expect` and `after` say of the moves and actions that are open."""
    moves = match.legal_moves()
    assert len(moves) == expected["legal_move_count"]
    by_origin: dict[str, set[str]] = defaultdict(set)
    names = match.rules.board.names
    for move in moves:
        origin, target = match.rules.board.move_squares[move]
        by_origin[names[origin]].add(names[target])
    for origin_name, destinations in expected.get("legal_moves_from", {}).items():
        found = by_origin[origin_name]
        if isinstance(destinations, int):
            assert len(found) == destinations, origin_name
        else:
            assert found == set(destinations), origin_name
    for what in expected.get("illegal", []):
        revision = match.revision
        with pytest.raises(IllegalAction):
            act(match, what)
        assert match.revision == revision
    for what in expected.get("legal", []):
        act(match.clone(), what)


def check_ply(ply: Ply | None, expected: Case) -> None:
    if ply is None:
        assert expected["outcome"] == "action"
        return
    assert ply.outcome == expected["outcome"]
    if ply.outcome == "capture":
        assert ply.captured == set(expected["captured"])
    reveals = expected.get("reveals")
    assert ply.named == ((reveals["attacker"], reveals["defender"]) if reveals else None)
    assert ply.shown == set(expected.get("shown", {}))
    assert ply.passed == tuple(expected.get("passed", ()))
    eliminated = [(entry["seat"], entry["cause"]) for entry in expected.get("eliminated", ())]
    assert list(ply.eliminated) == eliminated


def check_board(match: Match, case: Case) -> None:
    board = {name: list(piece) for name, piece in match.board().items()}
    for name, piece in case.get("board_after", {}).items():
        assert board.get(name) == piece, name
    if case.get("board_after_is_complete"):
        assert board == case["board_after"]


def check_views(match: Match, views: dict[str, Case]) -> None:
    for viewer, expected in views.items():
        view = match.view(viewer if viewer == "spectator" else int(viewer))
        assert {part: view[part] for part in expected} == expected, viewer


@needs_data
@pytest.mark.parametrize("case", cases(topic=lambda topic: topic not in ("set-up", "playout")))
def test_position(case: Case) -> None:
    match = loaded(case)
    expect = case["expect"]
    assert match.result == expected_result(expect.get("result"))
    check_moves(match, expect)
    for what, ply in zip(case["moves"], case.get("plies", []), strict=True):
        before = match.clone()
        check_ply(act(match, what), ply)
        assert before.revision == match.revision - 1
    assert match.result == expected_result(case["result"])
    if "after" in case:
        assert match.to_move == case["after"]["to_move"]
        check_moves(match, case["after"])
    check_board(match, case)
    check_views(match, case.get("views_after", {}))


@needs_data
@pytest.mark.parametrize("case", cases(topic=lambda topic: topic == "set-up"))
def test_arrangement(case: Case) -> None:
    rules = game(case["game"], case["options"])
    problems = rules.arrangement_problems(case["seat"], case["arrangement"])
    match = rules.start()
    if case["expect"]["accepted"]:
        assert problems == set()
        match.arrange(case["seat"], case["arrangement"])
    else:
        assert case["expect"]["problem"] in problems
        with pytest.raises(IllegalAction):
            match.arrange(case["seat"], case["arrangement"])


def notable(plies: Iterable[Ply], match: Match) -> list[list[Any]]:
    """The plies that are no plain moves, in the form of the playouts."""
    index = match.rules.board.index
    events: list[list[Any]] = []
    for number, ply in enumerate(plies, 1):
        if ply.outcome == "capture":
            squares = sorted(ply.captured, key=index.__getitem__)
            events.append([number, ply.outcome, set(squares)])
        elif ply.outcome != "move":
            events.append([number, ply.outcome])
    return events


def parsed(event: list[Any]) -> list[Any]:
    """Captured squares as a set; they are written one after the other, with or without spaces."""
    if len(event) < 3:
        return event
    spaced = "".join(f" {char}" if char.isalpha() else char for char in event[2])
    return [event[0], event[1], set(spaced.replace(",", " ").split())]


@needs_data
@pytest.mark.parametrize("case", cases(topic=lambda topic: topic == "playout"))
def test_playout(case: Case) -> None:
    match = loaded(case)
    counts, plies = [], []
    for move in case["moves"]:
        counts.append(len(match.legal_moves()))
        plies.append(match.play(move))
    assert counts == case["legal_counts"]
    assert notable(plies, match) == [parsed(event) for event in case["events"]]
    assert match.result == expected_result(case["result"])
    if "after" in case:
        check_moves(match, case["after"])
    check_board(match, case)


@needs_data
def test_no_game_without_positions() -> None:
    assert {case["game"] for case in CASES} == set(GAMES)
