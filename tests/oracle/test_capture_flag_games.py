"""The oracle against recorded capture-flag games, as such and with both restrictions."""

from collections.abc import Iterator
from typing import Any

import pytest

from . import Match, game
from .shared_data import FOLDER, by_seat, games, needs_data

Recorded = dict[str, Any]

PLAIN = {"two_squares": "off", "more_squares": "off"}
RESTRICTED = {"two_squares": "3", "more_squares": "on"}
SAMPLE_STEP = 16


def sample(file: str, step: int) -> list[Any]:
    chosen = games(file)[::step] if FOLDER.is_dir() else []
    return [pytest.param(recorded, id=recorded["id"]) for recorded in chosen]


def replay(recorded: Recorded, options: dict[str, str]) -> Iterator[tuple[int, str, Match]]:
    """The match before each ply, with the number of the ply and its move."""
    rules = game(recorded["game"], options)
    match = rules.position(by_seat(recorded["pieces"]), recorded["to_move"])
    for number, move in enumerate(recorded["moves"].split(), 1):
        yield number, move, match
        match.play(move)


def check_plain(recorded: Recorded) -> None:
    letters = recorded["battle_kinds"]
    code = {"marshal": "M", "general": "G", "colonel": "C", "major": "J", "captain": "P"}
    code |= {"lieutenant": "L", "sergeant": "T", "miner": "N", "scout": "S", "spy": "Y"}
    code |= {"bomb": "B", "flag": "F"}
    counts, last = [], None
    for _, _, match in replay(recorded, PLAIN):
        counts.append(len(match.legal_moves()))
        last = match
    assert last is not None
    assert counts == recorded["legal_counts"]
    battles = [entry for entry in last.public_record() if entry[0] == "move" and entry[5] != "move"]
    assert [[entry[1], entry[5]] for entry in battles] == recorded["battles"]
    named = "".join(code[kind] for entry in battles for kind in entry[7])
    assert named == letters.replace(" ", "")
    final: dict[str, dict[str, str]] = {"1": {}, "2": {}}
    for name, (seat, kind) in last.board().items():
        final[str(seat)][name] = kind
    assert final == recorded["final_board"]
    expected = recorded["result"]
    assert last.result == ((frozenset({expected["winner"]}), expected["reason"]) if expected else None)


def check_restricted(recorded: Recorded) -> None:
    """Replayed without restrictions, since the last move breaks one; a second match has them."""
    restricted = game(recorded["game"], RESTRICTED).position(by_seat(recorded["pieces"]), recorded["to_move"])
    forbidden, first_forbidden = {}, None
    for number, move, match in replay(recorded, PLAIN):
        barred = match.legal_moves() - restricted.legal_moves()
        if barred:
            forbidden[str(number)] = barred
        if move in barred:
            first_forbidden = number
            break
        restricted.play(move)
    assert forbidden == {
        ply: set(moves.split()) if isinstance(moves, str) else set(moves)
        for ply, moves in recorded["forbidden"].items()
    }
    assert first_forbidden == recorded["first_forbidden_move"]


@needs_data
@pytest.mark.parametrize("recorded", sample("capture_flag_games.jsonl.gz", SAMPLE_STEP))
def test_engine_game(recorded: Recorded) -> None:
    check_plain(recorded)
    check_restricted(recorded)


@needs_data
@pytest.mark.parametrize("recorded", sample("yorktown_games.jsonl.gz", SAMPLE_STEP))
def test_random_game(recorded: Recorded) -> None:
    check_plain(recorded)


@needs_data
@pytest.mark.parametrize("recorded", sample("yorktown_sparse.jsonl.gz", SAMPLE_STEP))
def test_random_endgame(recorded: Recorded) -> None:
    check_plain(recorded)
