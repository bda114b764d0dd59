"""Target: the bytes of knowledge."""

from collections.abc import Iterable

import engine_core
from engine_core import Knowledge, StateError
from engine_core.errors import RulesetUnavailable
from fuzz import framing
from fuzz.conduct import ask_knowledge
from fuzz.target import Target, expect


def check(data: bytes) -> Iterable[str]:
    """Knowledge is refused with a reason, or written as it was read and fit for use."""
    try:
        knowledge = engine_core.decode(data)
    except (StateError, RulesetUnavailable) as error:
        return [f"{error.reason} {error.details.get('fault', '')}"]
    if not isinstance(knowledge, Knowledge):
        return ["state"]
    expect(knowledge.to_bytes() == data, "knowledge is written as it was read")
    deduced = ask_knowledge(knowledge)
    return [f"accepted {knowledge.game.id} {knowledge.viewer} {knowledge.hypothetical} {deduced}"]


TARGET = Target("knowledge", check, framing.mutate, ("engine_core.deduction", "engine_core.ties"))
