from typing import final

from engine_core.assignments import Assignments
from engine_core.ties import Ties

@final
class Sampler:
    def __init__(
        self,
        worlds: list[tuple[int, list[tuple[list[int], Assignments]]]],
        pieces: int,
        ties: Ties | None,
        seed: int,
    ) -> None: ...
