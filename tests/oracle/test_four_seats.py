"""Four seats: who is out, whose turn it is, who agrees, and who sees what."""

import random

import pytest

from . import IllegalAction, Match, game
from .test_conduct import random_arrangement, random_match

FLAGS = {1: {"j1": "flag"}, 2: {"a10": "flag"}, 3: {"j17": "flag"}, 4: {"q8": "flag"}}
CAPTAINS = {1: "g6", 2: "f9", 3: "i12", 4: "l9"}
"""A captain for everyone, where none of them meets another."""


def those(*seats: int) -> frozenset[int]:
    return frozenset(seats)


def cross(extra: dict[int, dict[str, str]] | None = None, to_move: int = 1, **options: str) -> Match:
    pieces = {seat: FLAGS[seat] | {CAPTAINS[seat]: "captain"} | (extra or {}).get(seat, {}) for seat in FLAGS}
    return game("luzhanqi-four", options).position(pieces, to_move)


def bare(men: dict[int, str], to_move: int = 1, **options: str) -> Match:
    """Every seat has its flag, and captains where they are named."""
    pieces = {seat: FLAGS[seat] | dict.fromkeys(men.get(seat, "").split(), "captain") for seat in FLAGS}
    return game("luzhanqi-four", options).position(pieces, to_move)


def seats_on_board(match: Match) -> frozenset[int]:
    return frozenset(seat for seat, _ in match.board().values())


def arranged(options: dict[str, str] | None = None) -> Match:
    return random_match(game("luzhanqi-four", options), 0, random_rng())[0]


def random_rng() -> random.Random:
    return random.Random(5)


def test_a_seat_that_resigns_on_turn() -> None:
    match = cross()
    match.resign(1)
    assert (match.out, match.to_move, match.ply, match.revision, match.result) == (those(1), 2, 0, 1, None)
    assert seats_on_board(match) == {2, 3, 4}
    assert match.view(1)["own"] == {}
    for refused in (match.resign, match.offer_draw):
        with pytest.raises(IllegalAction):
            refused(1)
    with pytest.raises(IllegalAction):
        match.forfeit(1, "time")


def test_a_seat_that_resigns_out_of_turn_clears_the_way() -> None:
    match = bare({1: "g2", 2: "g4", 3: "i12", 4: "l9"})
    assert "g2g6" not in match.legal_moves()
    match.resign(2)
    assert match.to_move == 1
    assert {"g2g4", "g2g6", "g2b7"} <= match.legal_moves()
    match.play("g2g3")
    assert match.to_move == 3


@pytest.mark.parametrize(
    ("options", "going", "result"),
    [
        ({}, [2], None),
        ({}, [2, 1], None),
        ({}, [2, 4], (those(1, 3), "eliminated")),
        ({"win": "one"}, [2], (those(1, 3), "time")),
        ({"win": "one"}, [3], (those(2, 4), "time")),
        ({"teams": "off"}, [2, 4], None),
        ({"teams": "off"}, [2, 4, 3], (those(1), "eliminated")),
        ({"teams": "off", "win": "one"}, [2], None),
    ],
)
def test_when_a_side_has_lost(
    options: dict[str, str], going: list[int], result: tuple[frozenset[int], str] | None
) -> None:
    for match in (cross(None, 1, **options), game("luzhanqi-four", options).start()):
        for seat in going:
            assert match.result is None
            match.forfeit(seat, "time")
        assert match.result == result
        assert match.out == those(*going)
        assert seats_on_board(match).isdisjoint(going)


@pytest.mark.parametrize(
    ("options", "reason"), [({}, "eliminated"), ({"win": "one"}, "flag-captured"), ({"teams": "off"}, None)]
)
def test_the_last_flag_of_a_team(options: dict[str, str], reason: str | None) -> None:
    rules = game("luzhanqi-four", options)
    pieces = {1: FLAGS[1] | {"p8": "captain"}, 3: FLAGS[3] | {"i12": "captain"}, 4: FLAGS[4] | {"l9": "captain"}}
    if options.get("win") == "one":
        match = rules.position(pieces | {2: FLAGS[2] | {"f9": "captain"}}, 1)
    else:
        match = rules.position(pieces, 1, out=[2])
    ply = match.play("p8q8")
    assert (ply.outcome, ply.captured, ply.eliminated) == ("A!", frozenset({"q8"}), ((4, "flag-captured"),))
    assert match.result == ((those(1, 3), reason) if reason else None)
    assert "l9" not in match.board()


