"""Claims that nobody hears of, among three seats: what follows when one has not ended the match.

Every way to give the hidden pieces their kinds is played from the start by the engine; those are left that go as the
match went for everybody.
"""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path

import pytest

from engine_core import REFEREE, SPECTATOR, Game, RefereeError, State
from engine_core.ruleset_file import read

SEED = 71
RELAY = Game(read(Path(__file__).parent / "rulesets" / "relay.toml").ruleset({}))
Pieces = dict[int, dict[str, str]]
GOALS = {1: ["a5", "b5", "c5", "d5", "e5"], 2: ["a1", "b1", "c1", "d1", "e1"], 3: ["a1", "a2", "a3", "a4", "a5"]}


def start(rng: random.Random) -> Pieces:
    """Two pieces of each seat, or three, mostly near its goal, and none on it."""
    pieces: Pieces = {seat: {} for seat in GOALS}
    free = list(RELAY.squares)
    for seat, goal in GOALS.items():
        for kind in rng.sample(["runner", "guard", "guard"], rng.choice((2, 3))):
            square = rng.choice([one for one in free if one not in goal])
            free.remove(square)
            pieces[seat][square] = kind
    return pieces


def ways(pieces: Pieces, hidden: list[int]) -> Iterator[Pieces]:
    """All ways to give the hidden seats' pieces their kinds."""
    orders = [
        sorted(set(permutations(men.values()))) if seat in hidden else [tuple(men.values())]
        for seat, men in pieces.items()
    ]
    for kinds in product(*orders):
        yield {seat: dict(zip(pieces[seat], own, strict=True)) for seat, own in zip(pieces, kinds, strict=True)}


def expected(left: list[Pieces]) -> dict[tuple[int, str], Counter[str]]:
    found: dict[tuple[int, str], Counter[str]] = {}
    for pieces in left:
        for seat, men in pieces.items():
            for square, kind in men.items():
                found.setdefault((seat, square), Counter())[kind] += 1
    return found


def compare(state: State, viewer: int, left: list[tuple[Pieces, State]], seen: Counter[str]) -> None:
    deduction, counts = state.deduce(viewer), expected([pieces for pieces, _ in left])
    story = (viewer, state.view(REFEREE).diagram(), state.to_bytes().hex())
    assert deduction.exact
    assert deduction.count == len(left), story
    for piece in deduction.pieces:
        assert dict(piece.counts) == counts[piece.seat, piece.origin], (piece, story)
        home = piece.square in GOALS[piece.seat]
        seen["arrived, undecided"] += home and len(piece.kinds) == 2
        seen["arrived, a guard"] += home and piece.kinds == ("guard",)
    for sample in state.sample(viewer, 3, seed=SEED):
        assert sample.view(viewer) == state.view(viewer)
        assert sample.pieces() in [other.pieces() for _, other in left]
        claims = [sample.view(seat).claim_pending for seat in GOALS]
        assert claims in [
            [other.view(seat).claim_pending for seat in GOALS] for _, other in left if other.pieces() == sample.pieces()
        ]


@pytest.mark.parametrize("viewer", [SPECTATOR, 1, 2, 3])
def test_what_a_silent_claim_tells(viewer: int) -> None:
    print(f"seed {SEED}")
    rng, seen = random.Random(f"{SEED} {viewer}"), Counter[str]()
    for _ in range(60):
        pieces, first = start(rng), rng.choice(list(GOALS))
        state = RELAY.position(pieces, to_move=first)
        hidden = [seat for seat in GOALS if seat != viewer]
        left = [(other, RELAY.position(other, to_move=first)) for other in ways(pieces, hidden)]
        for _ in range(14):
            moves = state.legal_moves()
            goal = GOALS[state.to_move or 0]
            home = [move for move in moves if str(move)[2:] in goal and str(move)[:2] not in goal]
            action: tuple[str, int | str]
            if rng.random() < 0.04:
                action = "resign", rng.choice([seat for seat in GOALS if seat not in state.out])
            else:
                action = "play", str(rng.choice(home if home and rng.random() < 0.7 else moves))
            turn = getattr(state, action[0])(action[1])
            state = turn.state
            if state.phase != "play":
                break
            left = [(other, after) for other, after in follow(left, action) if after.view(SPECTATOR) == state.view(0)]
            compare(state, viewer, left, seen)
    print(seen)
    assert seen["arrived, undecided"] >= 30
    assert seen["arrived, a guard"] >= 30


def follow(left: list[tuple[Pieces, State]], action: tuple[str, int | str]) -> Iterator[tuple[Pieces, State]]:
    for pieces, state in left:
        try:
            after = getattr(state, action[0])(action[1]).state
        except RefereeError:
            continue
        if after.phase == "play":
            yield pieces, after
