from typing import Final, final

MAX_STATES: Final = 400_000

@final
class Tables:
    def __init__(self, rows: list[int], columns: list[int], open_to: list[list[int]]) -> None: ...
    @property
    def weight(self) -> int: ...
    def totals(self) -> dict[tuple[int, int], int]: ...
