"""Knowledge as a value: what it answers, its bytes, and what is refused."""

import pickle
import random
from collections import Counter
from collections.abc import Iterator

import pytest

import engine_core
from engine_core import REFEREE, SPECTATOR, Knowledge, RefereeError, State, StateError
from engine_core.errors import ArrangementPending, InvalidViewer, MatchOver, RulesetUnavailable

from .hidden_matches import GAMES, OF_MANY_SEATS, OPEN_GAMES, PLANS, base_match, choices
from .indistinguishable import states_of
from .mutants import damaged
from .shared import playing

SEED = 31
MUTANTS = 1_000
"""Of each game."""


def states(name: str, seed: int, matches: int) -> Iterator[State]:
    """Some states of random matches with every choice of options, in all phases."""
    print(f"seed {seed}")
    rng = random.Random(f"{name} {seed}")
    plans = (*PLANS, *OF_MANY_SEATS) if len(engine_core.load(name).seats) > 2 else PLANS
    for number in range(matches):
        options = choices(name)[number % len(choices(name))]
        line, _ = base_match(name, options, rng, plans[number % len(plans)])
        found, _ = states_of(line, len(line.actions))
        yield from {found[0], found[-1], *rng.sample(found, min(4, len(found)))}


@pytest.mark.parametrize("name", GAMES)
def test_it_answers_as_the_match_does(name: str) -> None:
    seen: Counter[str] = Counter()
    for state in states(name, SEED, (3 if len(engine_core.load(name).seats) == 2 else 1) * len(PLANS)):
        for viewer in (SPECTATOR, *state.game.seats):
            knowledge = state.knowledge(viewer)
            data = knowledge.to_bytes()
            again = engine_core.decode(data)
            assert isinstance(again, Knowledge)
            assert again == knowledge
            assert hash(again) == hash(knowledge)
            assert again.to_bytes() == data
            for one in (knowledge, again):
                assert (one.viewer, one.game, one.match_id) == (viewer, state.game, state.match_id)
                assert (one.ply, one.to_move, one.hypothetical) == (state.ply, state.to_move, False)
                assert one.view() == state.view(viewer), (viewer, state.to_bytes().hex())
                assert one.legal_moves() == (state.legal_moves() if state.to_move == viewer else [])
            seen[state.phase] += 1
            seen["to move"] += state.to_move == viewer
            seen["claim"] += knowledge.view().claim_pending
            if state.phase == "play" and seen["deduced"] < 150:
                seen["deduced"] += 1
                found, other = knowledge.deduce(), again.deduce()
                assert (found.count, found.exact, found.pieces) == (other.count, other.exact, other.pieces)
                assert again.sample(2, seed=3) == state.sample(viewer, 2, seed=3)
    print(name, seen)
    assert min(seen[phase] for phase in ("arrangement", "play", "ended")) >= 20
    assert seen["to move"] >= 20
    assert (seen["claim"] > 0) == (name == "salpakan-classic")


@pytest.mark.parametrize("name", OPEN_GAMES)
def test_where_nothing_is_hidden(name: str) -> None:
    state = playing(name, seed=1, plies=20)
    for viewer in (SPECTATOR, 1, 2):
        knowledge = state.knowledge(viewer)
        assert engine_core.decode(knowledge.to_bytes()) == knowledge
        assert knowledge.view() == state.view(viewer)
        deduction = knowledge.deduce()
        assert (deduction.count, deduction.exact, deduction.pieces) == (1, True, ())
        (sample,) = knowledge.sample(1, seed=1)
        assert sample.hypothetical
        assert sample.pieces() == state.pieces()


@pytest.mark.parametrize("name", ["luzhanqi-mini", "luzhanqi-four", "gunjin-shogi-23"])
def test_it_is_bound_to_its_viewer_and_its_match(name: str) -> None:
    game = engine_core.load(name)

    def started(match_id: bytes) -> State:
        state = game.start(match_id=match_id)
        for seat in game.seats:
            state = state.arrange(seat, game.random_arrangement(seat, seed=1)).state
        return state

    one, two = started(b"one"), started(b"two")
    held = [state.knowledge(viewer) for state in (one, two) for viewer in (SPECTATOR, *game.seats)]
    assert len({knowledge.to_bytes() for knowledge in held}) == len(held)
    assert len(set(held)) == len(held)
    assert pickle.loads(pickle.dumps(held)) == held
    assert held[0] != one
    assert one.knowledge(1) == started(b"one").knowledge(1)


@pytest.mark.parametrize("name", GAMES)
def test_what_others_have_arranged_is_not_in_it(name: str) -> None:
    """Whatever they have placed, and wherever: before play everybody else's knowledge is the same."""
    game = engine_core.load(name)
    last = game.seats[-1]
    ready = game.start()
    for seat in game.seats[:-1]:
        held = {
            ready.arrange(seat, game.random_arrangement(seat, seed)).state.knowledge(viewer).to_bytes()
            for seed in range(8)
            for viewer in (SPECTATOR,)
        }
        assert len(held) == 1
        for viewer in game.seats:
            held = {
                ready.arrange(seat, game.random_arrangement(seat, seed)).state.knowledge(viewer).to_bytes()
                for seed in range(8)
            }
            assert (len(held) == 1) == (viewer != seat)
        ready = ready.arrange(seat, game.random_arrangement(seat, 1)).state
    assert ready.phase == "arrangement"
    # Once play has begun everybody knows the squares; where all of the zone is filled that tells nothing.
    begun = [ready.arrange(last, game.random_arrangement(last, seed)).state for seed in range(8)]
    by_squares = {frozenset(state.pieces()[last]) for state in begun}
    assert len({state.knowledge(1).to_bytes() for state in begun}) == len(by_squares)


