"""Options that every game has, draw offers, resignation, forfeit and adjudication."""

import random

import pytest

import engine_core
from engine_core import REFEREE, SPECTATOR, RefereeError, State, Turn
from engine_core.errors import DrawOfferOpen, IllegalMove, MatchOver, NoDrawOffer
from engine_core.events import (
    DrawAccepted,
    DrawDeclined,
    DrawLapsed,
    DrawOffered,
    MatchEnded,
    Moved,
    PieceShown,
    SeatArranged,
)

from .shared import playing

FIVE = ["gunjin-shogi", "hidden-capture-flag", "hidden-hasami", "luzhanqi-mini", "salpakan-classic"]
WITH_BATTLES = [name for name in FIVE if name != "hidden-hasami"]

# Two pieces that fight in the middle; the others keep the match going.
FIGHT = {
    "gunjin-shogi": ({1: {"e4": "general", "a1": "tank"}, 2: {"e5": "tank", "i9": "tank"}}, "e4e5", "general", "tank"),
    "hidden-capture-flag": (
        {1: {"e4": "marshal", "a1": "spy"}, 2: {"e5": "miner", "j10": "spy"}}, "e4e5", "marshal", "miner",
    ),
    "luzhanqi-mini": (
        {1: {"d4": "commander", "a1": "bomb"}, 2: {"d5": "soldier", "g8": "bomb"}}, "d4d5", "commander", "soldier",
    ),
    "salpakan-classic": (
        {1: {"e4": "five-star", "a1": "flag"}, 2: {"e5": "private", "i8": "flag"}}, "e4e5", "five-star", "private",
    ),
}  # fmt: skip


def result(turn: Turn) -> tuple[tuple[int, ...], str] | None:
    return turn.state.result


def kind_seen(state: State, viewer: int, square: str) -> str | None:
    """The kind that a viewer sees on a square; None when it is hidden."""
    kind = state.view(viewer).kinds[state.game.squares.index(square)]
    assert kind != 0
    return None if kind == 255 else state.game.kinds[kind - 1]


# Limits.


@pytest.mark.parametrize("name", FIVE)
@pytest.mark.parametrize("limit", [1, 2, 9])
def test_ply_limit(name: str, limit: int) -> None:
    state = playing(name, 3, 0, ply_limit=str(limit))
    for ply in range(1, limit + 1):
        assert (state.result, state.ply) == (None, ply - 1)
        seats = state.view(SPECTATOR).seats
        turn = state.play(next(move for move in state.legal_moves() if not seats[move.target]))
        state = turn.state
    assert turn.events[-1] == MatchEnded((), "ply-limit")
    assert (state.ply, state.result, state.to_move) == (limit, ((), "ply-limit"), None)


def test_actions_are_not_plies() -> None:
    state = playing("luzhanqi-mini", 3, 0, ply_limit="2", quiet_limit="2")
    for _ in range(3):
        state = state.offer_draw(1).state.decline_draw(2).state
    state = state.play(state.legal_moves()[0]).state
    assert (state.result, state.ply, state.revision) == (None, 1, 9)


def test_quiet_limit_counts_from_the_last_battle() -> None:
    game = engine_core.load("luzhanqi-mini", quiet_limit="3")
    pieces, fight, *_ = FIGHT["luzhanqi-mini"]
    state = game.position(pieces, to_move=1).play("a1a2").state.play("g8g7").state
    state = state.play(fight).state  # two quiet plies, then a battle
    for move in ("g7g6", "a2a1"):
        state = state.play(move).state
        assert state.result is None
    assert result(state.play("g6g5")) == ((), "ply-limit")


def test_quiet_limit_counts_from_the_last_capture() -> None:
    game = engine_core.load("hidden-hasami", quiet_limit="2")
    pieces = {
        1: {"a4": "guard", "d1": "guard", "g1": "leader"},
        2: {"b4": "guard", "c4": "guard", "a7": "leader", "c7": "guard", "e7": "guard"},
    }
    state = game.position(pieces, to_move=2).play("e7f7").state
    turn = state.play("d1d4")
    assert turn.captured == ["b4", "c4"]
    state = turn.state.play("f7e7").state
    assert state.result is None
    assert result(state.play("g1g2")) == ((), "ply-limit")


def test_a_battle_that_both_lose_is_no_quiet_ply() -> None:
    game = engine_core.load("luzhanqi-mini", quiet_limit="1")
    pieces = {1: {"d4": "soldier", "a1": "bomb"}, 2: {"d5": "soldier", "g8": "bomb"}}
    turn = game.position(pieces, to_move=1).play("d4d5")
    assert (turn.battle, turn.state.result) == ("both", None)
    assert result(turn.state.play("g8g7")) == ((), "ply-limit")


