from typing import Any

from engine_core.match import State

# A State for the bytes of a state, a Knowledge for those of knowledge.
def decode(data: bytes) -> State | Any: ...
