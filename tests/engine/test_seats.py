"""Three seats, each for itself: rulesets of the tests' own, from the arrangement to the end."""

from pathlib import Path

import pytest

import engine_core
from engine_core import REFEREE, SPECTATOR, Game, Turn
from engine_core.errors import (
    ArrangementPending,
    DrawOfferOpen,
    InvalidAction,
    InvalidPosition,
    InvalidSeat,
    InvalidViewer,
    NoDrawOffer,
    SeatOut,
)
from engine_core.events import (
    DrawAccepted,
    DrawLapsed,
    DrawOffered,
    MatchEnded,
    Moved,
    PlayBegan,
    SeatArranged,
    SeatEliminated,
    SeatPassed,
)
from engine_core.ruleset_file import read

RULESETS = Path(__file__).parent / "rulesets"

TRIO = {1: {"a1": "flag", "c1": "rook"}, 2: {"a5": "flag", "c5": "guard"}, 3: {"e3": "flag", "e2": "guard"}}


def variant(name: str, **options: str) -> Game:
    return Game(read(RULESETS / f"{name}.toml").ruleset(options))


def events(turn: Turn) -> list[object]:
    """The events after the move itself."""
    return [event for event in turn.events if not isinstance(event, Moved)]


# The arrangement.


def test_three_seats_arrange_in_any_order() -> None:
    game = variant("trio")
    assert game.seats == (1, 2, 3)
    zones = {1: ["a1", "b1", "c1"], 2: ["a5", "b5", "c5"], 3: ["e2", "e3", "e4"]}
    state = game.start(first_seat=2)
    for seat in (3, 1, 2):
        assert (state.phase, state.to_move) == ("arrangement", None)
        with pytest.raises(ArrangementPending):
            state.play("a5a4")
        arrangement = dict(zip(zones[seat], ["rook", "guard", "flag"], strict=True))
        assert sorted(game.random_arrangement(seat, seed=1)) == sorted(arrangement)
        turn = state.arrange(seat, arrangement)
        state = turn.state
        if seat != 2:
            assert turn.events == (SeatArranged(seat),)
            seen = {viewer: sum(map(bool, state.view(viewer).seats)) for viewer in (0, 1, 2, 3)}
            assert seen == {v: 3 if v in state.arranged else 0 for v in (0, 1, 2, 3)}
    assert turn.events == (SeatArranged(2), PlayBegan(2))
    assert (state.phase, state.to_move, state.revision) == ("play", 2, 3)
    assert game.arrangement_count(3) == 6
    for viewer in (SPECTATOR, 1, 2, 3):
        view = state.view(viewer)
        known = {seat for seat, kind in zip(view.seats, view.kinds, strict=True) if seat and kind != 255}
        assert known == ({viewer} - {SPECTATOR})
        assert bytes(sorted(set(view.seats))) == bytes((0, 1, 2, 3))


@pytest.mark.parametrize("first", [1, 2, 3])
@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_seat_resigns_during_the_arrangement(first: int, after: int) -> None:
    """Seat 2 resigns, before or after it has arranged with others; play begins without it."""
    game = variant("trio")
    state = game.start(first_seat=first)
    order = [2, 1, 3] if after else [1, 3]
    for seat in order[:after]:
        state = state.arrange(seat, game.random_arrangement(seat, seed=3)).state
    turn = state.resign(2)
    assert turn.events[0] == SeatEliminated(2, "resigned")
    state = turn.state
    assert (state.phase, state.out, state.result) == ("arrangement", (2,), None)
    assert state.pieces()[2] == {}
    assert state.legal_actions(2) == ()
    with pytest.raises(SeatOut):
        state.arrange(2, game.random_arrangement(2, seed=3))
    for seat in order[after:]:
        if seat != 2:
            turn = state.arrange(seat, game.random_arrangement(seat, seed=3))
            state = turn.state
    to_move = 3 if first == 2 else first
    assert turn.events[-1] == PlayBegan(to_move)
    assert (state.phase, state.to_move) == ("play", to_move)
    assert set(state.view(SPECTATOR).seats) == {0, 1, 3}


def test_the_last_awaited_seat_resigns() -> None:
    game = variant("trio")
    state = game.start()
    for seat in (1, 2):
        state = state.arrange(seat, game.random_arrangement(seat, seed=3)).state
    turn = state.resign(3)
    assert turn.events == (SeatEliminated(3, "resigned"), PlayBegan(1))
    assert (turn.state.phase, turn.state.to_move) == ("play", 1)


def test_all_but_one_resign_during_the_arrangement() -> None:
    state = variant("trio").start().resign(1).state
    turn = state.forfeit(3, "time")
    assert turn.events == (SeatEliminated(3, "time"), MatchEnded((2,), "eliminated"))
    assert turn.state.result == ((2,), "eliminated")


# A seat goes out, and play goes on.


