from typing import Final, final

MAX_TABLE: Final = 262144

@final
class Rest:
    pieces: list[int]
    def __init__(self, pieces: list[int], domains: list[int], room: list[int]) -> None: ...
