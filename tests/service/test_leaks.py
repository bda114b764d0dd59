"""The comparison of `test_noninterference` can fail: it finds each of the deliberate leaks."""

import random
import re
from functools import cache

import pytest
from conversation import Conversation
from engine.hidden_matches import pairs
from engine.indistinguishable import Pair, differing_steps, states_of
from leaks import LEAKS, Leak

import engine_core

SEED = 20261201


@cache
def some_pairs() -> list[Pair]:
    """Pairs of games with empty squares, silent claims, and battles that name nobody.

    Those with many captured pieces and those with none come in turn.
    """
    games = ("salpakan-classic", "gunjin-shogi")
    found = [pair for game in games for pair in pairs(game, SEED, 32, 4) if differing_steps(pair)]
    found.sort(key=lambda pair: len(states_of(pair.one, pair.steps)[0][-1].view(engine_core.REFEREE).captured))
    return [pair for ends in zip(reversed(found), found, strict=True) for pair in ends][: len(found)]


def finds(part: str) -> bool:
    """Whether the comparison reports a difference in this part of what leaves the server."""
    rng, conversation = random.Random(SEED), Conversation()
    for pair in some_pairs():
        found = [one for viewer in pair.viewers for one in conversation.compare(pair, viewer, rng)]
        if any(re.search(f"(differs in [a-z, ]*|counter ){part}", one) for one in [*found, *conversation.uncounted()]):
            return True
    return False


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: str(leak.__name__))
def test_leak_is_found(leak: Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    print(f"seed {SEED}")
    leak(monkeypatch)
    assert finds(LEAKS[leak])
