"""Phases, actions beside the board, limits, and who gets to know what."""

import random

import pytest

from . import GAMES, IllegalAction, Match, Rules, game

HASAMI_1 = {f"{file}1": "leader" if file == "d" else "guard" for file in "abcdefg"}
HASAMI_2 = {f"{file}7": "leader" if file == "a" else "guard" for file in "abcdefg"}
CLAIM = {1: {"i1": "private", "e7": "flag"}, 2: {"a6": "flag", "f8": "private"}}


def arranged_hasami(**options: str) -> Match:
    match = game("hidden-hasami", options).start()
    match.arrange(1, HASAMI_1)
    match.arrange(2, HASAMI_2)
    return match


def random_arrangement(rules: Rules, seat: int, rng: random.Random) -> dict[str, str]:
    """Any legal arrangement; the kinds with the fewest squares choose first."""
    pieces = [kind for kind, number in rules.roster.items() for _ in range(number)]
    choices = {
        kind: [
            square
            for square in rules.zone(seat)
            if "kind-not-allowed-here" not in rules.arrangement_problems(seat, {square: kind})
        ]
        for kind in rules.kinds
    }
    arrangement: dict[str, str] = {}
    for kind in sorted(pieces, key=lambda kind: len(choices[kind])):
        free = [square for square in choices[kind] if square not in arrangement]
        arrangement[rng.choice(free)] = kind
    return arrangement


def random_match(rules: Rules, plies: int, rng: random.Random) -> tuple[Match, list[str]]:
    match = rules.start()
    for seat in rules.all_seats if match.phase == "arrangement" else ():
        match.arrange(seat, random_arrangement(rules, seat, rng))
    played: list[str] = []
    while match.phase == "play" and len(played) < plies:
        played.append(rng.choice(sorted(match.legal_moves())))
        match.play(played[-1])
    return match, played


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("chess", {}),
        ("hidden-hasami", {"board": "8x8"}),
        ("hidden-hasami", {"battle_reveal": "none"}),
        ("hidden-hasami", {"ply_limit": "0"}),
        ("hidden-hasami", {"ply_limit": "N"}),
        ("hidden-hasami", {"quiet_limit": "-1"}),
        ("luzhanqi-mini", {"both_stuck": "draw"}),
        ("gunjin-shogi", {"two_squares": "3"}),
        ("hidden-capture-flag", {"two_squares": "4"}),
    ],
)
def test_unknown_games_and_options(name: str, options: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"unknown|cannot be"):
        game(name, options)


def test_arrangement_phase() -> None:
    match = game("hidden-hasami").start(first_seat=2)
    assert (match.phase, match.to_move, match.revision) == ("arrangement", None, 0)
    assert match.legal_moves() == set()
    match.arrange(1, HASAMI_1)
    with pytest.raises(IllegalAction):
        match.arrange(1, HASAMI_1)
    with pytest.raises(IllegalAction):
        match.offer_draw(1)
    assert match.view(1)["own"] == HASAMI_1
    assert match.view(2) == {"own": {}, "hidden": {}, "known": {}, "claim_pending": False}
    match.arrange(2, HASAMI_2)
    assert (match.phase, match.to_move, match.revision, match.ply) == ("play", 2, 2, 0)
    assert match.view("spectator")["hidden"] == dict.fromkeys(HASAMI_1, 1) | dict.fromkeys(HASAMI_2, 2)


def test_resigning_during_the_arrangement() -> None:
    match = game("hidden-hasami").start()
    match.resign(2)
    assert (match.phase, match.result) == ("ended", (frozenset({1}), "resigned"))
    for refused in (match.resign, match.offer_draw):
        with pytest.raises(IllegalAction):
            refused(1)
    assert match.revision == 1


@pytest.mark.parametrize("cause", ["time", "abandonment", "ruling"])
def test_forfeit(cause: str) -> None:
    match = arranged_hasami()
    match.forfeit(1, cause)
    assert match.result == (frozenset({2}), cause)


def test_adjudication() -> None:
    match = arranged_hasami()
    for refused in ([1, 2], [3]):
        with pytest.raises(IllegalAction):
            match.adjudicate(refused)
    with pytest.raises(IllegalAction):
        match.forfeit(1, "boredom")
    drawn = match.clone()
    drawn.adjudicate([])
    match.adjudicate([2])
    assert drawn.result == (frozenset(), "adjudicated")
    assert match.result == (frozenset({2}), "adjudicated")


