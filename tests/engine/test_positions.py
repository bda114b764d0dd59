"""Every test position of the shared data, one test for each id."""

import re
from collections import Counter
from collections.abc import Callable

import pytest

import engine_core
from engine_core import State, Turn
from engine_core.errors import InvalidArrangement
from engine_core.events import ClaimOpened, MatchEnded, Moved, PieceShown, SeatEliminated, SeatPassed

from .shared import Record, by_seat, needs_shared, params, positions, result_of

BATTLES = {"A": "attacker", "D": "defender", "B": "both"}
ACTIONS: dict[str, Callable[[State, int], Turn]] = {
    "resign": State.resign,
    "offer-draw": State.offer_draw,
    "accept-draw": State.accept_draw,
    "decline-draw": State.decline_draw,
}
SQUARE = re.compile(r"[a-z]\d+")

COUNTS = {
    "hidden-hasami": 35, "luzhanqi-mini": 32, "salpakan-classic": 42, "hidden-capture-flag": 37, "gunjin-shogi": 64,
    "hasami-shogi": 21, "dai-hasami-shogi": 12, "mak-yek": 14, "hasami-five": 20,
    "capture-flag-tournament": 23, "capture-flag-barrage": 18,
}  # fmt: skip
"""How many positions of these games there are."""

CASES = positions()
SETUPS = [case for case in CASES if case["topic"] == "set-up"]
MATCHES = [case for case in CASES if case["topic"] != "set-up"]


def load(case: Record) -> engine_core.Game:
    game = engine_core.load(case["game"], **case["options"])
    assert {name: game.options[name] for name in case["options"]} == case["options"]
    return game


def act(state: State, entry: str) -> Turn:
    """Carry out an entry of `moves`: a move, or an action of a seat."""
    if ":" not in entry:
        return state.play(entry)
    action, seat = entry.split(":")
    return ACTIONS[action](state, int(seat))


def check_moves(state: State, expected: Record) -> None:
    """What `expect` and `after` say of the moves and actions that are open."""
    moves = [str(move) for move in state.legal_moves()]
    assert len(set(moves)) == len(moves)
    if "legal_move_count" in expected:
        assert len(moves) == expected["legal_move_count"]
    destinations: dict[str, set[str]] = {}
    for move in moves:
        source, target = SQUARE.findall(move)
        destinations.setdefault(source, set()).add(target)
    for source, targets in expected.get("legal_moves_from", {}).items():
        found = destinations.get(source, set())
        if isinstance(targets, int):
            assert len(found) == targets, source
        else:
            assert found == set(targets), source
    before = state.to_bytes()
    for entry in expected.get("illegal", ()):
        if ":" not in entry:
            assert entry not in moves
        with pytest.raises(engine_core.RefereeError):
            act(state, entry)
    for entry in expected.get("legal", ()):
        assert act(state, entry).state.revision == state.revision + 1
    assert state.to_bytes() == before
    if "to_move" in expected:
        assert state.to_move == expected["to_move"]


def check_turn(turn: Turn, entry: str, expected: Record) -> None:
    """What an entry of `plies` says of the events of one action."""
    moved = [event for event in turn.events if isinstance(event, Moved)]
    outcome = expected["outcome"]
    if outcome == "action":
        assert (moved, turn.battle, turn.captured) == ([], None, [])
    else:
        (move,) = moved
        assert (move.source + move.target, move.outcome, move.ply) == (entry, outcome, turn.state.ply)
        assert turn.battle == BATTLES.get(outcome[0])
        assert list(move.captured) == turn.captured
        if outcome in ("move", "capture"):
            assert set(turn.captured) == set(expected.get("captured", ()))
        else:
            fallen = {"A": [move.target], "D": [move.source], "B": [move.source, move.target]}[outcome[0]]
            assert set(turn.captured) == set(fallen)
        named = {"attacker": move.attacker, "defender": move.defender}
        assert named == expected.get("reveals", {"attacker": None, "defender": None})
    flags = {
        event.square: event.kind for event in turn.events if isinstance(event, PieceShown) and event.kind == "flag"
    }
    assert flags == expected.get("shown", {})
    out = [{"seat": event.seat, "cause": event.cause} for event in turn.events if isinstance(event, SeatEliminated)]
    assert out == expected.get("eliminated", [])
    passed = [event.seat for event in turn.events if isinstance(event, SeatPassed)]
    assert passed == expected.get("passed", [])