def test_out_by_flag_capture_then_the_last_seat_wins() -> None:
    state = variant("trio").position(TRIO | {1: {"a1": "flag", "a4": "rook"}}, to_move=1)
    turn = state.play("a4a5")
    assert events(turn) == [SeatEliminated(2, "flag-captured")]
    assert turn.captured == ["a5"]
    state = turn.state
    assert (state.phase, state.to_move, state.out) == ("play", 3, (2,))
    assert state.pieces() == {1: {"a1": "flag", "a5": "rook"}, 2: {}, 3: TRIO[3]}
    assert state.legal_actions(2) == ()
    state = state.play("e2d2").state
    assert state.to_move == 1  # seat 2 is skipped
    state = state.play("a5e5").state
    state = state.play("d2d1").state
    state = state.play("e5e4").state
    state = state.play("d1c1").state
    turn = state.play("e4e3")
    assert events(turn) == [SeatEliminated(3, "flag-captured"), MatchEnded((1,), "eliminated")]
    assert turn.state.result == ((1,), "eliminated")
    assert turn.state.to_move is None


def test_views_after_a_seat_is_out() -> None:
    state = variant("trio").position(TRIO | {1: {"a1": "flag", "a4": "rook"}}, to_move=1).play("a4a5").state
    for viewer in (SPECTATOR, 1, 2, 3, REFEREE):
        view = state.view(viewer)
        assert set(view.seats) == {0, 1, 3}
        assert len(view.captured) == 2  # the flag and the guard that left with it
        assert {piece.seat for piece in view.captured} == {2}
        own = {piece.kind for piece in view.captured} != {255}
        assert own == (viewer in (2, REFEREE))
    with pytest.raises(InvalidViewer):
        state.view(4)


@pytest.mark.parametrize(("seat", "to_move"), [(1, 2), (2, 1), (3, 1)])
def test_out_by_resignation(seat: int, to_move: int) -> None:
    state = variant("trio").position(TRIO, to_move=1)
    turn = state.resign(seat)
    assert turn.events == (SeatEliminated(seat, "resigned"),)
    assert (turn.state.to_move, turn.state.out, turn.state.ply) == (to_move, (seat,), 0)
    for action in ("resign", "offer_draw", "accept_draw", "decline_draw"):
        with pytest.raises(SeatOut if action in ("resign", "offer_draw") else (SeatOut, NoDrawOffer)):
            getattr(turn.state, action)(seat)
    with pytest.raises(SeatOut):
        turn.state.forfeit(seat, "ruling")
    other = next(s for s in (1, 2, 3) if s not in (seat, to_move))
    assert turn.state.forfeit(other, "abandonment").events == (
        SeatEliminated(other, "abandonment"),
        MatchEnded((to_move,), "eliminated"),
    )


def test_out_without_a_move() -> None:
    """Seats are looked at as their turns come, one after the other in the same ply."""
    game = variant("trio")
    pieces = {1: {"a1": "rook"}, 2: {"a5": "flag", "c5": "guard"}, 3: {"e3": "flag"}}
    turn = game.position(pieces, to_move=2).play("c5c4")
    assert events(turn) == [SeatEliminated(3, "no-legal-move")]
    assert (turn.state.to_move, turn.state.out) == (1, (3,))
    pieces = {1: {"b2": "rook"}, 2: {"a5": "flag"}, 3: {"e3": "flag"}}
    turn = game.position(pieces, to_move=1).play("b2b1")
    assert events(turn) == [
        SeatEliminated(2, "no-legal-move"),
        SeatEliminated(3, "no-legal-move"),
        MatchEnded((1,), "eliminated"),
    ]


def test_out_without_a_move_as_play_begins() -> None:
    state = variant("trio").position({1: {"a1": "flag"}, 2: TRIO[2], 3: TRIO[3]}, to_move=1)
    assert (state.phase, state.to_move, state.out, state.ply) == ("play", 2, (1,), 0)


def test_a_flag_capture_that_leaves_the_next_seat_stuck() -> None:
    """Both go out in one ply: the flag's owner first, then the seat whose turn it is."""
    pieces = {1: {"a1": "flag", "a4": "rook"}, 2: {"a5": "flag"}, 3: {"e3": "flag"}}
    turn = variant("trio").position(pieces, to_move=1).play("a4a5")
    assert events(turn) == [
        SeatEliminated(2, "flag-captured"),
        SeatEliminated(3, "no-legal-move"),
        MatchEnded((1,), "eliminated"),
    ]


def test_a_position_with_a_seat_out() -> None:
    game = variant("trio")
    state = game.position({1: TRIO[1], 3: TRIO[3]}, to_move=1, out=(2,))
    assert (state.out, state.to_move, state.result) == ((2,), 1, None)
    assert state.play("c1c2").state.to_move == 3
    with pytest.raises(InvalidPosition):
        game.position(TRIO, to_move=1, out=(2,))
    with pytest.raises(InvalidPosition):
        game.position({1: TRIO[1], 3: TRIO[3]}, to_move=2, out=(2,))
    with pytest.raises(InvalidPosition):
        game.position({1: TRIO[1]}, to_move=1, out=(2, 3))
    with pytest.raises(InvalidSeat):
        game.position(TRIO, to_move=4)
    with pytest.raises(InvalidPosition):
        engine_core.load("luzhanqi-mini").position({1: {"a1": "officer"}}, to_move=1, out=(2,))


