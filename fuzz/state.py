"""Target: the bytes of a state."""

from collections.abc import Iterable

import engine_core
from engine_core import State, StateError
from engine_core.errors import RulesetUnavailable
from fuzz import framing
from fuzz.conduct import ask_state
from fuzz.target import Target, expect

OLD_VERSION = 1


def check(data: bytes) -> Iterable[str]:
    """A state is refused with a reason, or written as it was read and fit for use."""
    try:
        state = engine_core.decode(data)
    except (StateError, RulesetUnavailable) as error:
        return [f"{error.reason} {error.details.get('fault', '')}"]
    if not isinstance(state, State):
        return ["knowledge"]
    if data[0] != OLD_VERSION:
        expect(state.to_bytes() == data, "a state is written as it was read")
    ask_state(state)
    return [
        f"accepted {state.game.id} {data[0]} {state.phase} {state.result and state.result.reason}",
        f"accepted {state.game.id} {len(state.arranged)} {state.out} {state.draw_agreed} {state.hypothetical}",
    ]


TARGET = Target("state", check, framing.mutate, ("engine_core.catalogue",))
