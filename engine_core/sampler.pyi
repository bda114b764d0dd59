from typing import Final, final

from engine_core.assignments import Assignments
from engine_core.forest import Forest

MAX_DRAWS: Final = 1_000_000

@final
class Sampler:
    def __init__(
        self, worlds: list[tuple[int, list[tuple[list[int], Assignments]]]], forest: Forest | None, seed: int
    ) -> None: ...
