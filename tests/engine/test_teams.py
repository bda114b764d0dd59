"""Four seats in two teams: partners, turned boards, and the two ways in which a team can be beaten."""

from pathlib import Path

import pytest

import engine_core
from engine_core import REFEREE, SPECTATOR, Game, State, Turn
from engine_core.errors import IllegalMove, InvalidAction
from engine_core.events import DrawAccepted, DrawLapsed, MatchEnded, Moved, SeatEliminated, SeatPassed
from engine_core.ruleset_file import read

RULESETS = Path(__file__).parent / "rulesets"

# South, west, north and east; each flag in the middle of its side, the rooks where they do not see each other.
START = {
    1: {"d1": "flag", "c1": "rook"},
    2: {"a4": "flag", "a5": "rook"},
    3: {"d7": "flag", "e7": "rook"},
    4: {"g4": "flag", "g3": "rook"},
}


def partners(**options: str) -> Game:
    return Game(read(RULESETS / "partners.toml").ruleset(options))


def moves(state: State) -> set[str]:
    return {str(move) for move in state.legal_moves()}


def events(turn: Turn) -> list[object]:
    """The events after the move itself."""
    return [event for event in turn.events if not isinstance(event, Moved)]


def test_zones_turn_with_the_board() -> None:
    """South, west, north, east: clockwise seen from above."""
    game = partners()
    zones = {1: ["c1", "d1", "e1"], 2: ["a3", "a4", "a5"], 3: ["c7", "d7", "e7"], 4: ["g3", "g4", "g5"]}
    flags = {1: "d1", 2: "a4", 3: "d7", 4: "g4"}
    state = game.start()
    for seat in game.seats:
        arrangement = game.random_arrangement(seat, seed=seat)
        assert sorted(arrangement) == zones[seat]
        assert arrangement[flags[seat]] == "flag"
        assert game.arrangement_count(seat) == 2
        state = state.arrange(seat, arrangement).state
    assert (state.phase, state.to_move) == ("play", 1)


def test_forward_turns_with_the_board() -> None:
    """Pawns go one step towards the other side, and nowhere else."""
    pawns = {1: {"b2": "pawn"}, 2: {"b6": "pawn"}, 3: {"f6": "pawn"}, 4: {"f2": "pawn"}}
    forward = {1: "b2b3", 2: "b6c6", 3: "f6f5", 4: "f2e2"}
    state = partners().position(pawns, to_move=1)
    for seat in (1, 2, 3, 4):
        assert (state.to_move, moves(state)) == (seat, {forward[seat]})
        state = state.play(forward[seat]).state
    assert state.to_move == 1


def test_partners_do_not_fight_and_are_in_the_way() -> None:
    state = partners().position(START | {1: {"d1": "flag", "d3": "rook"}, 3: {"d5": "rook"}}, to_move=1)
    assert {move for move in moves(state) if move.startswith("d3d")} == {"d3d2", "d3d4"}
    with pytest.raises(IllegalMove):
        state.play("d3d5")
    state = state.play("d3e3").state.play("a5a6").state
    assert state.to_move == 3
    assert {"d5e5", "d5d3"} <= moves(state)  # the partner has gone out of the way


def test_camps_protect_from_everybody() -> None:
    """d4 is a camp: a rook of the other team on it can be neither taken nor passed."""
    state = partners().position(START | {1: {"d1": "flag", "d3": "rook"}, 2: {"d4": "rook"}}, to_move=1)
    assert {move for move in moves(state) if move.startswith("d3d")} == {"d3d2"}
    state = state.play("d3c3").state
    assert {"d4d3", "d4d2", "d4d1"} <= moves(state)  # it may leave the camp, and take a flag from there
    assert state.play("d4d1").events[1] == SeatEliminated(1, "flag-captured")


def test_views_hide_the_partner_too() -> None:
    state = partners().position(START, to_move=1)
    for viewer in (SPECTATOR, 1, 2, 3, 4):
        view = state.view(viewer)
        known = {seat for seat, kind in zip(view.seats, view.kinds, strict=True) if seat and kind != 255}
        assert known == {viewer} - {SPECTATOR}
    referee = state.view(REFEREE)
    assert 255 not in referee.kinds


def test_a_team_is_beaten_with_both_its_seats() -> None:
    state = partners().position(START | {1: {"d1": "flag", "b4": "rook"}, 3: {"d7": "flag", "f4": "rook"}}, to_move=1)
    turn = state.play("b4a4")
    assert events(turn) == [SeatEliminated(2, "flag-captured")]
    assert turn.state.to_move == 3
    turn = turn.state.play("f4g4")
    assert events(turn) == [SeatEliminated(4, "flag-captured"), MatchEnded((1, 3), "eliminated")]


def test_the_partner_that_is_out_wins_too() -> None:
    state = partners().position(START, to_move=1)
    turn = state.resign(3)
    assert turn.events == (SeatEliminated(3, "resigned"),)
    turn = turn.state.resign(4)
    assert turn.state.out == (3, 4)
    turn = turn.state.forfeit(2, "ruling")
    assert turn.events == (SeatEliminated(2, "ruling"), MatchEnded((1, 3), "eliminated"))


