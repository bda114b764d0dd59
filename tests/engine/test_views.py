"""Views: their columns, what each viewer learns, and the text diagram character by character."""

import pytest

import engine_core
from engine_core import REFEREE, SPECTATOR, RefereeError, State, View
from engine_core.events import ClaimOpened, Moved
from engine_core.view import CLAIM, LAST_SOURCE, LAST_TARGET, MOVED, SHOWN

from .shared import playing

CLAIM_NEAR = {1: {"i1": "private", "e7": "flag"}, 2: {"a6": "flag", "f7": "private"}}
MINI = {
    1: {"b1": "flag", "c1": "mine", "d1": "bomb", "f4": "officer", "g2": "commander"},
    2: {"f8": "flag", "e8": "mine", "f5": "soldier", "a7": "engineer"},
}


def column(view: View, name: str) -> dict[str, int]:
    """The squares on which a column is not zero."""
    return {square: value for square, value in zip(view.game.squares, getattr(view, name), strict=True) if value}


def mini() -> State:
    return engine_core.load("luzhanqi-mini").position(MINI, to_move=1)


def test_columns_of_a_seat() -> None:
    state = mini()
    view = state.view(1)
    assert all(isinstance(getattr(view, name), bytes) for name in ("seats", "kinds", "origins", "flags"))
    assert {len(getattr(view, name)) for name in ("seats", "kinds", "origins", "flags")} == {56}
    assert column(view, "seats") == {square: seat for seat, men in MINI.items() for square in men}
    kinds = {square: state.game.kinds.index(kind) + 1 for square, kind in MINI[1].items()}
    assert column(view, "kinds") == kinds | dict.fromkeys(MINI[2], 255)
    start = {square: state.game.squares.index(square) + 1 for men in MINI.values() for square in men}
    assert column(view, "origins") == start
    assert column(view, "flags") == {}
    assert (view.viewer, view.captured, view.claim_pending) == (1, (), False)


def test_columns_of_spectator_and_referee() -> None:
    state = mini()
    assert set(column(state.view(SPECTATOR), "kinds").values()) == {255}
    everything = {s: state.game.kinds.index(kind) + 1 for men in MINI.values() for s, kind in men.items()}
    assert column(state.view(REFEREE), "kinds") == everything
    assert (SPECTATOR, REFEREE) == (0, 255)


def test_a_piece_keeps_its_origin() -> None:
    state = mini().play("g2g3").state.play("a7a6").state.play("g3g4").state
    squares = state.game.squares
    for viewer in (SPECTATOR, 1, 2, REFEREE):
        view = state.view(viewer)
        assert squares[column(view, "origins")["g4"] - 1] == "g2"
        assert squares[column(view, "origins")["a6"] - 1] == "a7"
        assert column(view, "flags") == {"g4": MOVED | LAST_TARGET, "g3": LAST_SOURCE, "a6": MOVED}


@pytest.mark.parametrize(
    ("reveal", "named", "shown"), [("none", False, False), ("event", True, False), ("shown", True, True)]
)
def test_after_a_battle(reveal: str, named: bool, shown: bool) -> None:
    """An officer in a camp takes the soldier beside it, and then goes on."""
    game = engine_core.load("luzhanqi-mini", battle_reveal=reveal)
    pieces = MINI | {2: {"f8": "flag", "e8": "mine", "g4": "soldier", "a7": "engineer"}}
    state = game.position(pieces, to_move=1).play("f4g4").state
    officer, soldier = game.kinds.index("officer") + 1, game.kinds.index("soldier") + 1
    for viewer in (SPECTATOR, 1, 2, REFEREE):
        view = state.view(viewer)
        assert column(view, "kinds")["g4"] == (officer if shown or viewer in (1, REFEREE) else 255)
        assert bool(column(view, "flags")["g4"] & SHOWN) == shown
        (fallen,) = view.captured
        assert (fallen.seat, game.squares[fallen.origin - 1]) == (2, "g4")
        assert fallen.kind == (soldier if named or viewer in (2, REFEREE) else 255)
    later = state.play("a7a6").state.play("g4g5").state
    assert column(later.view(2), "kinds")["g5"] == (officer if shown else 255)


