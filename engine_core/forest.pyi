from typing import final

from engine_core.ties import BorrowedTie, Tie

@final
class Forest:
    def __init__(
        self,
        owners: list[int],
        domains: list[int],
        rosters: list[list[int]],
        ties: list[Tie],
        borrowed: list[BorrowedTie],
    ) -> None: ...
