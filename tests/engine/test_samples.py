"""Samples are the states in which the viewer may be, all equally likely, and hypothetical for good."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

import engine_core
from engine_core import REFEREE, SPECTATOR, RefereeError, State
from engine_core import deduction as deduction_module
from engine_core import rest as rest_module
from engine_core.errors import ArrangementPending, InvalidViewer, MatchOver
from engine_core.ties import Tie, Ties

from .chi_square import statistic, threshold
from .consistent import Named
from .hidden_matches import GAMES
from .shared import playing
from .small_matches import MELEES, SMALL, Followed, borrowed, followed, watched

SEED = 21
HYPOTHETICAL = 4
"""The flag of a sample in the bytes of a state, and of knowledge."""


def kinds_of(state: State, seats: list[int]) -> Named:
    """The kind of each piece of some seats by seat and first square, captured ones too."""
    view = state.view(REFEREE)
    standing = [(s, o, k) for s, o, k in zip(view.seats, view.origins, view.kinds, strict=True) if s]
    names, kinds = state.game.squares, state.game.kinds
    gone = [(captured.seat, captured.origin, captured.kind) for captured in view.captured]
    return {(seat, names[start - 1]): kinds[kind - 1] for seat, start, kind in standing + gone if seat in seats}


def but_for_the_flag(real: bytes, hypothetical: bytes) -> bool:
    """Whether bytes differ in nothing but the flag of samples, and the checksum."""
    differing = [at for at in range(len(real) - 4) if real[at] != hypothetical[at]]
    return (
        len(real) == len(hypothetical)
        and len(differing) == 1
        and real[differing[0]] | HYPOTHETICAL == hypothetical[differing[0]] != real[differing[0]]
    )


def replayed(moment: Followed, kinds: Named) -> State | None:
    """The state of the match if it had been played with these kinds; None when it would have gone otherwise.

    That is when a seat would have had no move, or had one when it was passed over.
    """
    state = moment.opened.state(kinds)
    try:
        for move in moment.moves:
            state = state.play(move).state
    except RefereeError:
        return None
    return state if state.to_move == moment.state.to_move else None


def check(moment: Followed, sample: State, expected: list[Named]) -> bool:
    """Look at a sample from all sides; whether the match could be played with its kinds in the engine."""
    state, viewer = moment.state, moment.viewer
    assert sample.hypothetical
    assert sample.view(viewer) == state.view(viewer), moment.story
    assert but_for_the_flag(state.knowledge(viewer).to_bytes(), sample.knowledge(viewer).to_bytes()), moment.story
    kinds = kinds_of(sample, moment.consistent.hidden)
    assert kinds in expected, moment.story
    assert kinds_of(sample, list(state.game.seats)) == kinds_of(state, list(state.game.seats)) | kinds, moment.story
    played = replayed(moment, kinds)
    if played is None:
        return False
    # It is that state: claims, evidence and all that others may know.
    assert but_for_the_flag(played.to_bytes(), sample.to_bytes()), moment.story
    assert sample.legal_moves() == played.legal_moves()
    for seat in state.game.seats:
        assert sample.view(seat) == played.view(seat), moment.story
        assert but_for_the_flag(played.knowledge(seat).to_bytes(), sample.knowledge(seat).to_bytes()), moment.story
    return True


MATCHES = {**dict.fromkeys(GAMES, 14), **dict.fromkeys(SMALL, 3), "hidden-hasami": 5, "luzhanqi-four": 5}


@pytest.mark.parametrize("name", MATCHES)
def test_samples_are_states_that_could_be(name: str) -> None:
    print(f"seed {SEED}")
    seen: Counter[str] = Counter()
    for number in range(MATCHES[name]):
        rng = random.Random(f"{name} {SEED} {number}")
        for moment in followed(name, rng, plies=25):
            if rng.random() < 0.6:
                continue
            expected = moment.consistent.assignments(mover=moment.state.to_move or 0)
            for sample in moment.state.sample(moment.viewer, 4, rng.getrandbits(64)):
                seen["played"] += check(moment, sample, expected)
                seen["other"] += kinds_of(sample, [1, 2, 3, 4]) != kinds_of(moment.state, [1, 2, 3, 4])
    print(name, seen)
    assert seen["played"] >= 50
    assert seen["other"] >= 15


def equally_likely(matches: Iterator[Iterator[Followed]], enough: int) -> None:
    """Draw at the last moment of each match that has some hundred assignments at most, mostly after battles."""
    tested = 0
    for number, match in enumerate(matches):
        # The brute force goes on with the match, so what is left at a moment is asked for at once.
        left = [(moment, moment.consistent.assignments(mover=moment.state.to_move or 0)) for moment in match]
        left = [(moment, expected) for moment, expected in left if 2 <= len(expected) <= 150]
        if not left:
            continue
        moment, expected = left[-1]
        drawn = Counter(
            tuple(sorted(kinds_of(sample, moment.consistent.hidden).items()))
            for sample in moment.state.sample(moment.viewer, 30 * len(expected), seed=number)
        )
        outcomes = [tuple(sorted(kinds.items())) for kinds in expected]
        assert drawn.keys() <= set(outcomes), moment.story
        found = statistic([drawn[outcome] for outcome in outcomes], [1] * len(outcomes))
        assert found < threshold(len(outcomes)), (found, len(outcomes), moment.story)
        tested += 1
        if tested == enough:
            break
    assert tested == enough


@pytest.mark.parametrize("name", [*GAMES, "small-rails"])
def test_all_are_equally_likely(name: str) -> None:
    print(f"seed {SEED}")
    equally_likely((followed(name, random.Random(f"{name} {SEED} {n}"), plies=12) for n in range(40)), enough=3)


@pytest.mark.parametrize("name", MELEES)
def test_all_are_equally_likely_where_battles_tie_kinds(name: str) -> None:
    print(f"seed {SEED}")
    equally_likely((watched(name, random.Random(f"{name} {SEED} {n}"), plies=8) for n in range(20)), enough=4)


@pytest.mark.parametrize("name", [*MELEES, "gunjin-shogi-23"])
def test_all_are_equally_likely_when_ties_are_not_taken_apart(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then trees of ties are drawn, and what is left of a roster goes to the pieces without ties."""
    print(f"seed {SEED}")
    monkeypatch.setattr(deduction_module, "MAX_WORLDS", 1)
    play = borrowed if name == "gunjin-shogi-23" else watched
    equally_likely((play(name, random.Random(f"{name} {SEED} {n}"), plies=8) for n in range(40)), enough=8)