def test_turns_go_round_those_that_are_left() -> None:
    state = partners().position(START, to_move=4).resign(2).state.resign(3).state
    assert state.to_move == 4
    state = state.play("g3f3").state
    assert state.to_move == 1
    state = state.play("c1c2").state
    assert state.to_move == 4


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_a_team_is_beaten_with_one_seat(seat: int) -> None:
    state = partners(beaten="one").position(START, to_move=1)
    winners = (2, 4) if seat in (1, 3) else (1, 3)
    turn = state.resign(seat)
    assert turn.events == (SeatEliminated(seat, "resigned"), MatchEnded(winners, "resigned"))
    assert turn.state.pieces() == START | {seat: {}}
    assert turn.state.out == (seat,)
    assert state.forfeit(seat, "time").state.result == (winners, "time")


def test_one_flag_decides() -> None:
    state = partners(beaten="one").position(START | {1: {"d1": "flag", "b4": "rook"}}, to_move=1)
    turn = state.play("b4a4")
    assert events(turn) == [SeatEliminated(2, "flag-captured"), MatchEnded((1, 3), "flag-captured")]


def test_one_stuck_seat_decides() -> None:
    state = partners(beaten="one").position(START | {2: {"a4": "flag"}}, to_move=1)
    turn = state.play("c1c2")
    assert events(turn) == [SeatEliminated(2, "no-legal-move"), MatchEnded((1, 3), "no-legal-move")]


def test_a_stuck_partner_is_passed_over() -> None:
    state = partners(stuck="passes").position(START | {2: {"a4": "flag"}, 3: {"d7": "flag"}}, to_move=1)
    turn = state.play("c1c2")
    assert events(turn) == [SeatPassed(2), SeatPassed(3)]
    assert turn.state.to_move == 4


def test_a_draw_needs_all_four() -> None:
    state = partners().position(START, to_move=1).offer_draw(2).state
    for seat in (1, 4):
        turn = state.accept_draw(seat)
        assert turn.events == (DrawAccepted(seat),)
        state = turn.state
    assert state.draw_agreed == (1, 2, 4)
    assert state.accept_draw(3).state.result == ((), "agreed-draw")
    turn = state.play("c1c2").state.play("a5b5").state.play("e7e6")  # seats 1 and 2 have agreed, seat 3 has not
    assert events(turn) == [DrawLapsed()]


def test_partners_win_together_by_adjudication() -> None:
    state = partners().position(START, to_move=1)
    assert state.adjudicate([2, 4]).state.result == ((2, 4), "adjudicated")
    for winners in ([1], [1, 2], [1, 2, 3], [1, 2, 3, 4]):
        with pytest.raises(InvalidAction):
            state.adjudicate(winners)


@pytest.mark.parametrize("beaten", ["both", "one"])
@pytest.mark.parametrize("stuck", ["loses", "passes"])
def test_random_matches_end(beaten: str, stuck: str) -> None:
    """Whole matches of four from the arrangement: one side wins, or nobody can move."""
    game = partners(beaten=beaten, stuck=stuck, ply_limit="3000")
    reasons = set()
    for seed in range(40):
        state = game.start(first_seat=seed % 4 + 1)
        for seat in game.seats:
            state = state.arrange(seat, game.random_arrangement(seat, seed=seed)).state
        played = engine_core.playout(state, 5, seed)
        assert played.games == 5 == sum(played.results.values())
        for result in played.results:
            reasons.add(result.reason)
            draws = {"ply-limit", "no-legal-move"} if stuck == "passes" else {"ply-limit"}
            assert result.winners in ((1, 3), (2, 4)) or (result.winners == () and result.reason in draws)
    assert reasons >= ({"eliminated"} if beaten == "both" else {"flag-captured"})


@pytest.mark.parametrize(("to_move", "actions"), [(1, ["b10a10"]), (1, [4]), (2, [2])])
def test_the_end_by_one_seat_is_read_back(to_move: int, actions: list[str | int]) -> None:
    """A flag falls, or a seat resigns, on its turn or not."""
    pieces = {
        1: {"j1": "flag", "g6": "lieutenant", "b10": "captain"},
        2: {"f9": "captain", "a10": "flag"},
        3: {"i12": "captain", "j17": "flag"},
        4: {"q8": "flag", "l9": "captain"},
    }
    state = engine_core.load("luzhanqi-four", win="one").position(pieces, to_move=to_move)
    for action in actions:
        state = (state.play(action) if isinstance(action, str) else state.resign(action)).state
    assert state.result is not None
    assert len(state.out) == 1
    assert engine_core.decode(state.to_bytes()) == state


def test_a_draw_for_want_of_moves_after_a_forfeit_is_read_back() -> None:
    """Nobody has moved, but a seat has gone: there are more actions than arrangements."""
    game = engine_core.load("luzhanqi-four", teams="off", no_move="pass")
    pieces: dict[int, dict[str, str]] = {1: {}, 2: {"k4": "flag"}, 3: {"j5": "lieutenant"}, 4: {"i4": "mine"}}
    state = game.position(pieces, to_move=3).forfeit(3, "time").state
    assert state.result == ((), "no-legal-move")
    assert engine_core.decode(state.to_bytes()) == state
