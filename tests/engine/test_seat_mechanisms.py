"""Claims and bracketing among three seats."""

from pathlib import Path

from engine_core import Game, Turn
from engine_core.events import ClaimOpened, MatchEnded, Moved, SeatEliminated
from engine_core.ruleset_file import read

RULESETS = Path(__file__).parent / "rulesets"


def variant(name: str) -> Game:
    return Game(read(RULESETS / f"{name}.toml").ruleset({}))


def events(turn: Turn) -> list[object]:
    """The events after the move itself."""
    return [event for event in turn.events if not isinstance(event, Moved)]


def test_a_claim_waits_for_every_other_seat() -> None:
    game = variant("relay")
    pieces = {1: {"c4": "runner"}, 2: {"a2": "guard"}, 3: {"e1": "guard"}}
    turn = game.position(pieces, to_move=1).play("c4c5")
    assert [ClaimOpened(1) in turn.events_for(viewer) for viewer in (0, 1, 2, 3, 255)] == [
        False,
        True,
        False,
        False,
        True,
    ]
    state = turn.state.play("a2a3").state
    assert state.result is None
    assert [state.view(viewer).claim_pending for viewer in (0, 1, 2, 3, 255)] == [False, True, False, False, True]
    turn = state.play("e1e2")
    assert turn.state.result == ((1,), "flag-reached")


def test_a_claim_falls_with_its_piece() -> None:
    game = variant("relay")
    pieces = {1: {"c4": "runner", "a1": "guard"}, 2: {"b5": "guard"}, 3: {"e1": "guard"}}
    state = game.position(pieces, to_move=1).play("c4c5").state
    turn = state.play("b5c5")
    assert turn.battle == "attacker"
    assert not turn.state.view(1).claim_pending
    turn = turn.state.play("e1e2")
    assert (turn.state.result, turn.state.to_move) == (None, 1)


def test_a_claim_holds_when_the_turn_comes_back_past_a_beaten_seat() -> None:
    """Seat 3 loses its last piece, so that it has no move, and the turn is seat 1's again."""
    pieces = {1: {"c4": "runner", "a1": "guard"}, 2: {"d1": "guard"}, 3: {"e1": "runner"}}
    turn = variant("relay").position(pieces, to_move=1).play("c4c5").state.play("d1e1")
    assert events(turn) == [SeatEliminated(3, "no-legal-move"), MatchEnded((1,), "flag-reached")]


def test_stones_of_two_seats_are_bracketed_together() -> None:
    game = variant("stones")
    pieces = {
        1: {"a4": "guard", "d1": "guard", "g1": "leader"},
        2: {"b4": "guard", "a7": "guard", "b7": "leader"},
        3: {"c4": "leader", "f7": "guard", "g7": "guard"},
    }
    turn = game.position(pieces, to_move=1).play("d1d4")
    assert turn.captured == ["b4", "c4"]
    assert events(turn) == [SeatEliminated(3, "objective-captured")]
    assert (turn.state.to_move, turn.state.out) == (2, (3,))
    pieces[2] = {"b4": "guard", "a7": "leader"}
    turn = game.position(pieces, to_move=1).play("d1d4")
    assert events(turn) == [
        SeatEliminated(3, "objective-captured"),
        SeatEliminated(2, "capture-threshold"),
        MatchEnded((1,), "eliminated"),
    ]
