from collections.abc import Iterable
from typing import Final, NamedTuple, final

from engine_core.game import Game
from engine_core.notation import Move

SPECTATOR: Final = 0
REFEREE: Final = 255
EMPTY: Final = 0
HIDDEN: Final = 255
MOVED: Final = 1
SHOWN: Final = 2
LAST_SOURCE: Final = 4
LAST_TARGET: Final = 8
CLAIM: Final = 16

class Captured(NamedTuple):
    seat: int
    origin: int
    kind: int

@final
class View:
    @property
    def game(self) -> Game: ...
    @property
    def viewer(self) -> int: ...
    @property
    def seats(self) -> bytes: ...
    @property
    def kinds(self) -> bytes: ...
    @property
    def origins(self) -> bytes: ...
    @property
    def flags(self) -> bytes: ...
    @property
    def captured_seats(self) -> bytes: ...
    @property
    def captured_origins(self) -> bytes: ...
    @property
    def captured_kinds(self) -> bytes: ...
    @property
    def captured(self) -> tuple[Captured, ...]: ...
    @property
    def claim_pending(self) -> bool: ...
    def diagram(self) -> str: ...
    def svg(
        self,
        moves: Iterable[Move | str | int] = (),
        *,
        source: str | None = None,
        orientation: int = 1,
        size: int | None = None,
    ) -> str: ...
    def _repr_svg_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
