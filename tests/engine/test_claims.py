"""Who is told of a claim: its owner and the referee, or everybody where claims are announced."""

import pytest

import engine_core
from engine_core import REFEREE, SPECTATOR, Turn
from engine_core.events import ClaimOpened
from engine_core.view import CLAIM

PIECES = {1: {"e7": "flag", "a2": "private"}, 2: {"e1": "spy", "a8": "private", "d8": "spy"}}


def arrival(claim: str) -> Turn:
    """Seat 1's flag arrives on the last row, next to an enemy."""
    state = engine_core.load("salpakan-classic", claim=claim).position(PIECES, to_move=1)
    return state.play("e7e8")


@pytest.mark.parametrize(("claim", "told"), [("silent", {1, REFEREE}), ("announced", {1, 2, SPECTATOR, REFEREE})])
def test_who_is_told(claim: str, told: set[int]) -> None:
    turn = arrival(claim)
    square = turn.state.game.squares.index("e8")
    for viewer in (1, 2, SPECTATOR, REFEREE):
        view = turn.state.view(viewer)
        assert (ClaimOpened(1) in turn.events_for(viewer)) == (viewer in told)
        assert bool(view.flags[square] & CLAIM) == (viewer in told)
        assert view.claim_pending == (viewer in told)
        assert sum(1 for flags in view.flags if flags & CLAIM) == (viewer in told)


def test_an_announced_claim_is_decided_like_a_silent_one() -> None:
    for claim in ("silent", "announced"):
        ripened = arrival(claim).state.play("a8a7").state
        assert ripened.result == ((1,), "flag-reached")
        assert not ripened.view(2).claim_pending
        assert arrival(claim).state.play("d8e8").state.result == ((2,), "flag-captured")


def test_an_arrival_of_another_piece_claims_nothing() -> None:
    game = engine_core.load("salpakan-classic", claim="announced")
    pieces = {1: {"e7": "private", "a2": "flag"}, 2: {"e1": "spy", "a8": "private"}}
    turn = game.position(pieces, to_move=1).play("e7e8")
    assert not any(turn.state.view(viewer).claim_pending for viewer in (1, 2, SPECTATOR, REFEREE))
    assert ClaimOpened(1) not in turn.events


def test_the_states_of_both_kinds_of_claim_are_read_back() -> None:
    for claim in ("silent", "announced"):
        state = arrival(claim).state
        assert engine_core.decode(state.to_bytes()).view(2) == state.view(2)


def test_claims_of_both_kinds_are_different_rules() -> None:
    assert arrival("silent").state.game.digest != arrival("announced").state.game.digest
