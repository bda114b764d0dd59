"""Recorded games replayed ply by ply: legal-move counts, battles, boards, results, and the moves that restrictions bar.

A part runs always; the whole runs with `-m slow`. Without the shared data the sample in tests/data is replayed.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import engine_core
from engine_core import State
from engine_core.events import MatchEnded, Moved

from .shared import HAVE_SHARED, Record, by_seat, needs_shared, params, recorded_games, result_of, sample_games

BATTLES = {"A": "attacker", "D": "defender", "B": "both"}
LETTERS = {
    "marshal": "M", "general": "G", "colonel": "C", "major": "J", "captain": "P", "lieutenant": "L",
    "sergeant": "T", "miner": "N", "scout": "S", "spy": "Y", "bomb": "B", "flag": "F",
}  # fmt: skip
RESTRICTED = {"two_squares": "3", "more_squares": "on"}

ENGINE_GAMES = recorded_games("capture_flag_games.jsonl.gz")
FULL_GAMES = recorded_games("yorktown_games.jsonl.gz")
ENDGAMES = recorded_games("yorktown_sparse.jsonl.gz")


def split(games: Sequence[Record], step: int) -> list[Any]:
    """Every `step`-th game as it is, the others marked slow."""
    if not games:
        return params(games)
    return [
        pytest.param(game, id=game["id"], marks=[pytest.mark.slow] if place % step else [])
        for place, game in enumerate(games)
    ]


def start(recorded: Record, **options: str) -> State:
    game = engine_core.load(recorded["game"], **options)
    return game.position(by_seat(recorded["pieces"]), to_move=recorded["to_move"])


def replay(recorded: Record) -> None:
    state = start(recorded)
    battles, kinds = [], []
    for ply, (move, count) in enumerate(zip(recorded["moves"].split(), recorded["legal_counts"], strict=True), 1):
        assert (ply, len(state.legal_moves())) == (ply, count)
        assert state.result is None
        turn = state.play(move)
        event = turn.events[0]
        assert isinstance(event, Moved)
        assert (event.ply, event.seat, event.source + event.target) == (ply, state.to_move, move)
        if event.outcome != "move":
            battles.append([ply, event.outcome])
            kinds.append(LETTERS[str(event.attacker)] + LETTERS[str(event.defender)])
            assert turn.battle == BATTLES[event.outcome[0]]
            fallen = {"A": [event.target], "D": [event.source], "B": [event.source, event.target]}
            assert set(turn.captured) == set(fallen[event.outcome[0]])
        else:
            assert (turn.battle, turn.captured, event.attacker, event.defender) == (None, [], None, None)
        state = turn.state
    assert state.ply == recorded["plies"]
    assert battles == recorded["battles"]
    assert " ".join(kinds) == recorded["battle_kinds"]
    assert state.pieces() == by_seat(recorded["final_board"])
    assert state.result == result_of(recorded["result"])
    if state.result is not None:
        assert turn.events[-1] == MatchEnded(*state.result)


def barred_moves(recorded: Record) -> Iterator[tuple[int, str, set[str], set[str]]]:
    """Ply, move, the moves of the plain game, and the moves with the restrictions; up to the first that is barred."""
    plain, restricted = start(recorded), start(recorded, **RESTRICTED)
    for ply, move in enumerate(recorded["moves"].split(), 1):
        free, left = set(map(str, plain.legal_moves())), set(map(str, restricted.legal_moves()))
        yield ply, move, free, left
        if move not in left:
            with pytest.raises(engine_core.RefereeError) as refused:
                restricted.play(move)
            assert refused.value.reason == "ILLEGAL_MOVE"
            return
        plain, restricted = plain.play(move).state, restricted.play(move).state


def check_restrictions(recorded: Record) -> None:
    forbidden: dict[str, set[str]] = {}
    first = None
    for ply, move, free, left in barred_moves(recorded):
        assert left <= free
        if free - left:
            forbidden[str(ply)] = free - left
        if move not in left:
            first = ply
    assert forbidden == {ply: set(moves.split()) for ply, moves in recorded["forbidden"].items()}
    assert first == recorded["first_forbidden_move"]


@pytest.mark.parametrize("recorded", split(ENGINE_GAMES, 4))
def test_engine_game(recorded: Record) -> None:
    replay(recorded)


@pytest.mark.parametrize("recorded", split(ENGINE_GAMES, 4))
def test_restrictions_of_an_engine_game(recorded: Record) -> None:
    check_restrictions(recorded)


@pytest.mark.parametrize("recorded", split(FULL_GAMES, 4))
def test_random_game(recorded: Record) -> None:
    replay(recorded)


@pytest.mark.parametrize("recorded", split(ENDGAMES, 4))
def test_random_endgame(recorded: Record) -> None:
    replay(recorded)


@pytest.mark.parametrize("recorded", params(sample_games()))
def test_sample_in_the_repository(recorded: Record) -> None:
    replay(recorded)


def test_the_sample_is_what_its_readme_says() -> None:
    games = sample_games()
    assert [game["id"][:2] for game in games] == ["ys"] * 6 + ["yt"] * 6
    assert {game["result"]["reason"] for game in games} == {"flag-captured", "no-legal-move"}
    assert {game["result"]["winner"] for game in games} == {1, 2}
    assert {game["policy"] for game in games} == {game["policy"] for game in FULL_GAMES or games}
    if HAVE_SHARED:
        originals = {game["id"]: game for game in FULL_GAMES + ENDGAMES}
        assert [originals[game["id"]] for game in games] == games


@needs_shared
def test_no_recorded_game_is_left_out() -> None:
    hidden = [game for game in ENGINE_GAMES if game["game"] == "hidden-capture-flag"]
    assert (len(hidden), len(FULL_GAMES), len(ENDGAMES)) == (83, 100, 100)
    assert sum(game["plies"] for game in FULL_GAMES) == 97_459
    assert sum(game["plies"] for game in ENDGAMES) == 7_804
    assert any(game["forbidden"] for game in ENGINE_GAMES[::4])
