from collections.abc import Callable
from typing import Any, final

from service.call import Call
from service.metrics import Metrics

@final
class PlainMoves:
    def __init__(self, metrics: Metrics, max_items: int, outcome: Callable[[Any, Call], bytes]) -> None: ...
    def apply(self, request: bytes, call: Call) -> bytes | None: ...
    def apply_batch(self, request: bytes, call: Call) -> bytes | None: ...