def test_4095_moves_without_a_capture() -> None:
    """A match with a repetition rule is drawn then, even if no board stood three times."""
    generator = random.Random(4)
    game = engine_core.load("hidden-hasami", board="9x9")
    state = game.position({1: {"a1": "leader", "c3": "guard"}, 2: {"g7": "guard", "i9": "leader"}}, to_move=1)
    while state.result is None:
        turn = state.play(generator.choice(state.legal_moves()))
        if turn.state.result is None or turn.state.result.reason == "ply-limit":
            assert not turn.captured
            state = turn.state
    assert (state.ply, state.result) == (4095, ((), "ply-limit"))


def test_no_such_limit_without_a_repetition_rule() -> None:
    state = engine_core.load("salpakan-classic").position({1: {"a1": "private"}, 2: {"i8": "private"}}, to_move=1)
    for ply in range(5_000):
        state = state.play(("a1a2", "i8i7", "a2a1", "i7i8")[ply % 4]).state
    assert (state.ply, state.result) == (5_000, None)


# What is revealed.


@pytest.mark.parametrize("name", WITH_BATTLES)
@pytest.mark.parametrize("reveal", ["none", "event", "shown"])
def test_battle_reveal(name: str, reveal: str) -> None:
    pieces, move, attacker, defender = FIGHT[name]
    game = engine_core.load(name, battle_reveal=reveal)
    turn = game.position(pieces, to_move=1).play(move)
    named = (None, None) if reveal == "none" else (attacker, defender)
    for viewer in (SPECTATOR, 1, 2, REFEREE):
        moved = turn.events_for(viewer)[0]
        assert isinstance(moved, Moved)
        assert (moved.outcome, moved.captured) == ("A", (move[2:],))
        assert (moved.attacker, moved.defender) == named
        shown = PieceShown(1, move[2:], attacker) in turn.events_for(viewer)
        assert shown == (reveal == "shown")
        assert kind_seen(turn.state, viewer, move[2:]) == (attacker if shown or viewer in (1, REFEREE) else None)
        (fallen,) = turn.state.view(viewer).captured
        told = reveal != "none" or viewer in (2, REFEREE)
        assert fallen.kind == (game.kinds.index(defender) + 1 if told else 255)


def test_a_surviving_defender_is_shown_too_wherever_it_goes() -> None:
    game = engine_core.load("hidden-capture-flag", battle_reveal="shown")
    pieces = {1: {"e4": "miner", "a1": "spy"}, 2: {"e5": "marshal", "j10": "spy"}}
    turn = game.position(pieces, to_move=1).play("e4e5")
    assert turn.events[1] == PieceShown(2, "e5", "marshal")
    state = turn.state.play("e5e6").state.play("a1a2").state
    assert [kind_seen(state, viewer, "e6") for viewer in (SPECTATOR, 1)] == ["marshal", "marshal"]
    fought_again = state.play("j10j9").state
    assert kind_seen(fought_again, 1, "j9") is None


def test_a_piece_is_shown_once() -> None:
    game = engine_core.load("hidden-capture-flag", battle_reveal="shown")
    pieces = {1: {"e4": "marshal", "a1": "spy"}, 2: {"e5": "miner", "e6": "captain", "j10": "spy"}}
    state = game.position(pieces, to_move=1).play("e4e5").state.play("j10j9").state
    assert not any(isinstance(event, PieceShown) for event in state.play("e5e6").events)


@pytest.mark.parametrize("name", FIVE)
@pytest.mark.parametrize("reveal", ["off", "on"])
def test_reveal_at_end(name: str, reveal: str) -> None:
    state = playing(name, 6, 3, reveal_at_end=reveal)
    over = state.resign(1).state
    for viewer in (SPECTATOR, 1, 2):
        before, after = state.view(viewer), over.view(viewer)
        assert 255 in before.kinds
        assert (255 in after.kinds) == (reveal == "off")
        assert (after.kinds == over.view(REFEREE).kinds) == (reveal == "on")
    assert over.view(REFEREE).kinds == state.view(REFEREE).kinds


def test_reveal_at_end_names_the_fallen() -> None:
    pieces, move, *_ = FIGHT["luzhanqi-mini"]
    game = engine_core.load("luzhanqi-mini", reveal_at_end="on")
    state = game.position(pieces, to_move=1).play(move).state
    assert state.view(1).captured[0].kind == 255
    assert state.resign(2).state.view(1).captured[0].kind == game.kinds.index("soldier") + 1


# Draw offers (C6).


@pytest.fixture
def state() -> State:
    return playing("hidden-hasami", 9, 0)


def test_an_offer_by_either_seat_in_turn_or_not(state: State) -> None:
    for seat in (1, 2):
        turn = state.offer_draw(seat)
        assert turn.events == (DrawOffered(seat),)
        assert (turn.state.draw_agreed, turn.state.to_move, turn.state.ply) == ((seat,), 1, 0)
        assert turn.state.revision == state.revision + 1
        accepted = turn.state.accept_draw(3 - seat)
        assert accepted.events == (DrawAccepted(3 - seat), MatchEnded((), "agreed-draw"))
        declined = turn.state.decline_draw(3 - seat)
        assert declined.events == (DrawDeclined(3 - seat),)
        assert (declined.state.draw_agreed, declined.state.to_move) == ((), 1)
        again = declined.state.offer_draw(seat)  # nothing bars another offer
        assert again.events == (DrawOffered(seat),)


