"""The client: one method for each method of the service, with plain Python values."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import resources
from time import monotonic
from typing import Any, Self, TypedDict, TypeVar, Unpack

import grpc

from shinpan import actions
from shinpan.errors import ServiceError
from shinpan.games import Game, GameSummary
from shinpan.state import StateToken
from shinpan.v1 import (
    action_pb2,
    analysis_service_pb2,
    analysis_service_pb2_grpc,
    knowledge_pb2,
    match_pb2,
    referee_service_pb2,
    referee_service_pb2_grpc,
    state_pb2,
)
from shinpan.values import (
    Answer,
    Deduction,
    Description,
    Knowledge,
    LegalActions,
    Playouts,
    Update,
)

_Response = TypeVar("_Response")

DEFAULT_TIMEOUT_SECONDS = 10.0

SERVICE_CONFIG = resources.files("shinpan").joinpath("service_config.json").read_text()
"""How a channel treats several servers under one name: calls take turns, and what one does not answer another gets."""

_OPTIONS: Sequence[tuple[str, int | str]] = (
    ("grpc.max_receive_message_length", 5 * 1024 * 1024),
    ("grpc.service_config", SERVICE_CONFIG),
)

_BROKEN_OFF = frozenset({grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL, grpc.StatusCode.UNAVAILABLE})
"""Codes of an answer that broke off after its beginning, as when a server is killed. Which one it is depends on what is
between; a channel repeats no such call by itself. Errors of the service have a reason."""


class Looked(TypedDict, total=False):
    """What a call that looks at a state can be told besides."""

    knowledge: bool
    """Whether updates have what their viewers may know; see `Referee.deduce`."""
    hypothetical: bool
    """Whether the state is one that was sampled, or follows from one. What is not as told is refused."""


class Wanted(Looked, total=False):
    """What a call that applies an action can be told besides."""

    expected_revision: int | None
    """The revision that the state is thought to have; with another one the call is refused with STALE_STATE."""
    viewers: Iterable[int]
    """Who gets an update."""
    diagrams: bool
    """Whether updates have the board as text."""


class Referee:
    """A connection to a server. Thread-safe; close it, or use it in a `with` statement.

    States are tokens, or their bytes. Viewers are seats (1 to 4), `SPECTATOR` and `REFEREE`. Every method raises
    `ServiceError`. Every method may be repeated: the service keeps nothing. A call whose answer breaks off is made
    once more.
    """

    def __init__(
        self,
        target: str | grpc.Channel,
        *,
        timeout: float = DEFAULT_TIMEOUT_SECONDS,
        credentials: grpc.ChannelCredentials | None = None,
        bearer: str = "",
    ) -> None:
        """`target` is an address such as "127.0.0.1:50051" or, for all that a name has, "dns:///shinpan-headless:50051",
        or a channel, which stays the caller's; give yours `SERVICE_CONFIG` as its option "grpc.service_config".

        `timeout` is the deadline of each call in seconds. `credentials`, of `grpc.ssl_channel_credentials`, are for an
        address; without them it is called in plain text. `bearer` is the token of a caller whom the server knows.
        """
        self._timeout = timeout
        self._metadata = (("authorization", f"Bearer {bearer}"),) if bearer else ()
        self._own: grpc.Channel | None = None
        if isinstance(target, str) and credentials is not None:
            self._own = channel = grpc.secure_channel(target, credentials, options=_OPTIONS)
        elif isinstance(target, str):
            self._own = channel = grpc.insecure_channel(target, options=_OPTIONS)
        else:
            channel = target
        self._referee = referee_service_pb2_grpc.RefereeServiceStub(channel)
        self._analysis = analysis_service_pb2_grpc.AnalysisServiceStub(channel)

    def close(self) -> None:
        """Close the connection."""
        if self._own is not None:
            self._own.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, method: Callable[..., _Response], request: object) -> _Response:
        end = monotonic() + self._timeout
        try:
            return self._attempt(method, request, end)
        except ServiceError as error:
            if error.reason or error.code not in _BROKEN_OFF:
                raise
        return self._attempt(method, request, end)

    def _attempt(self, method: Callable[..., _Response], request: object, end: float) -> _Response:
        try:
            return method(request, timeout=end - monotonic(), metadata=self._metadata)
        except grpc.RpcError as error:
            raise ServiceError.of_rpc(error) from None

    def games(self) -> tuple[GameSummary, ...]:
        """The games that can be played, sorted by id."""
        answer = self._call(self._referee.ListGames, referee_service_pb2.ListGamesRequest())
        return tuple(GameSummary.of(game) for game in answer.games)

    def game(self, game: str, revision: int = 0, **options: str) -> Game:
        """Everything about a game; `options` that are not named have their defaults. Revision 0 is the newest."""
        request = referee_service_pb2.GetGameRequest(game=game, options=options, revision=revision)
        return Game(self._call(self._referee.GetGame, request).game)

    def start_match(
        self,
        game: str,
        *,
        options: Mapping[str, str] | None = None,
        match_id: bytes = b"",
        arrangements: Mapping[int, Mapping[str, str]] | None = None,
        first_seat: int = 1,
        viewers: Iterable[int] = (),
        diagrams: bool = False,
        knowledge: bool = False,
    ) -> Answer:
        """Begin a match. `arrangements` are by seat, each of squares and kinds; seats not named arrange later."""
        setup = _setup(game, options, match_id, arrangements, first_seat)
        request = referee_service_pb2.StartMatchRequest(
            setup=setup, viewers=_viewers(viewers), include_diagrams=diagrams, include_knowledge=knowledge
        )
        return Answer.of(self._call(self._referee.StartMatch, request))

    def apply(self, state: bytes, action: action_pb2.Action, **wanted: Unpack[Wanted]) -> Answer:
        """Apply an action, made with `shinpan.actions`; STALE_STATE when the state has another revision."""
        request = _application(state, action, **wanted)
        return Answer.of(self._call(self._referee.ApplyAction, request))

    def arrange(self, state: bytes, seat: int, pieces: Mapping[str, str], **wanted: Unpack[Wanted]) -> Answer:
        """A seat places its pieces: squares and kinds."""
        return self.apply(state, actions.arrange(seat, pieces), **wanted)

    def move(self, state: bytes, seat: int, move: str | int, **wanted: Unpack[Wanted]) -> Answer:
        """A seat moves: "b3b4", or a number of its legal actions."""
        return self.apply(state, actions.move(seat, move), **wanted)

    def resign(self, state: bytes, seat: int, **wanted: Unpack[Wanted]) -> Answer:
        """A seat resigns."""
        return self.apply(state, actions.resign(seat), **wanted)

    def offer_draw(self, state: bytes, seat: int, **wanted: Unpack[Wanted]) -> Answer:
        """A seat offers a draw."""
        return self.apply(state, actions.offer_draw(seat), **wanted)

    def accept_draw(self, state: bytes, seat: int, **wanted: Unpack[Wanted]) -> Answer:
        """A seat accepts the open draw offer."""
        return self.apply(state, actions.accept_draw(seat), **wanted)

    def decline_draw(self, state: bytes, seat: int, **wanted: Unpack[Wanted]) -> Answer:
        """A seat declines the open draw offer."""
        return self.apply(state, actions.decline_draw(seat), **wanted)

    def forfeit(self, state: bytes, seat: int, cause: actions.Cause, **wanted: Unpack[Wanted]) -> Answer:
        """Decide that a seat loses: by "time", "abandonment" or another "ruling"."""
        return self.apply(state, actions.forfeit(seat, cause), **wanted)

    def adjudicate(self, state: bytes, winners: Iterable[int], **wanted: Unpack[Wanted]) -> Answer:
        """End the match by decision; without winners it is a draw."""
        return self.apply(state, actions.adjudicate(winners), **wanted)

    def update(self, state: bytes, viewer: int, *, diagram: bool = False, **wanted: Unpack[Looked]) -> Update:
        """What one viewer may see now."""
        return self.updates(state, [viewer], diagrams=diagram, **wanted)[viewer]

    def updates(
        self, state: bytes, viewers: Iterable[int], *, diagrams: bool = False, **wanted: Unpack[Looked]
    ) -> Mapping[int, Update]:
        """What viewers may see now, by viewer."""
        request = _update_request(state, viewers, diagrams, **wanted)
        answer = self._call(self._referee.GetUpdate, request)
        return {int(update.viewer): Update.of(update) for update in answer.updates}

    def legal_actions(self, state: bytes, seat: int, *, hypothetical: bool = False) -> LegalActions:
        """What a seat may do now. For that seat alone."""
        request = _list_request(state, seat, hypothetical)
        return LegalActions.of(self._call(self._referee.ListLegalActions, request).legal_actions)

    def describe(self, state: bytes, *, hypothetical: bool = False) -> Description:
        """The public facts about a state."""
        request = referee_service_pb2.DescribeStateRequest(state=_state(state), expect_hypothetical=hypothetical)
        return Description.of(self._call(self._referee.DescribeState, request))

    def reseal(self, state: bytes, *, hypothetical: bool = False) -> Answer:
        """The same state, sealed with the key and written in the form that the server uses now; it has no updates."""
        request = referee_service_pb2.ResealStateRequest(state=_state(state), expect_hypothetical=hypothetical)
        answer = self._call(self._referee.ResealState, request)
        return Answer(StateToken(answer.state.token), answer.digest, {})

    def replay(
        self,
        state: bytes,
        played: Iterable[action_pb2.Action],
        *,
        viewers: Iterable[int] = (),
        diagrams: bool = False,
        **wanted: Unpack[Looked],
    ) -> Answer:
        """Apply actions one after another to a state, and answer with the last update only."""
        request = referee_service_pb2.ReplayMatchRequest(
            state=_state(state),
            actions=played,
            viewers=_viewers(viewers),
            include_diagrams=diagrams,
            include_knowledge=wanted.get("knowledge", False),
            expect_hypothetical=wanted.get("hypothetical", False),
        )
        return Answer.of(self._call(self._referee.ReplayMatch, request))

    def apply_many(
        self,
        items: Iterable[tuple[bytes, action_pb2.Action]],
        *,
        viewers: Sequence[int] = (),
        diagrams: bool = False,
        **wanted: Unpack[Looked],
    ) -> list[Answer | ServiceError]:
        """Apply one action to each of many states; for each its answer or its error, in order."""
        request = referee_service_pb2.BatchApplyActionsRequest(
            items=[_application(state, action, viewers=viewers, diagrams=diagrams, **wanted) for state, action in items]
        )
        answer = self._call(self._referee.BatchApplyActions, request)
        return [
            Answer.of(item.result) if item.HasField("result") else ServiceError.of_status(item.error)
            for item in answer.items
        ]

    def legal_actions_of_many(
        self, items: Iterable[tuple[bytes, int]], *, hypothetical: bool = False
    ) -> list[LegalActions | ServiceError]:
        """What a seat may do, for many states with a seat each; for each its answer or its error, in order."""
        request = referee_service_pb2.BatchListLegalActionsRequest(
            items=[_list_request(state, seat, hypothetical) for state, seat in items]
        )
        answer = self._call(self._referee.BatchListLegalActions, request)
        return [
            LegalActions.of(item.result.legal_actions)
            if item.HasField("result")
            else ServiceError.of_status(item.error)
            for item in answer.items
        ]

    def updates_of_many(
        self, states: Iterable[bytes], viewers: Sequence[int], *, diagrams: bool = False, **wanted: Unpack[Looked]
    ) -> list[Mapping[int, Update] | ServiceError]:
        """What viewers may see of each of many states; for each its answer or its error, in order."""
        request = referee_service_pb2.BatchGetUpdatesRequest(
            items=[_update_request(state, viewers, diagrams, **wanted) for state in states]
        )
        answer = self._call(self._referee.BatchGetUpdates, request)
        return [
            {int(update.viewer): Update.of(update) for update in item.result.updates}
            if item.HasField("result")
            else ServiceError.of_status(item.error)
            for item in answer.items
        ]

    def draw_arrangement(self, game: str, seat: int, seed: int, revision: int = 0, **options: str) -> dict[str, str]:
        """A random legal arrangement, squares and kinds; the same seed gives the same one. Revision 0 is the newest."""
        request = analysis_service_pb2.DrawArrangementRequest(
            game=game, options=options, seat=seat, seed=seed, revision=revision
        )
        drawn = self._call(self._analysis.DrawArrangement, request).arrangement
        return {placement.square: placement.kind for placement in drawn.placements}

    def deduce(self, knowledge: Knowledge) -> Deduction:
        """What follows from knowledge for the pieces whose kinds its viewer does not know."""
        request = analysis_service_pb2.DeduceRequest(knowledge=_knowledge(knowledge))
        return Deduction.of(self._call(self._analysis.Deduce, request))

    def sample_states(self, knowledge: Knowledge, count: int, seed: int) -> list[StateToken]:
        """Hypothetical states that fit knowledge, all equally likely; the same seed gives the same ones."""
        request = analysis_service_pb2.SampleStatesRequest(knowledge=_knowledge(knowledge), count=count, seed=seed)
        return [StateToken(state.token) for state in self._call(self._analysis.SampleStates, request).states]

    def playout(self, state: bytes, games: int, seed: int, *, hypothetical: bool = False) -> Playouts:
        """Random games from a state, and how they ended."""
        request = _playout_request(state, games, seed, hypothetical)
        return Playouts.of(self._call(self._analysis.Playout, request))

    def playout_many(
        self, states: Iterable[bytes], games: int, seed: int, *, hypothetical: bool = False
    ) -> list[Playouts | ServiceError]:
        """As many random games from each of many states; for each what came of them or its error, in order.

        The first state has the seed, the next one the number after it, and so on.
        """
        request = analysis_service_pb2.BatchPlayoutsRequest(
            items=[_playout_request(state, games, seed + place, hypothetical) for place, state in enumerate(states)]
        )
        answer = self._call(self._analysis.BatchPlayouts, request)
        return [
            Playouts.of(item.result) if item.HasField("result") else ServiceError.of_status(item.error)
            for item in answer.items
        ]

    def perft(self, state: bytes, depth: int, *, hypothetical: bool = False) -> int:
        """The number of move sequences of `depth` plies from a state."""
        request = analysis_service_pb2.PerftRequest(state=_state(state), depth=depth, expect_hypothetical=hypothetical)
        return self._call(self._analysis.Perft, request).nodes


def _state(token: bytes) -> state_pb2.State:
    return state_pb2.State(token=token)


def _knowledge(knowledge: Knowledge) -> knowledge_pb2.Knowledge:
    return knowledge_pb2.Knowledge(token=knowledge.token)


def _viewers(viewers: Iterable[int]) -> Any:
    """Numbers of viewers for a field of an open enum, which the stubs type as closed."""
    return list(viewers)


def _setup(
    game: str,
    options: Mapping[str, str] | None,
    match_id: bytes,
    arrangements: Mapping[int, Mapping[str, str]] | None,
    first_seat: int,
) -> match_pb2.MatchSetup:
    placed = {seat: actions.arrangement(pieces) for seat, pieces in (arrangements or {}).items()}
    return match_pb2.MatchSetup(
        game=game,
        options=dict(options or {}),
        match_id=match_id,
        arrangements=placed,
        first_seat=first_seat,
    )


def _application(
    state: bytes, action: action_pb2.Action, **wanted: Unpack[Wanted]
) -> referee_service_pb2.ApplyActionRequest:
    return referee_service_pb2.ApplyActionRequest(
        state=_state(state),
        action=action,
        expected_revision=wanted.get("expected_revision"),
        viewers=_viewers(wanted.get("viewers", ())),
        include_diagrams=wanted.get("diagrams", False),
        include_knowledge=wanted.get("knowledge", False),
        expect_hypothetical=wanted.get("hypothetical", False),
    )


def _update_request(
    state: bytes, viewers: Iterable[int], diagrams: bool, **wanted: Unpack[Looked]
) -> referee_service_pb2.GetUpdateRequest:
    return referee_service_pb2.GetUpdateRequest(
        state=_state(state),
        viewers=_viewers(viewers),
        include_diagrams=diagrams,
        include_knowledge=wanted.get("knowledge", False),
        expect_hypothetical=wanted.get("hypothetical", False),
    )


def _list_request(state: bytes, seat: int, hypothetical: bool) -> referee_service_pb2.ListLegalActionsRequest:
    return referee_service_pb2.ListLegalActionsRequest(state=_state(state), seat=seat, expect_hypothetical=hypothetical)


def _playout_request(state: bytes, games: int, seed: int, hypothetical: bool) -> analysis_service_pb2.PlayoutRequest:
    return analysis_service_pb2.PlayoutRequest(
        state=_state(state), games=games, seed=seed, expect_hypothetical=hypothetical
    )
