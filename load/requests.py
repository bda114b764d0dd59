"""The requests that are sent, as bytes."""

from collections.abc import Sequence
from typing import Final

from shinpan import actions
from shinpan.v1 import referee_service_pb2, state_pb2, viewer_pb2

from load.positions import Position
from service.tokens import PLAIN

APPLY_ACTION: Final = "/shinpan.v1.RefereeService/ApplyAction"
BATCH_APPLY_ACTIONS: Final = "/shinpan.v1.RefereeService/BatchApplyActions"
BOTH_SEATS: Final = (viewer_pb2.VIEWER_SEAT_1, viewer_pb2.VIEWER_SEAT_2)


def apply_action(
    position: Position, viewers: Sequence[viewer_pb2.Viewer.ValueType] = ()
) -> referee_service_pb2.ApplyActionRequest:
    """The request to make the position's move and to answer with updates for some viewers."""
    return referee_service_pb2.ApplyActionRequest(
        state=state_pb2.State(token=PLAIN.seal(position.state.to_bytes())),
        action=actions.move(position.seat, position.move.source << 8 | position.move.target),
        viewers=viewers,
    )


def batch_apply_actions(
    positions: Sequence[Position], size: int, viewers: Sequence[viewer_pb2.Viewer.ValueType] = BOTH_SEATS
) -> referee_service_pb2.BatchApplyActionsRequest:
    """As many requests in one, the positions over and over."""
    items = [apply_action(position, viewers) for position in positions[:size]]
    return referee_service_pb2.BatchApplyActionsRequest(items=[items[at % len(items)] for at in range(size)])
