"""RefereeService: each method reads its request, asks the engine, and writes its answer."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from google.protobuf.message import Message
from shinpan.v1 import action_pb2, referee_service_pb2

import engine_core
from engine_core import Game, State, Turn
from service import batches, contents, game_messages, requests, updates, wire
from service.call import Call
from service.config import Settings
from service.digest import digest_of
from service.errors import Refusal
from service.handler import Direct, Handler
from service.metrics import Metrics
from service.plain_moves import PlainMoves
from service.tokens import Tokens

_Item = TypeVar("_Item")
_LookingRequest = (
    referee_service_pb2.StartMatchRequest
    | referee_service_pb2.ApplyActionRequest
    | referee_service_pb2.GetUpdateRequest
    | referee_service_pb2.ReplayMatchRequest
)
"""The requests whose answers have updates."""


class Referee:
    """The methods of RefereeService."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._settings = settings
        self._metrics = metrics
        self._plain = PlainMoves(metrics, settings.max_batch_items, self._outcome_of_action)

    def handlers(self) -> dict[str, Handler]:
        """Each method by its name in the API."""
        refereeing: dict[str, Handler] = {
            "StartMatch": self.start_match,
            "ApplyAction": Direct(self._plain.apply, self.apply_action),
            "GetUpdate": self.get_update,
            "ListLegalActions": self.list_legal_actions,
            "DescribeState": self.describe_state,
            "ResealState": self.reseal_state,
            "ReplayMatch": self.replay_match,
            "BatchApplyActions": Direct(self._plain.apply_batch, self.batch_apply_actions),
            "BatchListLegalActions": self.batch_list_legal_actions,
            "BatchGetUpdates": self.batch_get_updates,
        }
        return {
            "ListGames": self.list_games,
            "GetGame": self.get_game,
            **{name: _for_players(handler) for name, handler in refereeing.items()},
        }

    def list_games(self, _: referee_service_pb2.ListGamesRequest, __: Call) -> referee_service_pb2.ListGamesResponse:
        """Answer ListGames."""
        games = [game_messages.summary(engine_core.load(game)) for game in engine_core.games()]
        return referee_service_pb2.ListGamesResponse(games=games)

    def get_game(self, request: referee_service_pb2.GetGameRequest, _: Call) -> referee_service_pb2.GetGameResponse:
        """Answer GetGame."""
        game = requests.game_of(request.game, request.options, revision=request.revision)
        return referee_service_pb2.GetGameResponse(game=game_messages.describe(game))

    def start_match(self, request: referee_service_pb2.StartMatchRequest, call: Call) -> bytes:
        """Answer StartMatch."""
        if not request.HasField("setup"):
            raise requests.required("setup")
        state, turns = requests.start(request.setup)
        viewers = self._viewers(request.viewers, state.game, call)
        self._metrics.match_started(state.game.id)
        return _answer(call.tokens, state, _updates(request, state, viewers, turns, call))

    def apply_action(self, request: referee_service_pb2.ApplyActionRequest, call: Call) -> bytes:
        """Answer ApplyAction."""
        state = contents.state_of(request.state, call.tokens, request.expect_hypothetical)
        if not request.HasField("action"):
            raise requests.required("action")
        viewers = self._viewers(request.viewers, state.game, call)
        if request.HasField("expected_revision"):
            requests.check_revision(request.expected_revision, state)
        turn = requests.apply(state, request.action)
        state = turn.state
        game = state.game.id
        if not state.hypothetical:
            self._metrics.actions_applied(game)
            if state.result is not None:
                self._metrics.match_ended(game, state.result.reason)
        return _answer(call.tokens, state, _updates(request, state, viewers, (turn,), call))

    def get_update(self, request: referee_service_pb2.GetUpdateRequest, call: Call) -> bytes:
        """Answer GetUpdate."""
        state = contents.state_of(request.state, call.tokens, request.expect_hypothetical)
        if not request.viewers:
            raise Refusal.of_field(
                "VIEWER_UNSPECIFIED",
                "viewers",
                "is empty; name a seat, the spectator or the referee.",
            )
        viewers = self._viewers(request.viewers, state.game, call)
        seen = _updates(request, state, viewers, (), call)
        return b"".join(wire.field(1, update) for update in seen)

    def list_legal_actions(self, request: referee_service_pb2.ListLegalActionsRequest, call: Call) -> bytes:
        """Answer ListLegalActions."""
        state = contents.state_of(request.state, call.tokens, request.expect_hypothetical)
        requests.check_seat(request.seat, state.game, "seat")
        return wire.field(1, wire.legal_actions(state, request.seat))

    def describe_state(
        self, request: referee_service_pb2.DescribeStateRequest, call: Call
    ) -> referee_service_pb2.DescribeStateResponse:
        """Answer DescribeState."""
        state = contents.state_of(request.state, call.tokens, request.expect_hypothetical)
        return referee_service_pb2.DescribeStateResponse(
            game=state.game.id,
            options=dict(state.game.options),
            match_id=state.match_id,
            first_seat=state.first_seat,
            status=updates.status(state),
            digest=digest_of(request.state.token),
            game_revision=state.game.revision,
        )

    def reseal_state(self, request: referee_service_pb2.ResealStateRequest, call: Call) -> bytes:
        """Answer ResealState."""
        state = contents.state_of(request.state, call.tokens, request.expect_hypothetical)
        return _answer(call.tokens, state, ())

    def replay_match(self, request: referee_service_pb2.ReplayMatchRequest, call: Call) -> bytes:
        """Answer ReplayMatch."""
        batches.check_size("actions", len(request.actions), self._settings.max_replay_actions)
        start = request.WhichOneof("start")
        if start == "setup":
            state, turns = requests.start(request.setup)
        elif start == "state":
            state, turns = contents.state_of(request.state, call.tokens, request.expect_hypothetical), []
        else:
            raise requests.required("start")
        viewers = self._viewers(request.viewers, state.game, call)
        for index, action in enumerate(request.actions):
            call.check()
            turns = [_replay(state, action, index)]
            state = turns[0].state
        return _answer(call.tokens, state, _updates(request, state, viewers, turns, call))

    def batch_apply_actions(self, request: referee_service_pb2.BatchApplyActionsRequest, call: Call) -> bytes:
        """Answer BatchApplyActions."""
        return self._batch("BatchApplyActions", request.items, self.apply_action, call)

    def batch_list_legal_actions(self, request: referee_service_pb2.BatchListLegalActionsRequest, call: Call) -> bytes:
        """Answer BatchListLegalActions."""
        return self._batch("BatchListLegalActions", request.items, self.list_legal_actions, call)

    def batch_get_updates(self, request: referee_service_pb2.BatchGetUpdatesRequest, call: Call) -> bytes:
        """Answer BatchGetUpdates."""
        return self._batch("BatchGetUpdates", request.items, self.get_update, call)

    def _outcome_of_action(self, item: referee_service_pb2.ApplyActionRequest, call: Call) -> bytes:
        return batches.outcome(item, self.apply_action, call, self._metrics)

    def _viewers(self, viewers: Sequence[int], game: Game, call: Call) -> Sequence[tuple[int, int]]:
        """The viewers of a request, by their numbers in the API and in the engine; the referee for who may see all."""
        chosen = requests.viewers_of(viewers, game, self._settings.referee)
        if any(viewer == engine_core.REFEREE for _, viewer in chosen):
            call.use("referee-view")
        return chosen

    def _batch(self, name: str, items: Sequence[_Item], answer: Callable[[_Item, Call], bytes], call: Call) -> bytes:
        batches.check_size("items", len(items), self._settings.max_batch_items)
        self._metrics.batch(name, len(items))
        return batches.outcomes(items, answer, call, self._metrics)


