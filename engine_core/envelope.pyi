from typing import Final, final

from engine_core.game import Game

KNOWLEDGE: Final = 128

@final
class Envelope:
    @property
    def game(self) -> Game: ...
    @property
    def match_id(self) -> bytes: ...
    @property
    def version(self) -> int: ...
    @property
    def body(self) -> int: ...
