"""salpakan-classic: who learns of a claim."""

import pytest

from . import Match, Rules, game

MEN = {1: {"i1": "private", "e7": "flag"}, 2: {"a6": "flag", "f8": "private"}}
NOTED = ("claim", 1, "")


def rules(claim: str) -> Rules:
    return game("salpakan-classic", {"claim": claim})


def told(match: Match) -> list[bool]:
    return [match.view(viewer)["claim_pending"] for viewer in (1, 2, "spectator")]


@pytest.mark.parametrize(("claim", "known_to_all"), [("silent", False), ("announced", True)])
def test_a_claim_on_an_empty_square(claim: str, known_to_all: bool) -> None:
    match = rules(claim).position(MEN, 1)
    assert told(match) == [False, False, False]
    match.play("e7e8")
    assert told(match) == [True, known_to_all, known_to_all]
    assert (NOTED in match.public_record()) == known_to_all
    match.play("a6a5")
    assert (match.result, told(match)) == ((frozenset({1}), "flag-reached"), [False, False, False])


def test_an_announced_claim_falls_with_its_flag() -> None:
    match = rules("announced").position(MEN, 1)
    match.play("e7e8")
    match.play("f8e8")
    assert (match.result, told(match)) == ((frozenset({2}), "flag-captured"), [False, False, False])


def test_an_arrival_that_ends_the_match_announces_nothing() -> None:
    match = rules("announced").position({1: {"e7": "flag"}, 2: {"e8": "flag", "a6": "spy"}}, 1)
    match.play("e7e8")
    assert match.result == (frozenset({1}), "flag-captured")
    assert NOTED not in match.public_record()