def test_an_offer_outlives_the_move_of_its_seat_only() -> None:
    match = arranged_hasami()
    match.offer_draw(1)
    match.play("a1a2")
    assert match.draw_offer == {1}
    match.play("a7a6")
    assert match.draw_offer == frozenset()
    with pytest.raises(IllegalAction):
        match.accept_draw(2)


def test_play_begins_with_a_look_at_the_first_seat() -> None:
    rules = game("hidden-capture-flag")
    front = dict.fromkeys(["a4", "b4", "e4", "f4", "i4", "j4"], "bomb")
    others = [kind for kind, n in rules.roster.items() for _ in range(n) if kind != "bomb"]
    free = [square for square in rules.zone(1) if square not in front]
    match = rules.start()
    match.arrange(1, front | dict(zip(free, others, strict=True)))
    match.arrange(2, random_arrangement(rules, 2, random.Random(1)))
    assert match.result == (frozenset({2}), "no-legal-move")
    assert match.to_move is None


def test_endless_shuffling_runs_out_of_memory() -> None:
    """After 4,095 moves without a capture, wherever repetitions are counted."""
    rng = random.Random(4)
    match = game("hidden-hasami", {"board": "9x9"}).position(
        {1: {"a1": "leader", "c3": "guard"}, 2: {"g7": "guard", "i9": "leader"}}, 1
    )
    while match.phase == "play":
        trial = match.clone()
        trial.play(rng.choice(sorted(match.legal_moves())))
        if trial.result is None or trial.result[1] == "ply-limit":
            match = trial
    assert (match.ply, match.result) == (4095, (frozenset(), "ply-limit"))


def test_a_ripening_claim_comes_before_the_limits() -> None:
    match = game("salpakan-classic", {"ply_limit": "2"}).position(CLAIM, 1)
    match.play("e7e8")
    assert (match.view(1)["claim_pending"], match.view(2)["claim_pending"]) == (True, False)
    match.play("f8g8")
    assert match.result == (frozenset({1}), "flag-reached")


def test_an_unopposed_arrival_comes_before_a_ripening_claim() -> None:
    match = game("salpakan-classic", {"arrival": "adjacent"}).position(
        {1: {"i3": "private", "e7": "flag"}, 2: {"a2": "flag", "f8": "private"}}, 1
    )
    match.play("e7e8")
    match.play("a2a1")
    assert match.result == (frozenset({2}), "flag-reached")


@pytest.mark.parametrize(
    ("policy", "named", "known"),
    [
        ("none", None, {}),
        ("event", ("marshal", "general"), {}),
        ("shown", ("marshal", "general"), {"e7": [1, "marshal"]}),
    ],
)
def test_reveal_policies(policy: str, named: object, known: object) -> None:
    match = game("hidden-capture-flag", {"battle_reveal": policy}).position(
        {1: {"e5": "marshal", "a1": "flag"}, 2: {"e6": "general", "j9": "spy", "j10": "flag"}}, 1
    )
    ply = match.play("e5e6")
    assert ply[:4] == ("A", frozenset({"e6"}), named, "attacker")
    match.play("j9i9")
    match.play("e6e7")
    assert match.view(2)["known"] == known
    assert match.view(1)["known"] == {}


@pytest.mark.parametrize("reveal", ["off", "on"])
def test_reveal_at_end(reveal: str) -> None:
    match = arranged_hasami(reveal_at_end=reveal)
    assert match.view(2)["known"] == {}
    match.resign(1)
    shown = {square: [1, kind] for square, kind in HASAMI_1.items()}
    assert match.view(2)["known"] == (shown if reveal == "on" else {})
    assert ("leader" in str(match.public_record())) == (reveal == "on")


@pytest.mark.parametrize("name", GAMES)
def test_a_clone_goes_its_own_way(name: str) -> None:
    rng = random.Random(7)
    match, _ = random_match(game(name), 30, rng)
    before = match.public_record(), match.board(), match.legal_moves(), match.revision
    clone = match.clone()
    for _ in range(10):
        if clone.phase == "play":
            clone.play(rng.choice(sorted(clone.legal_moves())))
    assert (match.public_record(), match.board(), match.legal_moves(), match.revision) == before
