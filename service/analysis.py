"""AnalysisService: each method reads its request, asks the engine, and writes its answer."""

from shinpan.v1 import action_pb2, analysis_service_pb2

import engine_core
from engine_core import State
from service import batches, contents, deductions, requests, updates
from service.call import Call
from service.config import Settings
from service.errors import Refusal, refusal_of
from service.handler import Handler
from service.metrics import Metrics


class Analysis:
    """The methods of AnalysisService."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._settings = settings
        self._metrics = metrics

    def handlers(self) -> dict[str, Handler]:
        """Each method by its name in the API."""
        return {
            "DrawArrangement": self.draw_arrangement,
            "Deduce": self.deduce,
            "SampleStates": self.sample_states,
            "Playout": self.playout,
            "BatchPlayouts": self.batch_playouts,
            "Perft": self.perft,
        }

    def draw_arrangement(
        self, request: analysis_service_pb2.DrawArrangementRequest, _: Call
    ) -> analysis_service_pb2.DrawArrangementResponse:
        """Answer DrawArrangement."""
        game = requests.game_of(request.game, request.options, revision=request.revision)
        requests.check_seat(request.seat, game, "seat")
        drawn = game.random_arrangement(request.seat, request.seed)
        placements = [
            action_pb2.Placement(square=square, kind=drawn[square]) for square in game.squares if square in drawn
        ]
        return analysis_service_pb2.DrawArrangementResponse(arrangement=action_pb2.Arrangement(placements=placements))

    def deduce(self, request: analysis_service_pb2.DeduceRequest, call: Call) -> analysis_service_pb2.DeduceResponse:
        """Answer Deduce."""
        knowledge = contents.knowledge_of(request.knowledge, call.tokens)
        call.check()
        try:
            return deductions.deduction(knowledge.deduce(), knowledge.game)
        except engine_core.RefereeError as error:
            raise refusal_of(error, "knowledge") from None

    def sample_states(
        self, request: analysis_service_pb2.SampleStatesRequest, call: Call
    ) -> analysis_service_pb2.SampleStatesResponse:
        """Answer SampleStates."""
        knowledge = contents.knowledge_of(request.knowledge, call.tokens)
        self._check_budget("count", request.count, self._settings.max_samples)
        call.check()
        try:
            states = knowledge.sample(request.count, request.seed)
        except engine_core.StateError as error:
            refusal = Refusal("BUDGET_EXCEEDED", f"Samples are too rare. {error}")
            refusal.metadata = dict(error.details)
            raise refusal from None
        except engine_core.RefereeError as error:
            raise refusal_of(error, "knowledge") from None
        answer = analysis_service_pb2.SampleStatesResponse()
        for state in states:
            token = call.tokens.seal(state.to_bytes())
            call.add_answer_bytes(len(token))
            answer.states.add(token=token)
        return answer

    def playout(self, request: analysis_service_pb2.PlayoutRequest, call: Call) -> analysis_service_pb2.PlayoutResponse:
        """Answer Playout."""
        return self._playout(request, call, self._settings.max_playout_plies)

    def batch_playouts(self, request: analysis_service_pb2.BatchPlayoutsRequest, call: Call) -> bytes:
        """Answer BatchPlayouts."""
        batches.check_size("items", len(request.items), self._settings.max_batch_items)
        self._check_total(sum(item.games for item in request.items))
        self._metrics.batch("BatchPlayouts", len(request.items))
        left = self._settings.max_playout_plies

        def answer(item: analysis_service_pb2.PlayoutRequest, call: Call) -> bytes:
            nonlocal left
            try:
                played = self._playout(item, call, left)
            except Refusal as refusal:
                if refusal.reason == "BUDGET_EXCEEDED":  # the plies left have been made
                    left = 0
                raise
            left -= played.plies
            return played.SerializeToString(deterministic=True)

        return batches.outcomes(request.items, answer, call, self._metrics)

    def _playout(
        self, request: analysis_service_pb2.PlayoutRequest, call: Call, plies: int
    ) -> analysis_service_pb2.PlayoutResponse:
        """Random games that have at most so many plies in all."""
        state = self._state(request, call)
        self._check_budget("games", request.games, self._settings.max_playout_games)
        call.check()
        try:
            played = engine_core.playout(state, request.games, request.seed, max_plies=plies)
        except engine_core.RefereeError as error:
            raise refusal_of(error, "games") from None
        counts = sorted(played.results.items(), key=lambda entry: (-entry[1], entry[0]))
        return analysis_service_pb2.PlayoutResponse(
            games=played.games,
            plies=played.plies,
            unfinished=played.unfinished,
            results=[
                analysis_service_pb2.ResultCount(result=updates.result(ended), games=games) for ended, games in counts
            ],
        )

    def perft(self, request: analysis_service_pb2.PerftRequest, call: Call) -> analysis_service_pb2.PerftResponse:
        """Answer Perft."""
        state = self._state(request, call)
        self._check_budget("depth", request.depth, self._settings.max_perft_depth)
        call.check()
        try:
            nodes = engine_core.perft(state, request.depth, max_nodes=self._settings.max_perft_nodes)
        except engine_core.RefereeError as error:
            raise refusal_of(error, "depth") from None
        return analysis_service_pb2.PerftResponse(nodes=nodes)

    def _state(
        self, request: analysis_service_pb2.PlayoutRequest | analysis_service_pb2.PerftRequest, call: Call
    ) -> State:
        """The state of a request whose answer tells about its hidden pieces: a hypothetical one tells nothing true."""
        state = contents.state_of(request.state, call.tokens, request.expect_hypothetical)
        if not state.hypothetical:
            if not self._settings.referee:
                raise requests.referee_disabled()
            call.use("analyse-real-states")
        if state.phase == "arrangement":
            raise Refusal("ARRANGEMENT_PENDING", "Play has not begun.")
        return state

    def _check_total(self, games: int) -> None:
        limit = self._settings.max_playout_games
        if games > limit:
            raise Refusal(
                "BUDGET_EXCEEDED", f"items have {games} games in all; the limit is {limit}.", value=games, limit=limit
            )

    @staticmethod
    def _check_budget(field: str, wanted: int, limit: int) -> None:
        if wanted < 1:
            raise Refusal.of_field("INVALID_VALUE", field, f"is {wanted}; it must be at least 1.", value=wanted)
        if wanted > limit:
            raise Refusal(
                "BUDGET_EXCEEDED",
                f"{field} is {wanted}; the limit is {limit}.",
                value=wanted,
                limit=limit,
            )
