"""Games in which pieces have their places and nothing is hidden: the start, what is refused, views and bytes."""

import random
from collections import Counter
from collections.abc import Mapping

import pytest

import engine_core
from engine_core import REFEREE, SPECTATOR, RefereeError, State, StateError
from engine_core.errors import AlreadyArranged, InvalidSeat

from .layout import put_together, sealed, taken_apart

SEED = 5
VIEWERS = (SPECTATOR, 1, 2, REFEREE)


def stones(*ranks: int, files: str = "abcdefghi") -> dict[str, str]:
    return {f"{file}{rank}": "stone" for rank in ranks for file in files}


# Section 7 and 8 of the rules: where the stones stand, and section 15: the number of first moves.
STARTS: dict[str, tuple[dict[str, str], dict[str, str], int]] = {
    "hasami-shogi": (stones(1), stones(9), 63),
    "dai-hasami-shogi": (stones(1, 2), stones(8, 9), 45),
    "mak-yek": (stones(1, 3, files="abcdefgh"), stones(6, 8, files="abcdefgh"), 32),
    "hasami-five": (stones(1, 2), stones(8, 9), 54),
}
OPTIONS: list[tuple[str, dict[str, str]]] = [
    ("hasami-shogi", {}),
    ("hasami-shogi", {"target": "8", "corner": "on", "lead": "3"}),
    ("hasami-shogi", {"target": "all", "run": "1", "repetition": "off", "ply_limit": "60"}),
    ("dai-hasami-shogi", {"corner": "on", "repetition": "4"}),
    ("mak-yek", {"target": "all", "corner": "on"}),
    ("mak-yek", {"lead": "3", "quiet_limit": "8"}),
    ("hasami-five", {}),
    ("hasami-five", {"line": "orthogonal", "repetition": "off"}),
]


def test_the_games_with_a_fixed_start() -> None:
    games = [engine_core.load(name) for name in engine_core.games()]
    assert {game.id for game in games if game.ruleset.fixed_start} == set(STARTS)
    assert {game.id for game in games if game.ruleset.perfect_information} == set(STARTS)


@pytest.mark.parametrize("first_seat", [1, 2])
@pytest.mark.parametrize("name", sorted(STARTS))
def test_a_match_begins_with_play(name: str, first_seat: int) -> None:
    one, two, count = STARTS[name]
    state = engine_core.load(name).start(first_seat=first_seat, match_id=b"m")
    assert (state.phase, state.to_move, state.first_seat) == ("play", first_seat, first_seat)
    assert (state.ply, state.revision, state.arranged, state.match_id) == (0, 0, (1, 2), b"m")
    assert (state.result, state.last_move, state.out, state.draw_agreed) == (None, None, (), ())
    assert state.pieces() == {1: one, 2: two}
    assert len(state.legal_moves()) == count
    assert set(state.legal_actions(first_seat)) == {"move", "resign", "offer-draw"}
    assert set(state.legal_actions(3 - first_seat)) == {"resign", "offer-draw"}
    after = state.play(state.legal_moves()[0]).state
    assert (after.ply, after.revision, after.to_move) == (1, 1, 3 - first_seat)


@pytest.mark.parametrize("name", sorted(STARTS))
def test_nothing_is_arranged(name: str) -> None:
    game = engine_core.load(name)
    state = game.start()
    for seat in game.seats:
        only = game.random_arrangement(seat, seed=seat)
        assert only == state.pieces()[seat]
        assert only == game.random_arrangement(seat, seed=2**64 - 1)
        assert game.arrangement_count(seat) == 1
        for arrangement in (only, {}, {"a1": "flag"}, {"z9": "stone"}):
            with pytest.raises(AlreadyArranged) as refused:
                state.arrange(seat, arrangement)
            assert refused.value.reason == "ALREADY_ARRANGED"
            with pytest.raises(AlreadyArranged):
                state.play(state.legal_moves()[0]).state.arrange(seat, arrangement)
    for seat in (0, 3):
        with pytest.raises(InvalidSeat):
            state.arrange(seat, {})
        with pytest.raises(InvalidSeat):
            game.start(first_seat=seat)


