"""Custodial capture in all its forms, hops, and the endings by captures and lines, on positions worked out by hand.

Sections 7 and 8 of the rules. A position is two texts, the stones of seat 1 and those of seat 2.
"""

import pytest

import engine_core
from engine_core import State, Turn
from engine_core.errors import IllegalMove

BRACKETS = ("hasami-shogi", "dai-hasami-shogi", "mak-yek", "hasami-five")


def position(game: str, one: str, two: str, to_move: int = 1, **options: str) -> State:
    pieces = {seat: dict.fromkeys(stones.split(), "stone") for seat, stones in ((1, one), (2, two))}
    return engine_core.load(game, **options).position(pieces, to_move)


def turned(stones: str, size: int = 9) -> str:
    """The same squares for the other seat: the board turned by half a circle."""
    return " ".join(f"{chr(2 * ord('a') + size - 1 - ord(s[0]))}{size + 1 - int(s[1:])}" for s in stones.split())


def captures(game: str, one: str, two: str, move: str, **options: str) -> set[str]:
    """What a move of seat 1 captures, which is the same for seat 2 on the turned board."""
    source, target = move[:2], move[2:]
    turn = position(game, one, two, 1, **options).play(move)
    size = 8 if game == "mak-yek" else 9
    mirrored = position(game, turned(two, size), turned(one, size), 2, **options).play(
        turned(f"{source} {target}", size).replace(" ", "")
    )
    assert set(mirrored.captured) == set(turned(" ".join(turn.captured), size).split())
    assert len(turn.captured) == len(set(turn.captured)), "each stone is captured once"
    assert set(turn.state.pieces()[2]) == set(two.split()) - set(turn.captured)
    assert set(turn.state.pieces()[1]) == set(one.split()) - {source} | {target}
    assert (turn.battle, len(turn.state.view(0).captured)) == (None, len(turn.captured))
    return set(turn.captured)


# Runs between two stones.


@pytest.mark.parametrize("game", BRACKETS)
def test_runs_on_three_rays_fall_together(game: str) -> None:
    one, two = "d1 a4 d7 f4", "b4 c4 d5 d6 e4 g7 h7 h8"
    assert captures(game, one, two, "d1d4") == {"b4", "c4", "d5", "d6", "e4"}


@pytest.mark.parametrize("game", BRACKETS)
def test_the_edge_closes_nothing_and_runs_have_no_gaps(game: str) -> None:
    assert captures(game, "d1 h1", "a4 b4 c4 g7 h7", "d1d4") == set()
    assert captures(game, "d1 a4", "c4 g7 h7", "d1d4") == set()
    assert captures(game, "d1 a4", "b4 g7 h7", "d1d4") == set()


@pytest.mark.parametrize("game", ["hasami-shogi", "dai-hasami-shogi", "hasami-five"])
def test_moving_in_between_is_safe(game: str) -> None:
    """HS09; neither is the stone that moved in captured by a move elsewhere."""
    state = position(game, "d1 h1", "c4 e4 g7 h7").play("d1d4").state
    later = state.play("h7h6").state
    assert set(later.pieces()[1]) == {"d4", "h1"}
    assert set(later.pieces()[2]) == {"c4", "e4", "g7", "h6"}


def test_single_runs() -> None:
    """HS05: with run=1 a run of two is safe, and the single stone beside it is not."""
    one, two = "d1 d7 f4 b4", "d5 d6 e4 c4 g9 h9 h8"
    assert captures("hasami-shogi", one, two, "d1d4") == {"d5", "d6", "e4", "c4"}
    assert captures("hasami-shogi", one, two, "d1d4", run="1") == {"e4", "c4"}
    assert captures("mak-yek", "d1 d7 f4", "d5 d6 e4 g8 h8", "d1d4", run="1") == {"e4"}


# Corners.

CORNERS = [("a9", "a8", "b9"), ("i9", "i8", "h9"), ("a1", "a2", "b1"), ("i1", "i2", "h1")]


