from typing import Final, final

from engine_core.lowering import Lowered

REASONS: Final[tuple[str, ...]]

@final
class Tables:
    @property
    def digest(self) -> bytes: ...
    head: bytes
    @property
    def lowered(self) -> Lowered: ...
    def __init__(self, lowered: Lowered, like: Tables | None = None) -> None: ...
