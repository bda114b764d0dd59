"""AnalysisService: each method reads its request, asks the engine, and writes its answer."""

from shinpan.v1 import action_pb2, analysis_service_pb2

import engine_core
from engine_core import State
from service import requests, updates
from service.config import Settings
from service.dispatch import Call, Handler
from service.errors import Refusal, refusal_of


class Analysis:
    """The methods of AnalysisService."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def handlers(self) -> dict[str, Handler]:
        """Each method by its name in the API."""
        return {
            "DrawArrangement": self.draw_arrangement,
            "Playout": self.playout,
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

    def playout(self, request: analysis_service_pb2.PlayoutRequest, call: Call) -> analysis_service_pb2.PlayoutResponse:
        """Answer Playout."""
        state = self._state(request, call)
        self._check_budget("games", request.games, self._settings.max_playout_games)
        call.check()
        limit = self._settings.max_playout_plies
        try:
            played = engine_core.playout(state, request.games, request.seed, max_plies=limit)
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
        """The state of a request whose answer tells about hidden pieces."""
        state = requests.state_of(request.state, call.tokens)
        if not self._settings.referee:
            raise requests.referee_disabled()
        call.caller.require("analyse-real-states")
        if state.phase == "arrangement":
            raise Refusal("ARRANGEMENT_PENDING", "Play has not begun.")
        return state

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