@pytest.mark.parametrize(("corner", "beside", "other"), [*CORNERS, *((c, b, a) for c, a, b in CORNERS)])
def test_corners(corner: str, beside: str, other: str) -> None:
    """A stone in each corner, with the last of its two neighbours taken from the middle: `other` stands already."""
    source = f"e{beside[1]}" if beside[0] in "ai" else f"{beside[0]}5"
    one, two, move = f"{other} {source} e6", f"{corner} c4 d4", source + beside
    assert captures("hasami-shogi", one, two, move, corner="on") == {corner}
    assert captures("hasami-shogi", one, two, move) == set()
    assert captures("hasami-shogi", f"{source} e6", two, move, corner="on") == set()


def test_corners_need_the_other_side_there_and_the_moved_stone_beside_it() -> None:
    """An own stone stays, and one that stands between two already is safe until one of them comes back."""
    assert captures("hasami-shogi", "a9 b9 e8", "c4 d4", "e8a8", corner="on") == set()
    assert captures("hasami-shogi", "b9 e8", "a9 c4 d4", "e8b8", corner="on") == set()
    state = position("hasami-shogi", "a8 b9 e5", "a9 c3 d3", corner="on")
    for move in ("e5e6", "c3c2", "a8b8", "c2c3"):
        turn = state.play(move)
        assert turn.captured == []
        state = turn.state
    assert state.play("b8a8").captured == ["a9"]


def test_a_corner_in_any_length_of_run_and_with_other_captures() -> None:
    one, two = "b9 e8 c8", "a9 a7 b8 d4 f4"
    assert captures("hasami-shogi", "b9 e8 a6", "a9 a7 d4 f4", "e8a8", corner="on", run="1") == {"a9", "a7"}
    assert captures("hasami-shogi", "b9 a5 c8", two, "a5a6", corner="on") == set()
    assert captures("hasami-shogi", "b9 a3 c8", "a9 b8 d4 f4", "a3a8", corner="on") == {"a9", "b8"}
    assert captures("hasami-shogi", one, "a9 a7 d5 f4", "e8d8", corner="on") == set()


def test_corners_of_the_other_boards() -> None:
    assert captures("mak-yek", "g8 h3", "h8 b5 c5", "h3h7", corner="on") == {"h8"}
    assert captures("dai-hasami-shogi", "h9 i3", "i9 b5 c5", "i3i8", corner="on") == {"i9"}


# Intervention.


def test_intervention_on_both_axes() -> None:
    """MY02, MY07: the two neighbours on one line through the square."""
    assert captures("mak-yek", "d1 h1", "c4 e4 g7 h7", "d1d4") == {"c4", "e4"}
    assert captures("mak-yek", "a4 h1", "d3 d5 g7 h7", "a4d4") == {"d3", "d5"}
    assert captures("mak-yek", "a4 h1", "d3 d5 e4 g7 h7", "a4d4") == {"d3", "d5"}
    assert captures("mak-yek", "h8 h1", "a7 a5 g3 h3", "h8h6") == set()


def test_intervention_needs_both_neighbours() -> None:
    """MY05, MY06: not one alone, not one farther off, not a stone and the edge, not an enemy and an own stone."""
    assert captures("mak-yek", "d1 h1", "c4 g7 h7", "d1d4") == set()
    assert captures("mak-yek", "d1 h1", "c4 f4 g7 h7", "d1d4") == set()
    assert captures("mak-yek", "d1 h1", "c4 d5 g7 h7", "d1d4") == set()
    assert captures("mak-yek", "d1 e4", "c4 g7 h7", "d1d4") == set()
    assert captures("mak-yek", "a1 h1", "b4 g7 h7", "a1a4") == set()


def test_intervention_takes_neighbours_alone() -> None:
    """The second stone of a run stays, unless the run is closed."""
    assert captures("mak-yek", "d1 h1", "b4 c4 e4 f4 g7 h7", "d1d4") == {"c4", "e4"}
    assert captures("mak-yek", "d1 a4", "b4 c4 e4 f4 g7 h7", "d1d4") == {"b4", "c4", "e4"}