def test_out_from_the_beginning() -> None:
    rules = game("luzhanqi-four")
    pieces = {seat: FLAGS[seat] | {CAPTAINS[seat]: "captain"} for seat in (1, 3, 4)}
    match = rules.position(pieces, 1, out=(2,))
    assert match.out == those(2)
    match.play("g6g5")
    assert match.to_move == 3
    for wrong in ((1,), (2, 3), (2, 4), (5,)):
        with pytest.raises(ValueError, match=r"out|seat"):
            rules.position(pieces, 1, out=wrong)
    with pytest.raises(ValueError, match="out"):
        game("luzhanqi").position({1: {"b1": "flag"}}, 1, out=(2,))
    with pytest.raises(ValueError, match="out"):
        game("luzhanqi-four", {"win": "one"}).position(pieces, 1, out=(2,))


def test_resigning_while_others_arrange() -> None:
    rules, rng = game("luzhanqi-four"), random_rng()
    match = rules.start(first_seat=2)
    for seat in (1, 2, 3):
        match.arrange(seat, random_arrangement(rules, seat, rng))
    match.resign(2)
    assert (match.phase, match.out, seats_on_board(match)) == ("arrangement", those(2), those(1, 3))
    with pytest.raises(IllegalAction):
        match.arrange(2, random_arrangement(rules, 2, rng))
    waiting = match.clone()
    match.resign(4)
    assert match.result == (those(1, 3), "eliminated")
    waiting.arrange(4, random_arrangement(rules, 4, rng))
    assert (waiting.phase, waiting.to_move, waiting.out) == ("play", 3, those(2))


def test_the_last_one_to_arrange_resigns_instead() -> None:
    rules, rng = game("luzhanqi-four"), random_rng()
    match = rules.start()
    for seat in (2, 3, 4):
        match.arrange(seat, random_arrangement(rules, seat, rng))
    match.resign(1)
    assert (match.phase, match.to_move, seats_on_board(match)) == ("play", 2, those(2, 3, 4))


def test_stuck_seats_go_out_one_after_the_other() -> None:
    rules = game("luzhanqi-four", {"no_move": "loses", "teams": "off"})
    pieces = {
        1: FLAGS[1] | {"g6": "captain"},
        2: FLAGS[2] | {"h13": "mine", "h15": "mine", "i14": "mine"},
        3: FLAGS[3] | {"g14": "mine"},
        4: FLAGS[4] | {"l9": "captain"},
    }
    match = rules.position(pieces, 1)
    assert match.play("g6g5").eliminated == ((2, "no-legal-move"), (3, "no-legal-move"))
    assert (match.to_move, match.out) == (4, those(2, 3))
    # With seat 2 its mines leave the camps round h14, and seat 3 can move again.
    freed = rules.position(pieces | {3: pieces[3] | {"h14": "captain"}}, 1)
    assert freed.play("g6g5").eliminated == ((2, "no-legal-move"),)
    assert (freed.to_move, freed.legal_moves()) == (3, {"h14h13", "h14h15", "h14i14"})


def test_the_first_seat_is_stuck_as_play_begins() -> None:
    men = {2: "f9", 3: "i12", 4: "l9"}
    out = bare(men, no_move="loses")
    assert (out.out, out.to_move, out.ply) == (those(1), 2, 0)
    passed = bare(men, no_move="pass")
    assert (passed.out, passed.to_move) == (those(), 2)
    assert ("passed", 1, "") in passed.public_record()


def test_nobody_can_move() -> None:
    assert bare({}, no_move="pass").result == (those(), "no-legal-move")
    assert bare({}, no_move="loses").result == (those(2, 4), "eliminated")
    last = bare({}, no_move="loses", teams="off")
    assert (last.result, seats_on_board(last)) == ((those(4), "eliminated"), those(4))


def test_passing_comes_round_to_the_mover() -> None:
    match = bare({1: "g6"}, no_move="pass")
    ply = match.play("g6g5")
    assert (ply.passed, match.to_move) == ((2, 3, 4), 1)
    match.offer_draw(1)
    match.play("g5g6")
    assert match.draw_offer == those(1)