def check_end(turn: Turn) -> None:
    """The last event tells the result, and only then."""
    ended = [event for event in turn.events if isinstance(event, MatchEnded)]
    result = turn.state.result
    assert ended == ([] if result is None else [MatchEnded(result.winners, result.reason)])
    assert (turn.state.phase == "ended") == (result is not None)
    assert (turn.state.to_move is None) == (result is not None)


def check_board(state: State, case: Record) -> None:
    board = {square: [seat, kind] for seat, men in state.pieces().items() for square, kind in men.items()}
    expected = case.get("board_after", {})
    assert {square: board.get(square) for square in expected} == expected
    if case.get("board_after_is_complete"):
        assert board == {square: piece for square, piece in expected.items() if piece is not None}


def check_views(state: State, views: dict[str, Record]) -> None:
    for who, expected in views.items():
        viewer = engine_core.SPECTATOR if who == "spectator" else int(who)
        view = state.view(viewer)
        own, hidden, known = {}, {}, {}
        for square, seat, kind in zip(state.game.squares, view.seats, view.kinds, strict=True):
            if not seat:
                assert kind == 0
            elif seat == viewer:
                own[square] = state.game.kinds[kind - 1]
            elif kind == 255:
                hidden[square] = seat
            else:
                known[square] = [seat, state.game.kinds[kind - 1]]
        assert (own, hidden, known) == (expected["own"], expected["hidden"], expected["known"]), who
        if "claim_pending" in expected:
            assert view.claim_pending == expected["claim_pending"], who


def start(case: Record) -> State:
    return load(case).position(by_seat(case["pieces"]), to_move=case["to_move"])


@pytest.mark.parametrize("case", params(MATCHES))
def test_position(case: Record) -> None:
    state = start(case)
    expect = case["expect"]
    assert state.result == result_of(expect.get("result"))
    check_moves(state, expect)
    plies = case.get("plies", [])
    if not case["moves"]:
        assert state.result == result_of(case["result"])
    counts, events = [], []
    for number, entry in enumerate(case["moves"], 1):
        counts.append(len(state.legal_moves()))
        turn = act(state, entry)
        if plies:
            check_turn(turn, entry, plies[number - 1])
        check_end(turn)
        assert state.revision == number - 1
        state = turn.state
        move = turn.events[0]
        if isinstance(move, Moved) and move.outcome != "move":
            events.append((number, move.outcome, set(turn.captured) if move.outcome == "capture" else set()))
    assert len(plies) in (0, len(case["moves"]))
    if case["topic"] == "playout":
        assert counts == case["legal_counts"]
        assert events == [(event[0], event[1], set(SQUARE.findall("".join(event[2:])))) for event in case["events"]]
    assert state.result == result_of(case["result"])
    check_moves(state, case.get("after", {}))
    check_board(state, case)
    check_views(state, case.get("views_after", {}))


@pytest.mark.parametrize("case", params(SETUPS))
def test_setup(case: Record) -> None:
    state = load(case).start()
    if case["expect"]["accepted"]:
        after = state.arrange(case["seat"], case["arrangement"]).state
        assert after.pieces()[case["seat"]] == case["arrangement"]
        assert after.arranged == (case["seat"],)
    else:
        with pytest.raises(InvalidArrangement) as refused:
            state.arrange(case["seat"], case["arrangement"])
        assert case["expect"]["problem"] in {violation.problem for violation in refused.value.violations}


@needs_shared
def test_every_game_has_positions_of_every_sort() -> None:
    """Guards the parametrisation above: nothing is left out by accident."""
    for name in engine_core.games():
        topics = {case["topic"] for case in CASES if case["game"] == name}
        if name == "luzhanqi-tournament":
            assert topics == {"combat"}  # the others are filed under the game whose options it changes
            continue
        assert {"first-moves", "end", "playout"} <= topics, name
        assert ("set-up" in topics) != engine_core.load(name).ruleset.fixed_start, name
    assert Counter(case["game"] for case in CASES if case["game"] in COUNTS) == COUNTS


@needs_shared
def test_a_claim_is_announced_to_its_owner_alone() -> None:
    """Of the positions in which a claim is pending: the event goes to one seat and to the referee."""
    seen = 0
    for case in MATCHES:
        state = start(case)
        for entry in case["moves"]:
            turn = act(state, entry)
            for seat in state.game.seats:
                if turn.state.view(seat).claim_pending and not state.view(seat).claim_pending:
                    seen += 1
                    told = {v for v in (0, 1, 2, 255) if ClaimOpened(seat) in turn.events_for(v)}
                    assert told == {seat, 255}
            state = turn.state
    assert seen >= 10