def test_intervention_and_bracketing_at_once() -> None:
    """MY03: the stones beside, and those ahead up to the own stone."""
    assert captures("mak-yek", "d1 d7", "c4 e4 d5 d6 g7 h7", "d1d4") == {"c4", "e4", "d5", "d6"}
    assert captures("mak-yek", "d1 d7", "c4 e4 d5 d6 g7 h7", "d1d4", run="1") == {"c4", "e4"}


def test_a_stone_captured_in_two_ways_counts_once() -> None:
    """Three stones, two of them taken by intervention and by bracketing: not five, so the match goes on."""
    one, two = "d1 b4 f4 d6", "c4 e4 d5 g7 h7"
    assert captures("mak-yek", one, two, "d1d4") == {"c4", "e4", "d5"}
    assert position("mak-yek", one, two).play("d1d4").state.result is None
    # In a corner: between b8 and a7, and with a6 on both sides of a7.
    one, two = "b8 h7", "a8 a6 d4 e4 f4"
    assert captures("mak-yek", one, two, "h7a7", corner="on") == {"a8", "a6"}
    assert captures("mak-yek", one, "a8 d4 e4 f4", "h7a7", corner="on") == {"a8"}
    assert captures("mak-yek", one, "a8 d4 e4 f4", "h7a7") == set()


def test_intervention_is_of_mak_yek_alone() -> None:
    for game in ("hasami-shogi", "dai-hasami-shogi", "hasami-five"):
        assert captures(game, "d1 h1", "c4 e4 g7 h7", "d1d4") == set()


# Endings by captures.

SEVEN = "b5 c5 d5 e6 e7 e8 f5"
"""Taken at once by e1e5, with own stones on a5, e9 and g5."""


def ended(turn: Turn) -> tuple[tuple[int, ...], str] | None:
    return turn.state.result


def test_target_of_five() -> None:
    won = ((1,), "capture-threshold")
    assert ended(position("hasami-shogi", "e1 a5 e8", "b5 c5 d5 e6 h8 h7").play("e1e5")) is None
    assert ended(position("hasami-shogi", "e1 a5 e8", "b5 c5 d5 e6 e7 h8 h7").play("e1e5")) == won
    assert ended(position("hasami-shogi", "e1 a5 e9 g5", f"{SEVEN} h8 h7").play("e1e5")) == won


def test_the_target_counts_all_captures() -> None:
    """HS08: four, and with three more seven; quiet moves and the enemy's captures between them do not matter."""
    state = position("hasami-shogi", "e1 a5 e8 a2 h1", "b5 c5 d5 e6 b2 c2 d2 h7 i7 h9").play("e1e5").state
    for move in ("h9h8", "h1h2", "h8h9"):
        state = state.play(move).state
        assert state.result is None
    turn = state.play("h2e2")
    assert (set(turn.captured), ended(turn)) == ({"b2", "c2", "d2"}, ((1,), "capture-threshold"))


def test_target_of_eight() -> None:
    one = "e1 a5 e9"
    assert ended(position("hasami-shogi", f"{one} g5", f"{SEVEN} h8 h7", target="8").play("e1e5")) is None
    turn = position("hasami-shogi", f"{one} h5", f"{SEVEN} g5 h8 h7", target="8").play("e1e5")
    assert ended(turn) == ((1,), "capture-threshold")
    assert len(turn.captured) == 8


@pytest.mark.parametrize(("left", "won"), [("", True), ("h8", True), ("h8 h7", False)])
def test_target_of_all(left: str, won: bool) -> None:
    """HS18: at most one stone is left."""
    turn = position("hasami-shogi", "e1 a5 e9 g5", f"{SEVEN} {left}", target="all").play("e1e5")
    assert ended(turn) == (((1,), "capture-threshold") if won else None)
    other = position("hasami-shogi", turned(f"{SEVEN} {left}"), turned("e1 a5 e9 g5"), 2, target="all").play("e9e5")
    assert ended(other) == (((2,), "capture-threshold") if won else None)


