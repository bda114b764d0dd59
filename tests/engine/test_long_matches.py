"""The limit of the memory for repetitions, in both referees: 4,095 moves without a capture."""

import random
from collections import Counter

import oracle
import pytest

import engine_core

from .oracle_comparison import loaded
from .placing import Pieces

MEMORY = 4_095
HASAMI: Pieces = {1: {"a1": "stone", "e5": "stone"}, 2: {"i9": "stone", "c7": "stone"}}
HIDDEN: Pieces = {1: {"a1": "leader", "e5": "guard"}, 2: {"g7": "leader", "c6": "guard"}}


@pytest.mark.parametrize(
    ("name", "options", "pieces", "drawn"),
    [
        ("hidden-hasami", {}, HIDDEN, True),
        ("hasami-shogi", {"repetition": "4"}, HASAMI, True),
        ("hasami-shogi", {"repetition": "off"}, HASAMI, False),
    ],
)
def test_moves_without_a_capture(name: str, options: dict[str, str], pieces: Pieces, drawn: bool) -> None:
    """No capture, and no position more than twice. The limit belongs to the rule on repetition."""
    game, rules = engine_core.load(name, **options), oracle.game(name, options)
    duel = loaded(game, rules, f"{name} {options}", pieces=pieces, to_move=1)
    generator = random.Random(f"{name} {options}")
    stood: Counter[tuple[int, int]] = Counter([(duel.match.position.key, 2)])
    while duel.match.phase == "play" and duel.match.ply < MEMORY + 20:
        position, seat = duel.match.position, duel.match.to_move
        assert seat is not None
        for move in generator.sample(duel.moves, len(duel.moves)):
            squares = rules.board.move_squares[move]
            after = position.copy()
            turn = rules.contact.carry_out(after, seat, *squares)
            if not turn.captured and stood[after.key, seat] < 2:
                break
        stood[after.key, seat] += 1
        duel.play(move)
    assert duel.match.ply == (MEMORY if drawn else MEMORY + 20)
    assert duel.match.result == ((frozenset(), "ply-limit") if drawn else None)
