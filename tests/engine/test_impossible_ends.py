"""Bytes of matches that would have ended before, or for another reason: by a target, a lead, a line or one stone left.

Each is made from a state that can be, of a match with another option or another end.
"""

import pytest

import engine_core
from engine_core import State, StateError

from .layout import Fields, put_together, taken_apart
from .plausible_case import REASONS
from .test_captures import position

PLAY, ENDED = 1, 2
BY_DECISION = ("resigned", "time", "abandonment", "ruling", "adjudicated")


def refusal(fields: Fields) -> str:
    try:
        engine_core.decode(put_together(fields))
    except StateError as error:
        return error.reason
    return "accepted"


def played(state: State, *moves: str) -> State:
    for move in moves:
        state = state.play(move).state
    return state


def under(state: State, **options: str) -> Fields:
    """The bytes of a state with other options."""
    fields = taken_apart(state.to_bytes())
    game = engine_core.load(state.game.id, **options)
    given = [f"{name}={value}".encode() for name, value in options.items()]
    fields.names, fields.digest = [state.game.id.encode(), *given], game.digest
    return fields


def ended(fields: Fields, reason: str, winner: int, actions: int = 0) -> Fields:
    """The match has ended for this reason, after so many more actions."""
    fields.phase, fields.to_move, fields.agreed = ENDED, 0, 0
    fields.reason, fields.winners = REASONS.index(reason), 1 << winner if winner else 0
    fields.revision += actions
    return fields


THREE = ("e1 h1 i1 a5", "b5 c5 d5 h8 i8 g9")
"""e1e5 takes three, and three are left."""

EARLIER = [
    pytest.param(
        played(position("hasami-shogi", "e1 h1 a5 e8", "b5 c5 d5 e6 e7 h8 g9", target="8"), "e1e5", "g9g8"),
        {},
        id="target",
    ),
    pytest.param(
        played(position("hasami-shogi", "e1 h1 i1 a5", "b5 c5 d5 h8"), "e1e5", "h8h7"), {"target": "all"}, id="all"
    ),
    pytest.param(
        played(position("hasami-shogi", *THREE), "e1e5", "g9g8"), {"lead": "3"}, id="the lead at its own turn"
    ),
    pytest.param(played(position("hasami-shogi", *THREE), "e1e5", "g9g8", "h1h2"), {"lead": "3"}, id="lead"),
    pytest.param(
        played(position("hasami-shogi", *THREE), "e1e5", "g9g8", "h1h2", "g8g7"), {"lead": "3"}, id="lead, two turns"
    ),
]


def test_what_they_are_made_from() -> None:
    """A lead that has just been taken waits for the reply, and these bytes are those of such a match."""
    assert refusal(under(played(position("hasami-shogi", *THREE), "e1e5"), lead="3")) == "accepted"


@pytest.mark.parametrize(("state", "options"), EARLIER)
def test_the_match_had_ended_before(state: State, options: dict[str, str]) -> None:
    assert state.result is None
    assert refusal(under(state, **options)) != "accepted"
    for reason in BY_DECISION:
        for winner in (1, 2):
            assert refusal(ended(under(state, **options), reason, winner, 1)) != "accepted"
    assert refusal(ended(under(state, **options), "agreed-draw", 0, 2)) != "accepted"


def test_one_stone_was_left_before() -> None:
    state = played(position("hasami-five", "e1 h1 i1 a5", "b5 c5 d5 h8 h9"), "e1e5", "h8h7")
    fields = taken_apart(state.to_bytes())
    assert refusal(fields) == "accepted"
    fields.pieces[-1].square = 255
    assert refusal(fields) != "accepted"


def test_the_lead_had_won_a_turn_before() -> None:
    state = played(position("hasami-shogi", *THREE), "e1e5", "g9g8", "h1h2", "g8g7")
    assert refusal(ended(under(state, lead="3"), "capture-threshold", 1)) != "accepted"
    state = played(position("hasami-shogi", *THREE), "e1e5", "g9g8")
    assert refusal(ended(under(state, lead="3"), "capture-threshold", 1)) == "accepted"


LINE = ("c3 c4 c5 c6 g7", "a8 b8 c9")

OTHER_REASONS = [
    pytest.param(
        played(position("hasami-five", "c3 c4 c5 c6 a7 c9", "b7 g9"), "c9c7"), "capture-threshold", 1, id="line, one"
    ),
    pytest.param(played(position("hasami-five", *LINE, ply_limit="1"), "g7c7"), "ply-limit", 0, id="line, limit"),
    pytest.param(
        played(position("hasami-five", "c3 c4 c5 c6 g7 a8 b9 a7 c9", "a9"), "g7c7"),
        "no-legal-move",
        1,
        id="line, stuck",
    ),
    pytest.param(
        played(position("hasami-shogi", "e1 a5 e8", "b5 c5 d5 e6 e7 h8 h7", ply_limit="1"), "e1e5"),
        "ply-limit",
        0,
        id="target, limit",
    ),
    pytest.param(
        played(position("hasami-shogi", "e1 a5", "b5 c5 d5", target="8"), "e1e5"),
        "no-legal-move",
        1,
        id="all gone, stuck",
    ),
    pytest.param(
        played(position("hasami-shogi", *THREE, lead="3", ply_limit="2"), "e1e5", "g9g8"),
        "ply-limit",
        0,
        id="lead, limit",
    ),
]


@pytest.mark.parametrize(("state", "reason", "winner"), OTHER_REASONS)
def test_the_first_reason_counts(state: State, reason: str, winner: int) -> None:
    """C4: line, then captures and lead, and only then repetition, a stuck seat and limits."""
    assert state.result is not None
    fields = taken_apart(state.to_bytes())
    assert refusal(fields) == "accepted"
    assert state.result.reason != reason
    assert refusal(ended(fields, reason, winner)) != "accepted"


@pytest.mark.parametrize(
    "state",
    [
        played(position("hasami-five", *LINE), "g7c7"),
        played(position("hasami-shogi", "e1 a5 e8", "b5 c5 d5 e6 e7 h8 h7"), "e1e5"),
        played(position("hasami-shogi", *THREE, lead="3"), "e1e5", "g9g8"),
    ],
)
def test_the_match_does_not_go_on_and_the_loser_does_not_win(state: State) -> None:
    fields = taken_apart(state.to_bytes())
    fields.phase, fields.reason, fields.winners, fields.to_move = PLAY, 0, 0, 1 + state.ply % 2
    assert refusal(fields) != "accepted"
    assert state.result is not None
    assert refusal(ended(taken_apart(state.to_bytes()), state.result.reason, 2)) != "accepted"
    assert refusal(ended(taken_apart(state.to_bytes()), state.result.reason, 0)) != "accepted"
    for reason in BY_DECISION:
        assert refusal(ended(taken_apart(state.to_bytes()), reason, 2, 1)) != "accepted"
