"""States as bytes: nothing is lost, equal states have equal bytes, and whatever else is refused with its reason."""

import pickle
import random
from collections import Counter
from collections.abc import Mapping

import pytest

import engine_core
from engine_core import RefereeError, State, StateError
from engine_core.errors import RulesetUnavailable

from .faults import FAULTS, NAMES, Fault
from .layout import put_together, sealed, taken_apart
from .samples import OPEN_OPTIONS, OPTIONS, label, matches
from .scripted import ENDINGS, STYLES, near_goal, outside_ending, play_on, position, tell_engine

SEED = 3

BY_DECISION = ("resigned", "time", "abandonment", "ruling", "agreed-draw", "adjudicated")
BY_PLAY = {
    "hidden-hasami": ("objective-captured", "repetition", "ply-limit"),
    "luzhanqi-mini": ("flag-captured", "no-legal-move"),
    "salpakan-classic": ("flag-captured", "flag-reached", "ply-limit"),
    "hidden-capture-flag": ("flag-captured", "no-legal-move"),
    "capture-flag-tournament": ("flag-captured", "no-legal-move"),
    "capture-flag-barrage": ("flag-captured", "no-legal-move"),
    "gunjin-shogi": ("flag-captured", "headquarters-entered", "ply-limit"),
    "hasami-shogi": ("capture-threshold",),
    "dai-hasami-shogi": ("capture-threshold",),
    "mak-yek": ("capture-threshold",),
    "hasami-five": ("line-of-five", "ply-limit"),
}
"""Endings that random matches come to often enough."""

WITH_ARRANGEMENTS = sorted(set(engine_core.games()) - OPEN_OPTIONS.keys())


def round_trip(state: State) -> None:
    data = state.to_bytes()
    again = engine_core.decode(data)
    assert again == state
    assert again.to_bytes() == data
    assert put_together(taken_apart(data)) == data
    assert (again.pieces(), again.result, again.match_id) == (state.pieces(), state.result, state.match_id)
    assert [again.view(viewer) for viewer in (0, 1, 2, 255)] == [state.view(viewer) for viewer in (0, 1, 2, 255)]
    assert again.legal_moves() == state.legal_moves()


@pytest.mark.parametrize("game", sorted(BY_PLAY))
def test_round_trip(game: str) -> None:
    print(f"seed {SEED}")
    seen: Counter[str] = Counter()
    for states in matches(game, SEED, 40):
        for state in states:
            round_trip(state)
            seen[label(state)] += 1
            seen["an offer is open"] += bool(state.draw_agreed)
            seen["a claim is pending"] += state.view(engine_core.REFEREE).claim_pending
            seen["a match id of 32 bytes"] += len(state.match_id) == 32
        assert len({state.to_bytes() for state in states}) == len(states)
    wanted = [f"{game} {phase}" for phase in ("play",) + ("arrangement",) * (game in OPTIONS)]
    wanted += [f"{game} ended {reason}" for reason in (*BY_DECISION, *BY_PLAY[game])]
    wanted += ["an offer is open", "a match id of 32 bytes"]
    wanted += ["a claim is pending"] if "flag-reached" in BY_PLAY[game] else []
    assert [category for category in wanted if not seen[category]] == []


@pytest.mark.parametrize("game", sorted(BY_PLAY))
def test_no_written_state_is_refused(game: str) -> None:
    """Matches from positions of a few pieces, which come to more ends and to odder ones than whole armies do."""
    print(f"seed {SEED}")
    rng = random.Random(f"{SEED} few {game}")
    for number in range(3000):
        choices = {**OPTIONS, **OPEN_OPTIONS}[game]
        opening = position(game, choices[number % len(choices)], rng, most=rng.choice((2, 3, 5, 9)))
        if game == "salpakan-classic" and number % 3:
            opening = near_goal(opening, rng)
        states = [opening.state()]
        states += [turn.state for _, turn in play_on(states[0], rng, rng.choice(STYLES), rng.choice((10, 60)))]
        if states[-1].phase == "play" and not states[-1].draw_agreed:
            for action in outside_ending(rng, rng.choice(ENDINGS)):
                states.append(tell_engine(states[-1], action).state)
        for state in states:
            data = state.to_bytes()
            assert engine_core.decode(data) == state, data.hex()


