"""Batches: many requests of one method in one call, answered in order, each with a result or an error of its own."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from service import wire
from service.call import Call
from service.errors import Refusal, status_of
from service.metrics import Metrics

_Item = TypeVar("_Item")


def check_size(field: str, count: int, limit: int) -> None:
    """Refuse a list of more entries than the server allows."""
    if count > limit:
        raise Refusal(
            "BATCH_TOO_LARGE",
            f"{field} has {count} entries; the limit is {limit}.",
            count=count,
            limit=limit,
        )


def outcomes(items: Sequence[_Item], answer: Callable[[_Item, Call], bytes], call: Call, metrics: Metrics) -> bytes:
    """The serialized answer to a batch: the outcome of each item in order."""
    answers = []
    for item in items:
        call.check()
        one = outcome(item, answer, call, metrics)
        call.add_answer_bytes(len(one))
        answers.append(wire.field(1, one))
    return b"".join(answers)


def outcome(item: _Item, answer: Callable[[_Item, Call], bytes], call: Call, metrics: Metrics) -> bytes:
    """The serialized outcome of an item: its result (field 1) or the status of its error (field 2)."""
    try:
        return wire.field(1, answer(item, call))
    except Refusal as refusal:
        metrics.refused(refusal.reason)
        return wire.field(2, status_of(refusal).SerializeToString(deterministic=True))