@pytest.mark.parametrize("target", ["5", "8"])
def test_no_stone_left_is_the_target_too(target: str) -> None:
    turn = position("hasami-shogi", "e1 a5", "b5 c5 d5", target=target).play("e1e5")
    assert ended(turn) == ((1,), "capture-threshold")
    one_left = position("hasami-shogi", "e1 a5", "b5 c5 d5 h8", target=target).play("e1e5")
    assert ended(one_left) is None


def test_a_lead_of_three_waits_for_one_reply() -> None:
    """HS15: also when an offer is made and declined in between, which is no turn."""
    state = position("hasami-shogi", "e1 h1 i1 a5", "b5 c5 d5 h8 i8 g9", lead="3").play("e1e5").state
    assert (state.result, state.to_move) == (None, 2)
    state = state.offer_draw(2).state.decline_draw(1).state
    assert state.result is None
    assert state.play("g9g8").state.result == ((1,), "capture-threshold")
    without = position("hasami-shogi", "e1 h1 i1 a5", "b5 c5 d5 h8 i8 g9").play("e1e5").state
    assert without.play("g9g8").state.result is None


def test_the_reply_may_cut_the_lead() -> None:
    """HS16: three against one is a lead of two; four against one is one of three."""
    one, two = "e1 i1 h2 a5", "i2 g3 b5 c5 d5 h8 i8 g9"
    turn = position("hasami-shogi", one, two, lead="3").play("e1e5").state.play("g3g2")
    assert (turn.captured, ended(turn)) == (["h2"], None)
    turn = position("hasami-shogi", f"{one} e7", f"{two} e6", lead="3").play("e1e5").state.play("g3g2")
    assert (turn.captured, ended(turn)) == (["h2"], ((1,), "capture-threshold"))


def test_a_lead_of_two_is_none() -> None:
    state = position("hasami-shogi", "e1 h1 i1 b5", "c5 d5 h8 i8 g9", lead="3").play("e1e5").state
    assert state.play("g9g8").state.result is None


def test_the_reply_may_reach_the_target() -> None:
    """Three taken, and five taken back."""
    one, two = "e1 a5 c8 d8 e8 f8 g8", "b5 c5 d5 b8 h3 i1"
    state = position("hasami-shogi", one, two, lead="3").play("e1e5").state
    turn = state.play("h3h8")
    assert (len(turn.captured), ended(turn)) == (5, ((2,), "capture-threshold"))


def test_the_lead_of_the_other_seat() -> None:
    """Seat 2 takes three; seat 1 has its reply; then seat 2 wins."""
    state = position("hasami-shogi", "b5 c5 d5 h2 i2 g1", "e9 h9 i9 a5", 2, lead="3").play("e9e5").state
    assert (state.result, state.to_move) == (None, 1)
    assert state.play("g1g2").state.result == ((2,), "capture-threshold")


def test_the_ends_of_the_other_games() -> None:
    """Options of mak-yek and dai-hasami-shogi are those of hasami-shogi; hasami-five knows no target."""
    for game in ("dai-hasami-shogi", "mak-yek"):
        state = position(game, "e1 a5 e8 h1", "b5 c5 d5 e6 e7 h4 h5")
        assert state.play("e1e5").state.result == ((1,), "capture-threshold")
    state = position("hasami-five", "e1 a5 e8 h1", "b5 c5 d5 e6 e7 h4 h5")
    assert state.play("e1e5").state.result is None
    assert position("hasami-five", "e1 a5", "b5 c5 d5 h8").play("e1e5").state.result == ((1,), "capture-threshold")


# Lines of five.

LINES = {
    "file": ("c3 c4 c5 c6 g7", "g7c7"),
    "rank": ("c5 d5 f5 g5 e1", "e1e5"),
    "rising": ("c3 d4 e5 f6 g1", "g1g7"),
    "falling": ("c7 d6 e5 f4 g8", "g8g3"),
}
COUNTING = {"all": {*LINES}, "no-horizontal": {"file", "rising", "falling"}, "orthogonal": {"file", "rank"}}