RARE_ENDS: list[tuple[str, Mapping[int, Mapping[str, str]], str, str]] = [
    (
        "hidden-hasami",
        {1: {"a1": "leader", "c2": "guard"}, 2: {"g7": "leader", "b1": "guard"}},
        "c2c1",
        "capture-threshold",
    ),
    (
        "hidden-hasami",
        {1: {"a6": "leader", "b6": "guard", "c6": "guard"}, 2: {"a7": "leader", "b7": "guard"}},
        "c6c7",
        "no-legal-move",
    ),
    ("gunjin-shogi", {1: {"a1": "general"}, 2: {"i9": "mine"}}, "a1a2", "no-legal-move"),
    ("gunjin-shogi", {1: {"d8": "general"}, 2: {"d9": "flag", "a9": "spy"}}, "d8d9", "flag-captured"),
    ("luzhanqi-mini", {1: {"b7": "bomb"}, 2: {"b8": "flag", "a8": "soldier"}}, "b7b8", "flag-captured"),
    ("salpakan-classic", {1: {"b7": "flag"}, 2: {"b8": "flag", "a8": "spy"}}, "b7b8", "flag-captured"),
]


@pytest.mark.parametrize(("game", "pieces", "move", "reason"), RARE_ENDS)
def test_round_trip_of_rare_ends(game: str, pieces: Mapping[int, Mapping[str, str]], move: str, reason: str) -> None:
    state = engine_core.load(game).position(pieces, to_move=1).play(move).state
    assert state.result == ((1,), reason)
    round_trip(state)


def test_stuck_at_once() -> None:
    """The first seat has no move when play begins; nothing has been played."""
    state = engine_core.load("luzhanqi-mini").position({1: {"b1": "flag", "a1": "mine"}, 2: {"b8": "bomb"}}, to_move=1)
    assert (state.result, state.ply) == (((2,), "no-legal-move"), 0)
    round_trip(state)


def test_the_order_of_arranging_does_not_matter() -> None:
    for game_id in WITH_ARRANGEMENTS:
        game = engine_core.load(game_id)
        this = that = game.start()
        for seat in game.seats:
            this = this.arrange(seat, game.random_arrangement(seat, seed=SEED)).state
        for seat in reversed(game.seats):
            that = that.arrange(seat, dict(reversed(game.random_arrangement(seat, seed=SEED).items()))).state
        assert (this, this.to_bytes()) == (that, that.to_bytes())
        assert hash(this) == hash(that)


def test_the_length_says_nothing_of_kinds() -> None:
    for game_id in WITH_ARRANGEMENTS:
        game = engine_core.load(game_id)
        lengths = set()
        for seed in range(20):
            state = game.start()
            for seat in game.seats:
                state = state.arrange(seat, game.random_arrangement(seat, seed)).state
                lengths.add((seat, len(state.to_bytes())))
        assert len(lengths) == len(game.seats)


def test_pickle() -> None:
    state = play_of("hidden-hasami")
    assert pickle.loads(pickle.dumps(state)) == state


def test_match_ids() -> None:
    game = engine_core.load("hidden-hasami")
    for match_id in (b"", b"\0", bytes(range(32))):
        state = game.start(match_id=match_id)
        assert engine_core.decode(state.to_bytes()).match_id == match_id
    with pytest.raises(RefereeError):
        game.start(match_id=bytes(33))
    fields = taken_apart(game.start().to_bytes())
    fields.match_id = bytes(33)
    assert refusal(put_together(fields)) == "STATE_HEADER"


# Hand-made faults.