def test_the_start_is_no_loaded_position() -> None:
    """The same stones, but a loaded position may come from anywhere; their bytes differ, and what can be played not."""
    for name, (one, two, _) in STARTS.items():
        game = engine_core.load(name)
        start, loaded = game.start(), game.position({1: one, 2: two}, to_move=1)
        assert start.pieces() == loaded.pieces()
        assert start.legal_moves() == loaded.legal_moves()
        assert start.to_bytes() != loaded.to_bytes()
        assert engine_core.decode(start.to_bytes()) == start
        assert engine_core.decode(loaded.to_bytes()) == loaded


def course(name: str, options: Mapping[str, str], seed: int, plies: int = 80) -> list[State]:
    """A random match, captures preferred."""
    rng = random.Random(f"{SEED} {name} {seed}")
    states = [engine_core.load(name, **options).start(first_seat=rng.choice((1, 2)), match_id=rng.randbytes(seed % 9))]
    while states[-1].phase == "play" and states[-1].ply < plies:
        turns = [states[-1].play(move) for move in states[-1].legal_moves()]
        best = [turn for turn in turns if turn.captured or turn.state.result] if rng.random() < 0.7 else turns
        states.append(rng.choice(best or turns).state)
    if states[-1].phase == "play" and seed % 3 == 0:
        states.append(states[-1].offer_draw(rng.choice((1, 2))).state)
    if states[-1].phase == "play" and seed % 3 == 1:
        states.append(states[-1].resign(rng.choice((1, 2))).state)
    return states


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_every_viewer_sees_the_same(name: str, options: dict[str, str]) -> None:
    """Everything of a view but its viewer, and every event."""
    captured = 0
    for state in course(name, options, 2):
        views = [state.view(viewer) for viewer in VIEWERS]
        assert [view.viewer for view in views] == list(VIEWERS)
        told = {(view.seats, view.kinds, view.origins, view.flags, view.captured, view.claim_pending) for view in views}
        assert len(told) == 1
        ((seats, kinds, _, _, gone, claim),) = told
        assert not claim
        assert [bool(kind) for kind in kinds] == [bool(seat) for seat in seats]
        assert set(kinds) <= {0, 1}
        assert {one.kind for one in gone} <= {1}
        captured = max(captured, len(gone))
        assert len({view.diagram() for view in views}) == 1
        assert "?" not in views[0].diagram()
        if state.phase == "play":
            turn = state.play(state.legal_moves()[-1])
            assert len({turn.events_for(viewer) for viewer in VIEWERS}) == 1
    assert captured > 1


def test_a_diagram() -> None:
    state = engine_core.load("mak-yek").start().play("d3d5").state
    ranks = state.view(SPECTATOR).diagram().splitlines()
    assert ranks[0] == " 8  2S  2S  2S  2S  2S  2S  2S  2S"
    assert ranks[3] == " 5   .   .   .  1S<  .   .   .   .".rstrip()
    assert ranks[5] == " 3  1S  1S  1S   .* 1S  1S  1S  1S"


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_states_as_bytes(name: str, options: dict[str, str]) -> None:
    """Every state of some matches; they are told by the published layout, and nothing is lost."""
    print(f"seed {SEED}")
    seen: Counter[str] = Counter()
    for seed in range(12):
        for state in course(name, options, seed):
            data = state.to_bytes()
            again = engine_core.decode(data)
            assert (again, again.to_bytes(), again.pieces()) == (state, data, state.pieces())
            assert [again.view(viewer) for viewer in VIEWERS] == [state.view(viewer) for viewer in VIEWERS]
            assert again.legal_moves() == state.legal_moves()
            assert put_together(taken_apart(data)) == data
            seen[state.result.reason if state.result else state.phase] += 1
    assert seen["play"] > 12
    assert len(seen) >= 2


