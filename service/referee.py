"""RefereeService: each method reads its request, asks the engine, and writes its answer."""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Final, TypeVar

from google.protobuf.message import Message
from google.rpc import status_pb2
from shinpan.v1 import action_pb2, referee_service_pb2, state_pb2

import engine_core
from engine_core import State, Turn
from service import game_messages, requests, updates
from service.config import Settings
from service.dispatch import Call, Handler
from service.errors import Refusal, status_of
from service.metrics import Metrics
from service.tokens import seal

DIGEST_BYTES: Final = 16

_Item = TypeVar("_Item")
_Result = TypeVar("_Result", bound=Message)


def digest(token: bytes) -> bytes:
    """The name of a token: the first 16 bytes of its SHA-256."""
    return sha256(token).digest()[:DIGEST_BYTES]


class Referee:
    """The methods of RefereeService."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._settings = settings
        self._metrics = metrics

    def handlers(self) -> dict[str, Handler]:
        """Each method by its name in the API."""
        return {
            "ListGames": self.list_games,
            "GetGame": self.get_game,
            "StartMatch": self.start_match,
            "ApplyAction": self.apply_action,
            "GetUpdate": self.get_update,
            "ListLegalActions": self.list_legal_actions,
            "DescribeState": self.describe_state,
            "ReplayMatch": self.replay_match,
            "BatchApplyActions": self.batch_apply_actions,
            "BatchListLegalActions": self.batch_list_legal_actions,
            "BatchGetUpdates": self.batch_get_updates,
        }

    def list_games(self, _: referee_service_pb2.ListGamesRequest, __: Call) -> referee_service_pb2.ListGamesResponse:
        """Answer ListGames."""
        games = [game_messages.summary(engine_core.load(game)) for game in engine_core.games()]
        return referee_service_pb2.ListGamesResponse(games=games)

    def get_game(self, request: referee_service_pb2.GetGameRequest, _: Call) -> referee_service_pb2.GetGameResponse:
        """Answer GetGame."""
        game = requests.game_of(request.game, request.options)
        return referee_service_pb2.GetGameResponse(game=game_messages.describe(game))

    def start_match(
        self, request: referee_service_pb2.StartMatchRequest, _: Call
    ) -> referee_service_pb2.StartMatchResponse:
        """Answer StartMatch."""
        if not request.HasField("setup"):
            raise requests.required("setup")
        state, turns = requests.start(request.setup)
        viewers = requests.viewers_of(request.viewers, state.game, self._settings.referee)
        token = seal(state.to_bytes())
        self._metrics.match_started(state.game.id)
        return referee_service_pb2.StartMatchResponse(
            state=state_pb2.State(token=token),
            digest=digest(token),
            updates=updates.updates(state, viewers, turns, request.include_diagrams),
        )

    def apply_action(
        self, request: referee_service_pb2.ApplyActionRequest, _: Call
    ) -> referee_service_pb2.ApplyActionResponse:
        """Answer ApplyAction."""
        state = requests.state_of(request.state)
        if not request.HasField("action"):
            raise requests.required("action")
        viewers = requests.viewers_of(request.viewers, state.game, self._settings.referee)
        if request.HasField("expected_revision"):
            requests.check_revision(request.expected_revision, state)
        turn = requests.apply(state, request.action)
        state = turn.state
        token = seal(state.to_bytes())
        game = state.game.id
        self._metrics.action_applied(game)
        if state.result is not None:
            self._metrics.match_ended(game, state.result.reason)
        return referee_service_pb2.ApplyActionResponse(
            state=state_pb2.State(token=token),
            digest=digest(token),
            updates=updates.updates(state, viewers, (turn,), request.include_diagrams),
        )

    def get_update(
        self, request: referee_service_pb2.GetUpdateRequest, _: Call
    ) -> referee_service_pb2.GetUpdateResponse:
        """Answer GetUpdate."""
        state = requests.state_of(request.state)
        if not request.viewers:
            raise Refusal.of_field(
                "VIEWER_UNSPECIFIED",
                "viewers",
                "is empty; name a seat, the spectator or the referee.",
            )
        viewers = requests.viewers_of(request.viewers, state.game, self._settings.referee)
        return referee_service_pb2.GetUpdateResponse(
            updates=updates.updates(state, viewers, (), request.include_diagrams)
        )

    def list_legal_actions(
        self, request: referee_service_pb2.ListLegalActionsRequest, _: Call
    ) -> referee_service_pb2.ListLegalActionsResponse:
        """Answer ListLegalActions."""
        state = requests.state_of(request.state)
        requests.check_seat(request.seat, state.game, "seat")
        return referee_service_pb2.ListLegalActionsResponse(legal_actions=updates.legal_actions(state, request.seat))

    def describe_state(
        self, request: referee_service_pb2.DescribeStateRequest, _: Call
    ) -> referee_service_pb2.DescribeStateResponse:
        """Answer DescribeState."""
        state = requests.state_of(request.state)
        return referee_service_pb2.DescribeStateResponse(
            game=state.game.id,
            options=dict(state.game.options),
            match_id=state.match_id,
            first_seat=state.first_seat,
            status=updates.status(state),
            digest=digest(request.state.token),
        )

    def replay_match(
        self, request: referee_service_pb2.ReplayMatchRequest, call: Call
    ) -> referee_service_pb2.ReplayMatchResponse:
        """Answer ReplayMatch."""
        _check_size("actions", len(request.actions), self._settings.max_replay_actions)
        start = request.WhichOneof("start")
        if start == "setup":
            state, turns = requests.start(request.setup)
        elif start == "state":
            state, turns = requests.state_of(request.state), []
        else:
            raise requests.required("start")
        viewers = requests.viewers_of(request.viewers, state.game, self._settings.referee)
        for index, action in enumerate(request.actions):
            call.check()
            turns = [_replay(state, action, index)]
            state = turns[0].state
        token = seal(state.to_bytes())
        return referee_service_pb2.ReplayMatchResponse(
            state=state_pb2.State(token=token),
            digest=digest(token),
            updates=updates.updates(state, viewers, turns, request.include_diagrams),
        )

    def batch_apply_actions(
        self, request: referee_service_pb2.BatchApplyActionsRequest, call: Call
    ) -> referee_service_pb2.BatchApplyActionsResponse:
        """Answer BatchApplyActions."""
        answer = referee_service_pb2.BatchApplyActionsResponse()
        for result, error in self._batch("BatchApplyActions", request.items, self.apply_action, call):
            answer.items.add(result=result, error=error)
        return answer

    def batch_list_legal_actions(
        self, request: referee_service_pb2.BatchListLegalActionsRequest, call: Call
    ) -> referee_service_pb2.BatchListLegalActionsResponse:
        """Answer BatchListLegalActions."""
        answer = referee_service_pb2.BatchListLegalActionsResponse()
        for result, error in self._batch("BatchListLegalActions", request.items, self.list_legal_actions, call):
            answer.items.add(result=result, error=error)
        return answer

    def batch_get_updates(
        self, request: referee_service_pb2.BatchGetUpdatesRequest, call: Call
    ) -> referee_service_pb2.BatchGetUpdatesResponse:
        """Answer BatchGetUpdates."""
        answer = referee_service_pb2.BatchGetUpdatesResponse()
        for result, error in self._batch("BatchGetUpdates", request.items, self.get_update, call):
            answer.items.add(result=result, error=error)
        return answer

    def _batch(
        self,
        name: str,
        items: Sequence[_Item],
        answer: Callable[[_Item, Call], _Result],
        call: Call,
    ) -> Iterator[tuple[_Result | None, status_pb2.Status | None]]:
        """For each item its result or the status of its error."""
        _check_size("items", len(items), self._settings.max_batch_items)
        self._metrics.batch(name, len(items))
        for item in items:
            call.check()
            try:
                result = answer(item, call)
            except Refusal as refusal:
                self._metrics.refused(refusal.reason)
                error = status_of(refusal)
                call.add_answer_bytes(error.ByteSize())
                yield None, error
            else:
                call.add_answer_bytes(result.ByteSize())
                yield result, None


def _check_size(field: str, count: int, limit: int) -> None:
    if count > limit:
        raise Refusal(
            "BATCH_TOO_LARGE",
            f"{field} has {count} entries; the limit is {limit}.",
            count=count,
            limit=limit,
        )


def _replay(state: State, action: action_pb2.Action, index: int) -> Turn:
    field = f"actions[{index}]"
    try:
        return requests.apply(state, action, field)
    except Refusal as refusal:
        refusal.message = f"{field}: {refusal.message}"
        refusal.metadata["action_index"] = str(index)
        raise