@pytest.mark.parametrize("option", sorted(COUNTING))
@pytest.mark.parametrize("way", sorted(LINES))
def test_lines(way: str, option: str) -> None:
    """HF06, HF10, HF12, HF13, for both seats."""
    one, move = LINES[way]
    won = way in COUNTING[option]
    assert ended(position("hasami-five", one, "a8 b8 c9", line=option).play(move)) == (
        ((1,), "line-of-five") if won else None
    )
    back = turned(f"{move[:2]} {move[2:]}").replace(" ", "")
    state = position("hasami-five", turned("a8 b8 c9"), turned(one), 2, line=option)
    assert ended(state.play(back)) == (((2,), "line-of-five") if won else None)


NO_LINES = {
    "four": ("c4 c5 c6 g7", "g7c7"),
    "a gap": ("c3 c4 c5 c7 c8 g9", "g9c9"),
    "start rank": ("c2 c3 c4 c5 g6", "g6c6"),
    "back rank": ("b1 c1 d1 e1 a6", "a6a1"),
    "second rank": ("b2 c2 d2 e2 a6", "a6a2"),
    "slanting from a start rank": ("b2 c3 d4 e5 f9", "f9f6"),
    "falling to a start rank": ("b6 c5 d4 e3 f8", "f8f2"),
    "knight's steps": ("a3 b5 c7 d9 e3", "e3f3"),
}


@pytest.mark.parametrize("case", sorted(NO_LINES))
def test_what_is_no_line(case: str) -> None:
    """HF07, HF20: four; five with a gap; with a stone on an own start rank."""
    one, move = NO_LINES[case]
    two = "h8 h7 i6"
    assert ended(position("hasami-five", one, two).play(move)) is None
    back = turned(f"{move[:2]} {move[2:]}").replace(" ", "")
    assert ended(position("hasami-five", turned(two), turned(one), 2).play(back)) is None


def test_an_enemy_stone_breaks_a_line() -> None:
    assert ended(position("hasami-five", "c3 c4 c6 c7 g8", "c5 h7 h8").play("g8c8")) is None


def test_six_and_more_in_line() -> None:
    """HF11: some five of them lie outside the own start ranks."""
    won = ((1,), "line-of-five")
    assert ended(position("hasami-five", "c2 c3 c4 c5 c6 g7", "a8 b8 d9").play("g7c7")) == won
    assert ended(position("hasami-five", "c1 c2 c3 c4 c5 c6 g7", "a8 b8 d9").play("g7c7")) == won
    assert ended(position("hasami-five", "c3 c4 c5 c7 c8 g6", "a8 b8 d9").play("g6c6")) == won
    assert ended(position("hasami-five", "c1 c2 c3 c4 c5 g6", "a8 b8 d9").play("g6c6")) is None
    assert ended(position("hasami-five", "a5 b5 c5 d5 f5 g5 h5 i5 e1", "a8 b8 d9").play("e1e5")) == won


def test_the_start_ranks_of_the_other_side_count() -> None:
    """HF09: for seat 1 ranks 8 and 9, for seat 2 ranks 1 and 2."""
    assert ended(position("hasami-five", "a9 b9 c9 d9 e4", "h5 i5 i6").play("e4e9")) == ((1,), "line-of-five")
    assert ended(position("hasami-five", "h5 i5 i6", "a1 b1 c1 d1 e6", 2).play("e6e1")) == ((2,), "line-of-five")


def test_the_move_must_complete_the_line() -> None:
    """A line that stands already in a loaded position is not looked at, and neither is the enemy's."""
    assert ended(position("hasami-five", "c3 c4 c5 c6 c7 h1", "a8 b8 d9").play("h1h2")) is None
    assert ended(position("hasami-five", "h1 h2 i5", "c3 c4 c5 c6 c7").play("i5h5")) is None
    assert ended(position("hasami-five", "c3 c4 c5 c6 c7 h1", "a8 b8 d9").play("c3d3")) is None


def test_a_line_comes_before_captures() -> None:
    """HF16, and with only one enemy left."""
    one, two = "c3 c4 c5 c6 a7 d1", "b7 g9"
    state = position("hasami-five", f"{one} h1", "b7 g9 h9").play("d1d7").state.play("g9g8").state
    turn = state.play("d7c7")
    assert (turn.captured, ended(turn)) == (["b7"], ((1,), "line-of-five"))
    turn = position("hasami-five", one.replace("d1", "c9"), two).play("c9c7")
    assert (turn.captured, ended(turn)) == (["b7"], ((1,), "line-of-five"))