def test_the_bytes_of_a_start() -> None:
    """In play, both seats arranged, not loaded; none of the stones has moved."""
    fields = taken_apart(engine_core.load("hasami-shogi").start(first_seat=2).to_bytes())
    assert (fields.flags & 1, fields.phase, fields.first_seat, fields.to_move) == (0, 1, 2, 2)
    assert (fields.arranged, fields.revision, fields.ply, fields.history) == (0b110, 0, 0, [])
    assert len(fields.pieces) == 18
    assert all((piece.square, piece.marks, piece.kind) == (piece.start, 0, 1) for piece in fields.pieces)


def refusal(data: bytes) -> str:
    try:
        engine_core.decode(data)
    except StateError as error:
        return error.reason
    return "accepted"


def test_states_that_cannot_be() -> None:
    """A start that still waits, pieces missing or elsewhere, and more or fewer revisions than actions."""
    game = engine_core.load("hasami-shogi")
    begun = game.start().play("a1a5").state.play("b9b5").state
    assert refusal(begun.to_bytes()) == "accepted"

    def changed(state: State, **values: int) -> str:
        fields = taken_apart(state.to_bytes())
        for name, value in values.items():
            setattr(fields, name, value)
        return refusal(put_together(fields))

    assert changed(game.start(), phase=0, to_move=0, flags=0) == "STATE_PHASE"
    assert changed(game.start(), phase=0, to_move=0, flags=0, arranged=0) == "STATE_PHASE"
    assert changed(game.start(), arranged=0b10) == "STATE_PHASE"
    assert changed(game.start(), to_move=2) == "STATE_PHASE"
    assert changed(begun, revision=1) == "STATE_PHASE"
    assert changed(begun, ply=1) != "accepted"
    assert changed(begun, quiet=1) != "accepted"
    assert changed(begun, reason=8, winners=2, phase=2, to_move=0) == "STATE_RESULT"
    fields = taken_apart(begun.to_bytes())
    fields.pieces[3].square = 40
    assert refusal(put_together(fields)) == "STATE_EVIDENCE"
    fields = taken_apart(game.start().to_bytes())
    fields.pieces[0].start = fields.pieces[0].square = 10
    assert refusal(put_together(fields)) == "STATE_ROSTER"
    fields = taken_apart(game.start().to_bytes())
    del fields.pieces[0]
    assert refusal(put_together(fields)) == "STATE_ROSTER"


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_damaged_states_are_refused_or_possible(name: str, options: dict[str, str]) -> None:
    """Bytes changed at random under a right checksum: what is accepted has all of its stones and can go on."""
    print(f"seed {SEED}")
    rng = random.Random(f"{SEED} damage {name}")
    states = [state for seed in range(6) for state in course(name, options, seed)]
    outcomes: Counter[str] = Counter()
    one, two, _ = STARTS[name]
    for _ in range(6000):
        data = bytearray(rng.choice(states).to_bytes())
        for _ in range(rng.choice((1, 1, 2))):
            place = rng.randrange(3, len(data) - 4)
            data[place] = rng.choice((data[place] ^ 1 << rng.randrange(8), rng.randrange(256)))
        mutant = sealed(bytes(data[:-4]))
        try:
            state = engine_core.decode(mutant)
        except RefereeError as error:
            outcomes[error.reason] += 1
            continue
        outcomes["accepted"] += 1
        assert state.to_bytes() == mutant
        fields = taken_apart(mutant)
        if not fields.flags & 1:
            starts = {state.game.squares[piece.start] for piece in fields.pieces}
            assert starts == set(one) | set(two)
        assert bool(state.legal_moves()) == (state.phase == "play")
        for move in state.legal_moves()[:2]:
            after = state.play(move).state
            assert engine_core.decode(after.to_bytes()) == after, mutant.hex()
    assert {"accepted", "STATE_HEADER", "STATE_PHASE", "STATE_ROSTER", "STATE_OCCUPANCY"} <= set(outcomes)
    assert outcomes["accepted"] < 3000