def test_ties_that_close_a_circle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each tie comes once more behind one that says nothing, so that no tree can have it."""
    print(f"seed {SEED}")

    def doubled(ties: Ties, domains: list[int]) -> list[Tie]:
        found = pairs(ties, domains)
        any_kind = [(1 << 32) - 1] * 32
        return [(one, two, any_kind, any_kind) for one, two, _, _ in found] + found

    pairs = Ties.pairs
    monkeypatch.setattr(deduction_module, "MAX_WORLDS", 1)
    monkeypatch.setattr(Ties, "pairs", doubled)
    name = "salpakan-classic"
    equally_likely((watched(name, random.Random(f"{name} {SEED} {n}"), plies=8) for n in range(20)), enough=4)


@pytest.mark.parametrize("table", [1 << 18, 1], ids=["all-untied-pieces", "those-that-are-alike"])
def test_pieces_without_ties_are_equally_likely(table: int, monkeypatch: pytest.MonkeyPatch) -> None:
    print(f"seed {SEED}")
    monkeypatch.setattr(deduction_module, "MAX_WORLDS", 1)
    monkeypatch.setattr(rest_module, "MAX_TABLE", table)
    name = "small-rails"
    equally_likely((followed(name, random.Random(f"{name} {SEED} {n}"), plies=12) for n in range(40)), enough=8)


def test_a_seat_to_move_that_could_not_is_left_out() -> None:
    game = engine_core.load("hidden-capture-flag")
    pieces = {1: {"a1": "flag", "e1": "miner"}, 2: {"a10": "bomb", "b10": "miner", "a9": "flag"}}
    placed = {}
    for to_move in (1, 2):
        state = game.position(pieces, to_move=to_move)
        assert state.deduce(1).count == 6
        placed[to_move] = {str(sample.pieces()[2]) for sample in state.sample(1, 300, seed=5)}
        assert {"miner"} < set(state.pieces()[2].values())
    # A miner on a10 has its own pieces on both sides.
    assert len(placed[1]) == 6
    assert placed[2] == {text for text in placed[1] if "'a10': 'miner'" not in text}
    assert len(placed[2]) == 4


@pytest.mark.parametrize("claim", ["silent", "announced"])
def test_a_flag_that_has_just_arrived_claims(claim: str) -> None:
    game = engine_core.load("salpakan-classic", claim=claim)
    pieces = {1: {"a5": "flag", "h8": "private"}, 2: {"d2": "private", "i7": "flag"}}
    state = game.position(pieces, to_move=2).play("d2d1").state
    samples = state.sample(1, 60, seed=8)
    arrived = Counter(sample.pieces()[2]["d1"] for sample in samples)
    assert set(arrived) == ({"private", "flag"} if claim == "silent" else {"private"})
    for sample in samples:
        claims = sample.pieces()[2]["d1"] == "flag"
        assert sample.view(2).claim_pending == claims
        assert not sample.view(1).claim_pending
        after = sample.play("a5a6").state
        assert (after.phase, after.result) == (("ended", ((2,), "flag-reached")) if claims else ("play", None))


@pytest.mark.parametrize("name", GAMES)
def test_hypothetical_for_good(name: str) -> None:
    state = playing(name, seed=2, plies=8)
    assert not state.hypothetical
    assert not engine_core.decode(state.to_bytes()).hypothetical
    for viewer in (SPECTATOR, 1):
        sample = state.sample(viewer, 1, seed=4)[0]
        rng = random.Random(SEED)
        for _ in range(20):
            assert sample.hypothetical
            read = engine_core.decode(sample.to_bytes())
            assert read == sample
            assert read.hypothetical
            assert sample.knowledge(1).hypothetical
            assert all(further.hypothetical for further in ([] if sample.result else sample.sample(1, 1, seed=1)))
            if sample.result:
                break
            sample = sample.play(rng.choice(sample.legal_moves())).state
        if sample.result is None:
            sample = sample.resign(1).state
        assert sample.hypothetical
        assert engine_core.decode(sample.to_bytes()).hypothetical


@pytest.mark.parametrize("name", GAMES)
def test_seeds(name: str) -> None:
    state = playing(name, seed=3, plies=6)
    for viewer in (SPECTATOR, 1, 2):
        found = {seed: state.sample(viewer, 3, seed) for seed in (0, 1, 2**64 - 1)}
        assert all(samples == state.knowledge(viewer).sample(3, seed) for seed, samples in found.items())
        assert len({tuple(samples) for samples in found.values()}) == 3
        assert len(set(found[0])) > 1
    assert state.sample(1, 0, seed=1) == []


def test_when_there_are_none() -> None:
    game = engine_core.load("luzhanqi-mini")
    state = game.start()
    with pytest.raises(ArrangementPending):
        state.sample(1, 1, seed=1)
    state = playing("luzhanqi-mini", seed=1, plies=2)
    with pytest.raises(InvalidViewer):
        state.sample(REFEREE, 1, seed=1)
    with pytest.raises(MatchOver):
        state.resign(1).state.sample(1, 1, seed=1)
