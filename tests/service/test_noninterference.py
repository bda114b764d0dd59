"""What leaves the service for a viewer is a function of what that viewer may know.

Pairs of matches that differ inside, but not in the records of the oracle for one viewer, are taken through the whole
API in two servers: answers byte for byte, errors with their details, log lines, spans and counters have to be equal.
"""

import random
from collections import Counter

import pytest
from attempts import AMONG_MANY, REASONS
from contract import METHODS
from conversation import Conversation
from engine.hidden_matches import GAMES, pairs
from engine.indistinguishable import differing_steps, states_of
from engine.tally import Tally

import engine_core

SEED = 20261130
TWINS = 4
PAIRS = 1000
"""Pairs of states that differ inside, each for one viewer: at least so many of each game."""
MATCHES = 200
"""By then every category must have been compared."""
SLOW_PAIRS = 12_000


def compared(game: str, seed: int, least: int, matches: int) -> Tally:
    """Compare the answers to pairs of matches of a game until nothing is left out."""
    print(f"seed {seed}")
    tally, rng, conversation = Tally(), random.Random(f"{seed} service {game}"), Conversation()
    conversation.rules(game)
    for pair in pairs(game, seed, matches, TWINS):
        differing = differing_steps(pair)
        if not differing:
            continue
        states, _ = states_of(pair.one, pair.steps)
        for viewer in pair.viewers:
            found = conversation.compare(pair, viewer, rng)
            assert not found, (found[:3], viewer, pair.told())
            tally.note(pair, viewer, states, differing)
        if tally.pairs >= least and not left_out(game, tally, conversation):
            break
    print(game, tally.pairs, sorted(conversation.methods.items()), sorted(conversation.reasons.items()))
    assert left_out(game, tally, conversation) == []
    assert tally.pairs >= least
    assert conversation.uncounted() == []
    assert "SERVER_FAULT" not in conversation.reasons
    return tally


def left_out(game: str, tally: Tally, conversation: Conversation) -> list[str]:
    """Phases, viewers and options, methods and reasons that have not been compared.

    That every ending and every claim is, the engine's test sees to.
    """
    wanted = [
        category for category in tally.missing(game) if not category.startswith(("ended ", "own claim", "silent"))
    ]
    wanted += [path for path in METHODS if not conversation.methods[path]]
    reasons: Counter[str] = conversation.reasons
    many = AMONG_MANY if len(engine_core.load(game).seats) > 2 else ()
    return wanted + [reason for reason in (*REASONS, *many) if not reasons[reason]]


@pytest.mark.parametrize("game", GAMES)
def test_equal_knowledge_gets_equal_bytes(game: str) -> None:
    compared(game, SEED, PAIRS, MATCHES)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_equal_knowledge_gets_equal_bytes_at_length(game: str) -> None:
    compared(game, SEED + 10, SLOW_PAIRS, 20 * MATCHES)
