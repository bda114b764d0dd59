"""Perft of every game: move sequences and information states, from the committed files of tests/perft.

The files hold nothing but what the oracle has counted and what rules.md states. Every run compares the engine with the
files and the oracle with their first depths; the slow run has the oracle count all that they say it has counted.
"""

import re

import pytest
from oracle import Match
from oracle.information import information_states as states_in_oracle

import engine_core
from engine_core import State

from .information_states import information_states
from .perft_file import FOLDER, Vector, read
from .shared import SHARED, needs_shared

VECTORS = [vector for path in sorted(FOLDER.glob("*.perft")) for vector in read(path)]

SHORT_PLAYING = 3_000
"""Sequences that are counted by playing them one by one, too."""
SHORT_VIEWS = 400
"""Sequences of each of the twins at whose ends the engine's views are compared in every run."""
SHORT_ORACLE = 60
"""Sequences that the oracle plays in every run."""


def name_of(vector: Vector) -> str:
    return f"{vector.game}:{vector.id}"


def named(vectors: list[Vector]) -> list[object]:
    return [pytest.param(vector, id=name_of(vector)) for vector in vectors]


def depth_below(vector: Vector, sequences: int, most: int) -> int:
    """The depths, up to `most`, that have no more than so many sequences."""
    return next((depth for depth, count in enumerate(vector.moves[:most]) if count > sequences), most)


def test_every_game_has_its_file() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.perft")) == engine_core.games()
    for game in engine_core.games():
        own = [vector for vector in VECTORS if vector.game == game]
        assert len({vector.id for vector in own}) == len(own) >= 8
        hidden = not engine_core.load(game).ruleset.perfect_information
        assert all(bool(vector.views) == hidden for vector in own)


@pytest.mark.parametrize("vector", named(VECTORS))
def test_every_number_has_a_source(vector: Vector) -> None:
    assert vector.moves
    assert len(vector.moves) == vector.oracle_moves or vector.rules
    assert all(len(counts) == vector.oracle_views + 1 for counts in vector.views.values())
    assert vector.oracle_views <= vector.oracle_moves


@needs_shared
def test_the_numbers_of_the_rules() -> None:
    """Every row of the table in section 15, to its last depth."""
    text = (SHARED.parent / "rules.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([A-Z]{2}\d+) ([a-z0-9-]+)[^|]*\| ([\d ,]+) \|$", text, re.MULTILINE)
    stated = {name: (game, [int(count.replace(" ", "")) for count in counts.split(",")]) for name, game, counts in rows}
    assert len(stated) == 16
    assert {vector.rules: (vector.game, list(vector.moves)) for vector in VECTORS if vector.rules} == stated


@pytest.mark.parametrize("vector", named(VECTORS))
def test_move_sequences(vector: Vector) -> None:
    state = vector.states()[0]
    counts = [engine_core.perft(state, depth) for depth in range(1, len(vector.moves) + 1)]
    assert counts == list(vector.moves)


@pytest.mark.parametrize("vector", named(VECTORS))
def test_sequences_counted_by_playing(vector: Vector) -> None:
    """Through `legal_moves` and `play`, which are other code than perft's."""

    def sequences(state: State, depth: int) -> int:
        moves = state.legal_moves()
        return len(moves) if depth == 1 else sum(sequences(state.play(move).state, depth - 1) for move in moves)

    depth = depth_below(vector, SHORT_PLAYING, len(vector.moves))
    assert sequences(vector.states()[0], depth) == vector.moves[depth - 1]


@pytest.mark.parametrize("vector", named([vector for vector in VECTORS if vector.views]))
def test_information_states(vector: Vector) -> None:
    compare_views(vector, depth_below(vector, SHORT_VIEWS, vector.oracle_views))


@pytest.mark.slow
@pytest.mark.parametrize("vector", named([vector for vector in VECTORS if vector.views]))
def test_all_information_states(vector: Vector) -> None:
    compare_views(vector, vector.oracle_views)


def compare_views(vector: Vector, depth: int) -> None:
    counts = information_states(vector.states(), depth, vector.views)
    assert counts == {viewer: known[: depth + 1] for viewer, known in vector.views.items()}


@pytest.mark.parametrize("vector", named(VECTORS))
def test_the_oracle_counts_the_same(vector: Vector) -> None:
    """The last depth of `moves` needs no playing, only the legal moves before it."""
    shallow = depth_below(vector, SHORT_ORACLE, vector.oracle_moves)
    ask_the_oracle(vector, min(shallow + 1, vector.oracle_moves), min(shallow, vector.oracle_views))


@pytest.mark.slow
@pytest.mark.parametrize("vector", named(VECTORS))
def test_the_oracle_counts_all_that_it_is_named_for(vector: Vector) -> None:
    ask_the_oracle(vector, vector.oracle_moves, vector.oracle_views)


def ask_the_oracle(vector: Vector, moves: int, views: int) -> None:
    def sequences(match: Match, depth: int) -> int:
        if depth == 1:
            return len(match.legal_moves())
        total = 0
        for move in match.legal_moves():
            after = match.clone()
            after.play(move)
            total += sequences(after, depth - 1)
        return total

    starts = vector.matches()
    assert tuple(sequences(starts[0].match, depth) for depth in range(1, moves + 1)) == vector.moves[:moves]
    viewers = {viewer or "spectator": known[: views + 1] for viewer, known in vector.views.items()}
    assert states_in_oracle(starts, views, viewers) == viewers