@pytest.mark.parametrize("viewer", [SPECTATOR, 1, 2])
def test_it_is_there_in_every_phase_but_deduction_works_in_play(viewer: int) -> None:
    game = engine_core.load("luzhanqi-mini", reveal_at_end="on")
    state = game.start().arrange(1, game.random_arrangement(1, 1)).state
    for ask in (state.knowledge(viewer).deduce, lambda: state.sample(viewer, 1, 1), lambda: state.deduce(viewer)):
        with pytest.raises(ArrangementPending) as refused:
            ask()
        assert refused.value.reason == "ARRANGEMENT_PENDING"
    ended = state.arrange(2, game.random_arrangement(2, 1)).state.resign(1).state
    knowledge = ended.knowledge(viewer)
    # At this end everything is revealed.
    assert knowledge.view().kinds == ended.view(REFEREE).kinds
    assert engine_core.decode(knowledge.to_bytes()) == knowledge
    for ask in (knowledge.deduce, lambda: ended.sample(viewer, 1, 1), lambda: ended.deduce(viewer)):
        with pytest.raises(MatchOver):
            ask()


@pytest.mark.parametrize("viewer", [SPECTATOR, 2])
def test_an_announced_claim_is_known_to_all(viewer: int) -> None:
    game = engine_core.load("salpakan-classic", claim="announced")
    pieces = {1: {"e7": "flag", "a2": "private"}, 2: {"e1": "spy", "a8": "private", "d8": "spy"}}
    state = game.position(pieces, to_move=1).play("e7e8").state
    assert state.view(viewer).claim_pending
    assert state.knowledge(viewer).view() == state.view(viewer)


@pytest.mark.parametrize(
    ("name", "viewers"), [("luzhanqi-mini", (REFEREE, -1, 3, 256)), ("luzhanqi-four", (REFEREE, 5))]
)
def test_nobody_else_holds_any(name: str, viewers: tuple[int, ...]) -> None:
    state = playing(name, seed=1, plies=1)
    for viewer in viewers:
        for ask in (state.knowledge, state.deduce, lambda viewer: state.sample(viewer, 1, 1)):
            with pytest.raises(InvalidViewer) as refused:
                ask(viewer)
            assert refused.value.reason == "INVALID_VIEWER"


def test_it_is_made_from_a_state_or_from_bytes_alone() -> None:
    with pytest.raises(TypeError):
        Knowledge()
    knowledge = playing("luzhanqi-mini", seed=1, plies=3).knowledge(1)
    with pytest.raises(AttributeError):
        knowledge.viewer = 2  # type: ignore[misc]


def names_end(data: bytes) -> int:
    """Where the match id begins."""
    place = 4
    for _ in range(data[3]):
        place += 1 + data[place]
    return place + 16


def use(found: State | Knowledge) -> str:
    """Nothing that can be asked of knowledge may fail but with a reason; what came of it."""
    if isinstance(found, State):
        return "state"
    found.view().diagram()
    assert found.legal_moves() == [] or found.to_move == found.viewer
    try:
        deduction = found.deduce()
        assert deduction.count >= 1
        assert len(deduction.pieces) == found.kinds().count(0)
        found.sample(1, seed=1)
    except RefereeError as error:
        return f"accepted: {error.reason}"
    return "accepted"


@pytest.mark.parametrize("name", [*GAMES, "hasami-shogi"])
def test_damaged_bytes(name: str) -> None:
    """Length and checksum are made right again: refused with a reason, or exactly what the bytes say, and safe."""
    rng = random.Random(f"{name} {SEED}")
    if name in OPEN_GAMES:
        originals = [playing(name, seed=1, plies=plies).knowledge(1).to_bytes() for plies in (0, 9, 30)]
    else:
        held = [(state, viewer) for state in states(name, SEED + 1, 12) for viewer in (SPECTATOR, *state.game.seats)]
        originals = [state.knowledge(viewer).to_bytes() for state, viewer in rng.sample(held, 60)]
    outcomes: Counter[str] = Counter()
    for _ in range(MUTANTS):
        original = rng.choice(originals)
        mutant = damaged(original, names_end(original), rng.choice(originals), rng)
        if mutant == original:
            continue
        try:
            found = engine_core.decode(mutant)
        except (StateError, RulesetUnavailable) as error:
            outcomes[error.reason] += 1
            continue
        assert found.to_bytes() == mutant, mutant.hex()
        outcomes[use(found)] += 1
    print(name, outcomes)
    assert outcomes["accepted"] >= 1
    assert {"STATE_EVIDENCE", "STATE_HEADER", "STATE_PHASE", "STATE_ROSTER"} <= outcomes.keys() or name in OPEN_GAMES
    assert "STATE_CHECKSUM" not in outcomes