def test_a_claim_is_seen_by_its_owner_alone() -> None:
    game = engine_core.load("salpakan-classic")
    turn = game.position(CLAIM_NEAR, to_move=1).play("e7e8")
    moved = Moved(1, 1, "e7", "e8", "move", (), None, None)
    for viewer in (SPECTATOR, 2):
        assert turn.events_for(viewer) == (moved,)
        view = turn.state.view(viewer)
        assert (view.claim_pending, column(view, "flags")["e8"] & CLAIM) == (False, 0)
    for viewer in (1, REFEREE):
        assert turn.events_for(viewer) == (moved, ClaimOpened(1))
        view = turn.state.view(viewer)
        assert (view.claim_pending, column(view, "flags")["e8"] & CLAIM) == (True, CLAIM)
    assert turn.events == turn.events_for(REFEREE)
    with pytest.raises(RefereeError):
        turn.events_for(3)


@pytest.mark.parametrize("name", engine_core.games())
def test_equal_by_value(name: str) -> None:
    state = playing(name, 4, 12)
    again = engine_core.decode(state.to_bytes())
    for viewer in (SPECTATOR, 1, 2, REFEREE):
        view, same = state.view(viewer), again.view(viewer)
        assert (view, hash(view), repr(view)) == (same, hash(same), repr(same))
        assert view.diagram() == same.diagram()
    views = [state.view(viewer) for viewer in (SPECTATOR, 1, 2, REFEREE)]
    assert len(set(views)) == 4
    same_kinds = len({bytes(view.kinds) for view in views}) == 1
    assert same_kinds == state.game.ruleset.perfect_information
    assert state.view(1) != "a view"


def test_diagram_of_a_seat() -> None:
    """Voids, camps and headquarters, hidden pieces as backs, and the last move."""
    state = mini().play("g2g3").state
    assert state.view(1).diagram() == (
        " 8   .   #   .   .  2?  2?   .\n"
        " 7  2?   .   .   .   .   .   .\n"
        " 6   .   .   .   .   .   .   .\n"
        " 5   .   o   .   .   .  2?   .\n"
        " 4   .   o   .   .   .  1O   .\n"
        " 3   .   .   .   .   .   .  1C<\n"
        " 2   .   .   .   .   .   .   .*\n"
        " 1   .  1F  1N  1B   .   #   .\n"
        "     a   b   c   d   e   f   g\n"
    )


def test_diagrams_of_the_others() -> None:
    state = engine_core.load("luzhanqi-mini").position(MINI, to_move=1)
    rows = {viewer: state.view(viewer).diagram().splitlines() for viewer in (SPECTATOR, 2, REFEREE)}
    assert rows[SPECTATOR][0] == " 8   .   #   .   .  2?  2?   ."
    assert rows[2][0] == " 8   .   #   .   .  2N  2F   ."
    assert rows[REFEREE][4] == " 4   .   o   .   .   .  1O   ."
    assert rows[2][4] == " 4   .   o   .   .   .  1?   ."


def test_diagram_with_lakes_and_two_digits() -> None:
    state = engine_core.load("hidden-capture-flag").position(
        {1: {"a5": "scout", "j1": "flag"}, 2: {"j10": "flag", "e6": "bomb"}}, to_move=1
    )
    lines = state.play("a5b5").state.view(1).diagram().splitlines()
    assert lines[0] == "10   .   .   .   .   .   .   .   .   .  2?"
    assert lines[4] == " 6   .   .          2?   .           .   ."
    assert lines[5] == " 5   .* 1S<          .   .           .   ."
    assert lines[9] == " 1   .   .   .   .   .   .   .   .   .  1F"
    assert lines[10] == "     a   b   c   d   e   f   g   h   i   j"