def test_one_offer_at_a_time(state: State) -> None:
    offered = state.offer_draw(1).state
    for seat in (1, 2):
        with pytest.raises(DrawOfferOpen):
            offered.offer_draw(seat)


def test_nobody_answers_an_own_offer_or_none(state: State) -> None:
    for action in (state.accept_draw, state.decline_draw):
        for seat in (1, 2):
            with pytest.raises(NoDrawOffer):
                action(seat)
    offered = state.offer_draw(2).state
    for action in (offered.accept_draw, offered.decline_draw):
        with pytest.raises(NoDrawOffer):
            action(2)


def test_an_offer_outlives_the_move_of_its_seat(state: State) -> None:
    moved = state.offer_draw(1).state.play("a1a2")
    assert moved.state.draw_agreed == (1,)
    assert DrawLapsed() not in moved.events
    assert result(moved.state.accept_draw(2)) == ((), "agreed-draw")


def test_an_offer_lapses_by_the_move_of_the_other_seat(state: State) -> None:
    turn = state.offer_draw(2).state.play("a1a2")
    assert turn.events == (Moved(1, 1, "a1", "a2", "move", (), None, None), DrawLapsed())
    assert turn.state.draw_agreed == ()
    later = state.offer_draw(1).state.play("a1a2").state.play("b7b6")
    assert DrawLapsed() in later.events
    with pytest.raises(NoDrawOffer):
        later.state.accept_draw(2)


def test_a_refused_move_leaves_the_offer(state: State) -> None:
    offered = state.offer_draw(2).state
    with pytest.raises(IllegalMove):
        offered.play("a1b2")
    assert offered.draw_agreed == (2,)


def test_no_offer_before_play(state: State) -> None:
    start = state.game.start()
    for action in (start.offer_draw, start.accept_draw, start.decline_draw):
        with pytest.raises(RefereeError) as refused:
            action(1)
        assert refused.value.reason == "ARRANGEMENT_PENDING"


def test_the_end_closes_the_offer(state: State) -> None:
    assert state.offer_draw(1).state.resign(1).state.draw_agreed == ()


# Resignation (C5), decisions from outside (C15).


@pytest.mark.parametrize("name", FIVE)
@pytest.mark.parametrize("seat", [1, 2])
def test_resignation_at_any_time(name: str, seat: int) -> None:
    game = engine_core.load(name)
    start = game.start()
    states = [start, start.arrange(1, game.random_arrangement(1, seed=1)).state]
    states += [start.arrange(2, game.random_arrangement(2, seed=1)).state, playing(name, 2, 0), playing(name, 2, 1)]
    for state in states:
        turn = state.resign(seat)
        assert turn.events == (MatchEnded((3 - seat,), "resigned"),)
        assert (turn.state.phase, turn.state.result) == ("ended", ((3 - seat,), "resigned"))
        for action in (turn.state.resign, turn.state.offer_draw):
            with pytest.raises(MatchOver):
                action(3 - seat)


def test_resigning_in_the_arrangement_tells_nothing_of_the_pieces() -> None:
    """The match never began, so the other side never sees which squares were taken."""
    game = engine_core.load("salpakan-classic")
    turn = game.start().arrange(1, game.random_arrangement(1, seed=3))
    assert turn.events == (SeatArranged(1),)
    over = turn.state.resign(2).state
    for viewer in (SPECTATOR, 2):
        assert set(over.view(viewer).seats) == {0}
    assert sum(map(bool, over.view(1).seats)) == 21


@pytest.mark.parametrize("cause", ["time", "abandonment", "ruling"])
@pytest.mark.parametrize("seat", [1, 2])
def test_forfeit(state: State, cause: str, seat: int) -> None:
    for before in (state, state.game.start(), state.offer_draw(seat).state):
        turn = before.forfeit(seat, cause)
        assert turn.events == (MatchEnded((3 - seat,), cause),)
        assert turn.state.ply == 0
    for wrong in ("resigned", "", "Time"):
        with pytest.raises(RefereeError) as refused:
            state.forfeit(seat, wrong)
        assert refused.value.reason == "INVALID_ACTION"
        assert all(word in str(refused.value) for word in ("time", "abandonment", "ruling"))


@pytest.mark.parametrize("winners", [(), (1,), (2,)])
def test_adjudication(state: State, winners: tuple[int, ...]) -> None:
    for before in (state, state.game.start()):
        assert before.adjudicate(winners).events == (MatchEnded(winners, "adjudicated"),)
    assert result(state.adjudicate(iter(winners))) == (winners, "adjudicated")
    with pytest.raises(RefereeError):
        state.adjudicate([1, 2])
    with pytest.raises(RefereeError):
        state.adjudicate([0])
