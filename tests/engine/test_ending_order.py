"""Which ending comes first where two coincide in one move, and when a stuck seat is looked at (C2 to C4, C14)."""

import pytest

import engine_core
from engine_core.events import MatchEnded

Outcome = tuple[tuple[int, ...], str]


def last(name: str, pieces: dict[int, dict[str, str]], moves: str, **options: str) -> Outcome | None:
    """The result after the last of some moves, of which only the last may end the match."""
    game = engine_core.load(name, **options)
    state = game.position(pieces, to_move=1)
    for move in moves.split():
        assert state.result is None
        state = state.play(move).state
    return state.result


def test_leader_before_threshold() -> None:
    pieces = {1: {"a4": "guard", "c1": "leader"}, 2: {"b4": "leader", "g7": "guard"}}
    assert last("hidden-hasami", pieces, "c1c4") == ((1,), "objective-captured")


def test_threshold_before_limit() -> None:
    pieces = {1: {"a4": "guard", "c1": "leader"}, 2: {"b4": "guard", "g7": "leader"}}
    assert last("hidden-hasami", pieces, "c1c4", ply_limit="1") == ((1,), "capture-threshold")


def test_threshold_before_a_stuck_seat() -> None:
    """The stone that is left in the corner could not move either."""
    pieces = {1: {"a2": "guard", "d2": "guard", "c4": "leader", "b4": "guard"}, 2: {"a1": "leader", "b3": "guard"}}
    pieces[1]["b1"] = "guard"
    assert last("hidden-hasami", pieces, "d2b2") == ((1,), "capture-threshold")


def test_repetition_before_limits() -> None:
    pieces = {1: {"a1": "leader", "c1": "guard"}, 2: {"g7": "leader", "e7": "guard"}}
    shuttle = "a1a2 g7g6 a2a1 g6g7"
    assert last("hidden-hasami", pieces, f"{shuttle} {shuttle}", ply_limit="8", quiet_limit="8") == ((), "repetition")
    assert last("hidden-hasami", pieces, f"{shuttle} a1a2 g7g6 a2a1", ply_limit="7") == ((), "ply-limit")


def test_a_stuck_seat_before_the_limits() -> None:
    pieces = {1: {"b1": "guard", "d2": "leader"}, 2: {"a1": "leader"}}
    assert last("hidden-hasami", pieces, "d2a2", ply_limit="1", quiet_limit="1") == ((1,), "no-legal-move")


def test_flag_before_headquarters() -> None:
    pieces = {1: {"d8": "general"}, 2: {"d9": "flag", "a9": "tank"}}
    assert last("gunjin-shogi", pieces, "d8d9") == ((1,), "flag-captured")


def test_headquarters_before_a_stuck_seat_and_the_limit() -> None:
    pieces = {1: {"d8": "general"}, 2: {"a9": "mine"}}
    game = engine_core.load("gunjin-shogi", ply_limit="1")
    assert game.position(pieces, to_move=1).play("d8d9").state.result == ((1,), "headquarters-entered")


def test_flag_before_a_ripening_claim() -> None:
    """Seat 2 answers the claim by losing its own flag: the flag's fall comes first, and seat 1 wins either way."""
    pieces = {1: {"e7": "flag", "a2": "private"}, 2: {"a3": "flag", "i8": "private"}}
    assert last("salpakan-classic", pieces, "e7e8 a3a2") == ((1,), "flag-captured")
    pieces = {1: {"e7": "flag", "a2": "private"}, 2: {"e6": "private", "d8": "private", "i8": "flag"}}
    assert last("salpakan-classic", pieces, "e7e8 d8e8") == ((2,), "flag-captured")


def test_a_ripening_claim_before_a_stuck_seat_and_the_limit() -> None:
    """The answer is seat 2's last piece thrown away; the claim ripens, whoever could move next."""
    pieces = {1: {"e7": "flag", "a2": "captain"}, 2: {"a3": "private"}}
    assert last("salpakan-classic", pieces, "e7e8 a3a2", ply_limit="2") == ((1,), "flag-reached")


def test_an_unopposed_arrival_before_a_ripening_claim() -> None:
    pieces = {1: {"i3": "private", "e7": "flag"}, 2: {"a2": "flag", "f8": "private"}}
    assert last("salpakan-classic", pieces, "e7e8 a2a1", arrival="adjacent") == ((2,), "flag-reached")
    assert last("salpakan-classic", pieces, "e7e8 a2a1", arrival="claim") == ((1,), "flag-reached")


def test_the_earlier_of_two_claims() -> None:
    pieces = {1: {"i3": "private", "e7": "flag"}, 2: {"a2": "flag", "f8": "private"}}
    assert last("salpakan-classic", pieces, "e7e8 a2a1") == ((1,), "flag-reached")


@pytest.mark.parametrize(
    ("both_stuck", "expected"), [("mover-wins", ((1,), "no-legal-move")), ("draw", ((), "no-legal-move"))]
)
def test_both_sides_stuck(both_stuck: str, expected: Outcome) -> None:
    """The last two that could move fall together (C3, C14)."""
    pieces = {1: {"e4": "spy", "a1": "flag"}, 2: {"e5": "spy", "j10": "flag"}}
    assert last("hidden-capture-flag", pieces, "e4e5", both_stuck=both_stuck, ply_limit="1") == expected


@pytest.mark.parametrize("both_stuck", ["mover-wins", "draw"])
def test_one_side_stuck(both_stuck: str) -> None:
    """A side that throws its last mobile piece away loses when its own turn comes, not before (C14)."""
    pieces = {1: {"e4": "spy", "a1": "flag"}, 2: {"e5": "captain", "j10": "flag"}}
    game = engine_core.load("hidden-capture-flag", both_stuck=both_stuck)
    turn = game.position(pieces, to_move=1).play("e4e5")
    assert (turn.battle, turn.state.result, turn.state.to_move) == ("defender", None, 2)
    assert turn.state.play("e5e6").state.result == ((2,), "no-legal-move")


@pytest.mark.parametrize("first_seat", [1, 2])
def test_the_first_seat_is_stuck_as_play_begins(first_seat: int) -> None:
    """An arrangement with bombs on all six open front squares is legal, and loses at once (C2)."""
    game = engine_core.load("hidden-capture-flag")
    kinds = [kind.id for kind in game.ruleset.kinds for _ in range(kind.count) if kind.id != "bomb"]
    home = [f"{file}{rank}" for rank in (1, 2, 3, 4) for file in "abcdefghij"]
    front = dict.fromkeys(("a4", "b4", "e4", "f4", "i4", "j4"), "bomb")
    blocked = front | dict(zip([square for square in home if square not in front], kinds, strict=True))
    state = game.start(first_seat=first_seat).arrange(1, blocked).state
    turn = state.arrange(2, game.random_arrangement(2, seed=1))
    if first_seat == 1:
        assert turn.events[-1] == MatchEnded((2,), "no-legal-move")
        assert (turn.state.ply, turn.state.to_move) == (0, None)
    else:
        assert turn.state.result is None
        assert turn.state.play(turn.state.legal_moves()[0]).state.result == ((2,), "no-legal-move")