def test_a_line_by_a_hop() -> None:
    turn = position("hasami-five", "c3 c4 c5 c6 e7", "d7 h8 h9").play("e7c7")
    assert (turn.captured, ended(turn)) == ([], ((1,), "line-of-five"))


# Hops.


def targets(state: State, square: str) -> set[str]:
    return {str(move)[2:] for move in state.legal_moves() if str(move).startswith(square)}


def test_hops_over_either_side() -> None:
    """HF05: e4 is shut in by two own and two enemy stones."""
    state = position("hasami-five", "e4 e3 d4", "f4 e5 h9")
    assert targets(state, "e4") == {"e2", "c4", "g4", "e6"}
    assert targets(position("hasami-five", "f4 e5 h9", "e4 e3 d4", 2), "e4") == {"e2", "c4", "g4", "e6"}


def test_no_hop_onto_a_stone_or_off_the_board() -> None:
    """HF03, and at the edge: a1 is shut in, since b1 and a2 each have a stone behind them."""
    state = position("hasami-five", "a1 b1 c1", "a2 a3 h9")
    assert targets(state, "a1") == set()
    assert targets(state, "b1") == {"b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "d1"}
    assert targets(position("hasami-five", "b5 e9", "a5 h8 h9"), "b5") == {
        *(f"{file}5" for file in "cdefghi"),
        *(f"b{rank}" for rank in (1, 2, 3, 4, 6, 7, 8, 9)),
    }


def test_no_chain_no_slide_after_a_hop_and_none_from_afar() -> None:
    """HF02: over e4 to e5 alone, not on over e6; over g3, which is not beside, not at all; nor slanting."""
    state = position("hasami-five", "e3 e4 a1", "e6 g3 f4 h9")
    assert targets(state, "e3") == {"e5", "e2", "e1", "f3", "d3", "c3", "b3", "a3"}
    for move in ("e3e6", "e3e7", "e3h3", "e3g5", "e3e3"):
        with pytest.raises(IllegalMove):
            state.play(move)


def test_a_hop_is_over_a_stone() -> None:
    """With nothing between, two squares are an ordinary slide, and a stone two squares away blocks it."""
    state = position("hasami-five", "e3 a1", "e5 h9")
    assert {"e4"} == {target for target in targets(state, "e3") if target[0] == "e" and target[1] > "3"}


def test_what_a_hop_captures() -> None:
    """HF17, HF18: never the stone that it jumps, but those where it lands."""
    assert captures("hasami-five", "e2 e3 a1", "e4 h9 i9", "e3e5") == set()
    assert captures("hasami-five", "e3 g5 a1", "e4 f5 h9 i9", "e3e5") == {"f5"}
    assert captures("hasami-five", "e3 e7 a1", "e4 e6 h9 i9", "e3e5") == {"e6"}


def test_the_others_do_not_hop() -> None:
    """In dai-hasami-shogi the stones of rank 1 cannot move at first."""
    for game in ("hasami-shogi", "dai-hasami-shogi", "mak-yek"):
        assert targets(position(game, "e4 e3 d4", "f4 e5 h8"), "e4") == set()
    start = engine_core.load("dai-hasami-shogi").start()
    assert {str(move)[1] for move in start.legal_moves()} == {"2"}


def test_hops_alone_can_save_from_being_stuck() -> None:
    """Seat 2's stone in the corner can only hop; in hasami-shogi it is stuck and loses (HS10)."""
    one, two = "a8 d8 c3", "a9 b9"
    assert ended(position("hasami-shogi", f"{one} c9", two).play("d8b8")) == ((1,), "no-legal-move")
    state = position("hasami-five", f"{one} c9", two).play("d8b8").state
    assert state.result is None
    assert {str(move) for move in state.legal_moves()} == {"a9a7", "b9b7", "b9d9"}
