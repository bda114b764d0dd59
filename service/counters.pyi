from typing import Final, final

BOUNDS: Final[tuple[float, ...]]

@final
class Count:
    @property
    def value(self) -> int: ...
    def add(self, more: int = 1) -> None: ...

@final
class Durations:
    @property
    def buckets(self) -> tuple[int, ...]: ...
    @property
    def seconds(self) -> float: ...
    def add(self, nanos: int) -> None: ...