def test_a_resignation_on_turn_passes_over_the_stuck() -> None:
    match = bare({1: "g6", 3: "i12"}, no_move="pass")
    match.resign(1)
    assert (match.to_move, match.out) == (3, those(1))
    match.resign(3)
    assert match.result == (those(2, 4), "eliminated")
    alone = bare({1: "g6"}, no_move="pass")
    alone.resign(1)
    assert alone.result == (those(), "no-legal-move")


def test_a_draw_needs_every_seat_in_play() -> None:
    match = cross()
    match.resign(3)
    match.offer_draw(2)
    match.accept_draw(1)
    with pytest.raises(IllegalAction):
        match.accept_draw(3)
    assert match.draw_offer == those(1, 2)
    match.play("g6g5")
    match.play("f9e9")
    assert match.draw_offer == those(1, 2)
    declined, moved, gone = match.clone(), match.clone(), match.clone()
    match.accept_draw(4)
    assert match.result == (those(), "agreed-draw")
    declined.decline_draw(4)
    moved.play("l9m9")
    gone.resign(4)
    assert declined.draw_offer == moved.draw_offer == gone.draw_offer == those()
    assert gone.result is None


def test_a_captured_flag_closes_the_offer_of_the_captor() -> None:
    match = cross({1: {"b10": "captain"}})
    match.offer_draw(1)
    match.play("b10a10")
    assert (match.draw_offer, match.result) == (those(), None)
    assert "offer:lapsed" in match.coverage


def test_adjudication_names_whole_teams() -> None:
    for winners in ([1], [2, 3], [1, 2, 3], [1, 2, 3, 4], [5]):
        with pytest.raises(IllegalAction):
            cross().adjudicate(winners)
    match, alone = cross(), cross(teams="off")
    match.adjudicate([3, 1])
    alone.adjudicate([2])
    assert match.result == (those(1, 3), "adjudicated")
    assert alone.result == (those(2), "adjudicated")


def test_partners_see_each_other_once_play_has_begun() -> None:
    rules, rng = game("luzhanqi-four", {"partner_view": "on"}), random_rng()
    match = rules.start()
    for seat in rules.all_seats:
        assert match.view(seat)["known"] == {}
        match.arrange(seat, random_arrangement(rules, seat, rng))
    for seat, partner in ((1, 3), (2, 4), (3, 1), (4, 2)):
        view = match.view(seat)
        assert view["known"] == {square: [partner, kind] for square, kind in match.start_kinds[partner].items()}
        assert set(view["hidden"].values()) == {1, 2, 3, 4} - {seat, partner}
    assert match.view("spectator")["known"] == {}
    assert match.private_record(1)[1] == tuple(
        (seat, tuple(sorted(match.start_kinds[seat].items()))) for seat in (1, 3)
    )
    alone = arranged({"partner_view": "on", "teams": "off"})
    assert all(alone.view(seat)["known"] == {} for seat in (1, 2, 3, 4))


def test_a_marshal_that_falls_shows_the_flag_even_of_a_seat_that_then_goes_out() -> None:
    options = {"marshal_death_shows_flag": "on", "no_move": "loses", "battle_reveal": "none"}
    rules = game("luzhanqi-four", options)
    pieces = {seat: FLAGS[seat] | {CAPTAINS[seat]: "captain"} for seat in (3, 4)}
    pieces |= {1: FLAGS[1] | {"g6": "bomb", "g5": "captain"}, 2: FLAGS[2] | {"f7": "marshal"}}
    match = rules.position(pieces, 1)
    ply = match.play("g6f7")
    assert (ply.outcome, ply.named, ply.shown) == ("B", None, frozenset({"a10"}))
    assert ply.eliminated == ((2, "no-legal-move"),)
    assert ("flag-shown", 2, "a10") in match.public_record()


def test_limits_come_after_the_eliminations() -> None:
    match = cross({1: {"b10": "captain"}}, ply_limit="1")
    ply = match.play("b10a10")
    assert (ply.eliminated, match.result) == (((2, "flag-captured"),), (those(), "ply-limit"))