def play_of(game_id: str, **options: str) -> State:
    """A state in play after some random moves, battles or captures among them."""
    game, rng = engine_core.load(game_id, **options), random.Random(SEED)
    for seed in range(100):
        state = game.start()
        for seat in game.seats:
            state = state.arrange(seat, game.random_arrangement(seat, seed)).state
        while state.phase == "play" and state.ply < 40:
            state = state.play(rng.choice(state.legal_moves())).state
        if state.phase == "play" and state.view(engine_core.REFEREE).captured and state.last_move:
            return state
    raise AssertionError("no such match")


def refusal(data: bytes) -> str:
    """The reason for which bytes are refused."""
    try:
        engine_core.decode(data)
    except (StateError, RulesetUnavailable) as error:
        return error.reason
    return "accepted"


@pytest.mark.parametrize(("reason", "game", "options", "fault"), FAULTS)
def test_faults(reason: str, game: str, options: dict[str, str], fault: Fault) -> None:
    fields = taken_apart(play_of(game, **options).to_bytes())
    fault(fields)
    assert refusal(put_together(fields)) == reason


def test_every_reason_has_a_fault() -> None:
    tested = {reason for reason, *_ in FAULTS} | {"STATE_CHECKSUM", "STATE_LENGTH"}
    assert tested == set(StateError.REASONS)


def test_length_and_checksum() -> None:
    data = play_of("hidden-hasami").to_bytes()
    for wrong in (b"", b"\1", data[:40], data + b"\0", data[:-1], data[:1] + b"\xff\xff" + data[3:]):
        assert refusal(wrong) == "STATE_LENGTH"
    for place in (3, 20, len(data) // 2, len(data) - 5, len(data) - 1):
        assert refusal(data[:place] + bytes((data[place] ^ 1,)) + data[place + 1 :]) == "STATE_CHECKSUM"


@pytest.mark.parametrize("game", sorted(OPTIONS))
def test_cut_and_prolonged(game: str) -> None:
    """At every length, as it is and with length and checksum made right."""
    data = play_of(game).to_bytes()
    for size in range(len(data)):
        assert refusal(data[:size]) in ("STATE_LENGTH", "STATE_CHECKSUM")
        assert refusal(sealed(data[:size].ljust(3, b"\0"))) != "accepted" or size == len(data) - 4
    for extra in (b"\0", b"\1", b"\0\0", bytes(range(50))):
        assert refusal(sealed(data[:-4] + extra)) == "STATE_LENGTH"


@pytest.mark.parametrize(("names", "reason"), NAMES)
def test_names(names: list[bytes], reason: str) -> None:
    """The digest is that of hidden-hasami on 7x7, so other options name other rules."""
    data = engine_core.load("hidden-hasami").start().to_bytes()
    fields = taken_apart(data)
    body = data[4 + 1 + len(fields.names[0]) : -4]
    head = b"".join(bytes((len(name),)) + name for name in names)
    assert refusal(sealed(data[:3] + bytes((len(names),)) + head + body)) == reason


def test_options_have_one_order() -> None:
    game = engine_core.load("hidden-hasami", board="9x9", ply_limit=7)
    fields = taken_apart(game.start().to_bytes())
    assert sorted(fields.names) == [b"board=9x9", b"hidden-hasami", b"ply_limit=7"]
    swapped = taken_apart(game.start().to_bytes())
    swapped.names[1:] = reversed(swapped.names[1:])
    assert refusal(put_together(swapped)) == "STATE_HEADER"
    doubled = taken_apart(game.start().to_bytes())
    doubled.names.append(doubled.names[-1])
    assert refusal(put_together(doubled)) == "STATE_HEADER"


def test_other_rules_of_the_same_name() -> None:
    fields = taken_apart(engine_core.load("hidden-hasami").start().to_bytes())
    fields.digest = bytes(16)
    with pytest.raises(RulesetUnavailable) as caught:
        engine_core.decode(put_together(fields))
    assert caught.value.details == {"game": "hidden-hasami", "digest": "0" * 32}