def _for_players(handler: Handler) -> Handler:
    """The same method, for callers that may play."""
    if isinstance(handler, Direct):  # what it answers plainly it asks the caller itself
        return Direct(handler.plain, _for_players(handler.other))

    def answer(request: Any, call: Call) -> Message | bytes:
        call.caller.require("play")
        return handler(request, call)

    return answer


def _answer(tokens: Tokens, state: State, seen: Sequence[bytes]) -> bytes:
    """What every method that makes a state answers: the state, its digest, the updates."""
    token = tokens.seal(state.to_bytes())
    parts = [wire.field(1, wire.field(1, token)), wire.field(2, digest_of(token))]
    parts += [wire.field(3, update) for update in seen]
    return b"".join(parts)


def _updates(
    request: _LookingRequest, state: State, viewers: Sequence[tuple[int, int]], turns: Sequence[Turn], call: Call
) -> list[bytes]:
    """The updates that a request asks for."""
    seal = call.tokens.seal if request.include_knowledge else None
    return updates.updates(state, viewers, turns, request.include_diagrams, seal)


def _replay(state: State, action: action_pb2.Action, index: int) -> Turn:
    field = f"actions[{index}]"
    try:
        return requests.apply(state, action, field)
    except Refusal as refusal:
        refusal.message = f"{field}: {refusal.message}"
        refusal.metadata["action_index"] = str(index)
        raise
