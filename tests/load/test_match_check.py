"""The check of a match finds what the service answers wrongly, wherever it is."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from shinpan import Referee, StateToken, actions

from load.scenarios.match import Match, WrongAnswer
from load.scenarios.played import Arranged, Moved, Resigned
from service.process import ServerProcess

SEED = 5


@pytest.fixture(scope="module")
def referee() -> Iterator[Referee]:
    with ServerProcess() as process, Referee(process.address) as connection:
        yield connection


def played(referee: Referee, turns: int, game: str = "hidden-hasami", patience: int = 1000) -> Match:
    """A match after so many actions, or at its end."""
    match = Match(game, referee.start_match(game, viewers=[1, 2]), SEED, patience)
    for _ in range(turns):
        if (action := match.next_action()) is None:
            break
        match.took(action, referee.apply(match.answer.state, action.message(), viewers=[1, 2]))
    return match


@pytest.mark.parametrize("turns", [0, 1, 2, 3, 40])
def test_a_right_match_passes_at_every_stage(turns: int, referee: Referee) -> None:
    state = played(referee, turns).check()
    assert state.revision == turns
    assert state.phase == ("arrangement" if turns < 2 else "play")


def test_players_arrange_move_and_lose_patience(referee: Referee) -> None:
    match = played(referee, 1000, patience=30)
    state = match.check()
    assert state.result == ((2,), "resigned")
    assert (state.ply, state.revision) == (28, 31), "two arrangements, 28 moves, and then seat 1 has had enough"
    assert match.next_action() is None


def test_the_same_seed_plays_the_same_match(referee: Referee) -> None:
    assert played(referee, 20).answer.state == played(referee, 20).answer.state


def test_another_move_than_was_asked_for_is_found(referee: Referee) -> None:
    """It is found by its own state, though the game goes on from it without a fault."""
    match = played(referee, 12)
    action = match.next_action()
    assert isinstance(action, Moved)
    legal = match.answer.updates[action.seat].legal_actions
    assert legal is not None
    other = next(move for move in legal.moves if move != action.move)
    match.took(action, referee.move(match.answer.state, action.seat, other, viewers=[1, 2]))
    following = match.next_action()
    assert following is not None
    match.took(following, referee.apply(match.answer.state, following.message(), viewers=[1, 2]))
    with pytest.raises(WrongAnswer, match="the state after 13 actions is not that of the engine"):
        match.check()


def test_an_action_that_the_engine_refuses_is_found(referee: Referee) -> None:
    match = played(referee, 12)
    match.took(Moved(1, 0), match.answer)
    with pytest.raises(WrongAnswer, match=r"action 13, Moved\(seat=1, move=0\), is refused by the engine"):
        match.check()


def test_a_state_that_is_not_that_of_its_digest_is_found(referee: Referee) -> None:
    match = played(referee, 12)
    match.answer = replace(match.answer, state=StateToken(match.answer.state[:-1] + b"!"))
    with pytest.raises(WrongAnswer, match="the last state has other bytes than its digest says"):
        match.check()


def wrong_update(match: Match, seat: int, **changes: Any) -> None:
    updates: Mapping[int, Any] = match.answer.updates
    match.answer = replace(match.answer, updates={**updates, seat: replace(updates[seat], **changes)})


def test_a_wrong_board_is_found(referee: Referee) -> None:
    match = played(referee, 12)
    wrong_update(match, 2, view=match.answer.updates[1].view)
    with pytest.raises(WrongAnswer, match="seat 2 is shown another board"):
        match.check()


def test_wrong_moves_are_found(referee: Referee) -> None:
    match = played(referee, 12)
    legal = match.answer.updates[1].legal_actions
    assert legal is not None
    wrong_update(match, 1, legal_actions=replace(legal, moves=legal.moves[1:]))
    with pytest.raises(WrongAnswer, match="seat 1 is told other moves"):
        match.check()


def test_a_wrong_result_is_found(referee: Referee) -> None:
    match = played(referee, 1000, patience=30)
    status = match.answer.updates[1].status
    assert status.result is not None
    wrong_update(match, 1, status=replace(status, result=replace(status.result, winners=(1,))))
    with pytest.raises(WrongAnswer, match="seat 1 is told the result"):
        match.check()


def test_who_is_to_move_and_is_told_nothing_is_a_wrong_answer(referee: Referee) -> None:
    match = played(referee, 12)
    wrong_update(match, 1, legal_actions=None)
    with pytest.raises(WrongAnswer, match="seat 1 is to move and is told no move"):
        match.next_action()


def test_a_missing_update_is_a_wrong_answer(referee: Referee) -> None:
    match = played(referee, 12)
    match.answer = replace(match.answer, updates={1: match.answer.updates[1]})
    with pytest.raises(WrongAnswer, match="seat 2 gets no update"):
        match.check()


def test_what_is_asked_of_the_service() -> None:
    assert Arranged(2, {"a1": "leader"}).message() == actions.arrange(2, {"a1": "leader"})
    assert Moved(1, 0x0102).message() == actions.move(1, 0x0102)
    assert Resigned(2).message() == actions.resign(2)