# A seat that cannot move is passed over.


def test_a_stuck_seat_is_passed_over() -> None:
    game = variant("trio", stuck="passes")
    turn = game.position(TRIO | {2: {"a5": "flag"}}, to_move=1).play("c1c2")
    assert events(turn) == [SeatPassed(2)]
    assert (turn.state.to_move, turn.state.out, turn.state.result) == (3, (), None)
    turn = game.position({1: {"a1": "rook"}, 2: {"a5": "flag"}, 3: {"e3": "flag"}}, to_move=1).play("a1a2")
    assert events(turn) == [SeatPassed(2), SeatPassed(3)]
    assert turn.state.to_move == 1


def test_nobody_can_move() -> None:
    """The last two that could, fall against each other: a draw without a legal move."""
    game = variant("trio", stuck="passes")
    pieces = {1: {"a1": "flag", "c3": "guard"}, 2: {"a5": "flag", "c4": "guard"}, 3: {"e3": "flag"}}
    turn = game.position(pieces, to_move=1).play("c3c4")
    assert turn.battle == "both"
    assert events(turn)[-1] == MatchEnded((), "no-legal-move")
    assert game.position({1: {"a1": "flag"}, 2: {"a5": "flag"}, 3: {"e3": "flag"}}, to_move=2).result == (
        (),
        "no-legal-move",
    )


def test_a_seat_that_the_two_squares_rule_stops_is_passed_over() -> None:
    """Seat 1's guard goes to and fro in a corridor: a fourth crossing is barred, and nothing else can move."""
    game = variant("trio", stuck="passes", two_squares="3")
    walls = {"b1": "flag", "b2": "flag", "a3": "flag"}
    state = game.position({1: {"a1": "guard"} | walls, 2: {"e5": "rook"}, 3: {"e3": "rook"}}, to_move=1)
    for moves_of_a_round in ("a1a2 e5d5 e3e2", "a2a1 d5e5 e2e3", "a1a2 e5d5 e3e2"):
        for move in moves_of_a_round.split():
            turn = state.play(move)
            state = turn.state
    assert events(turn) == [SeatPassed(1)]
    assert (state.to_move, state.result) == (2, None)


# Draws need every seat that is in play.


def test_a_draw_needs_every_seat() -> None:
    state = variant("trio").position(TRIO, to_move=1)
    turn = state.offer_draw(3)
    assert turn.events == (DrawOffered(3),)
    state = turn.state
    with pytest.raises(DrawOfferOpen):
        state.offer_draw(1)
    with pytest.raises(NoDrawOffer):
        state.accept_draw(3)
    turn = state.accept_draw(1)
    assert turn.events == (DrawAccepted(1),)
    assert (turn.state.draw_agreed, turn.state.phase) == ((1, 3), "play")
    moved = turn.state.play("c1c2")  # seat 1 has agreed, so its own move leaves the offer open
    assert events(moved) == []
    assert moved.state.draw_agreed == (1, 3)
    assert moved.state.accept_draw(2).events == (DrawAccepted(2), MatchEnded((), "agreed-draw"))
    lapsed = moved.state.play("c5c4")  # seat 2 has not agreed
    assert (events(lapsed), lapsed.state.draw_agreed) == ([DrawLapsed()], ())
    with pytest.raises(NoDrawOffer):
        lapsed.state.accept_draw(2)
    declined = turn.state.decline_draw(2).state
    assert declined.draw_agreed == ()


def test_a_draw_without_the_seat_that_is_out() -> None:
    state = variant("trio").position(TRIO, to_move=1).resign(2).state
    assert state.offer_draw(1).state.accept_draw(3).state.result == ((), "agreed-draw")


def test_an_offer_lapses_when_a_seat_goes_out() -> None:
    state = variant("trio").position(TRIO, to_move=1).offer_draw(1).state.accept_draw(2).state
    turn = state.resign(3)
    assert turn.events == (DrawLapsed(), SeatEliminated(3, "resigned"))
    assert (turn.state.draw_agreed, turn.state.result) == ((), None)


def test_adjudication() -> None:
    state = variant("trio").position(TRIO, to_move=1)
    assert state.adjudicate([3, 1]).state.result == ((1, 3), "adjudicated")
    assert state.adjudicate([]).state.result == ((), "adjudicated")
    with pytest.raises(InvalidAction):
        state.adjudicate([1, 2, 3])
    with pytest.raises(InvalidSeat):
        state.adjudicate([4])
