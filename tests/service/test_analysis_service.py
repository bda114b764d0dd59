"""Every method of AnalysisService, against what the engine says in this process."""

import pytest
from contract import SEED, Contract, Seats, arranged_state, refused, wrap
from shinpan.v1 import analysis_service_pb2, event_pb2

import engine_core


@pytest.mark.parametrize("game_id", engine_core.games())
def test_draw_arrangement(contract: Contract, game_id: str) -> None:
    print("seed", SEED)
    game = engine_core.load(game_id)
    for seat in game.seats:
        for seed in (0, SEED, 2**64 - 1):
            request = analysis_service_pb2.DrawArrangementRequest(game=game_id, seat=seat, seed=seed)
            drawn = contract.analysis.DrawArrangement(request).arrangement.placements
            pieces = {placement.square: placement.kind for placement in drawn}
            assert pieces == game.random_arrangement(seat, seed)
            squares = [game.squares.index(placement.square) for placement in drawn]
            assert squares == sorted(squares)
            if game.ruleset.fixed_start:
                assert pieces == game.start().pieces()[seat]
            else:
                assert game.start().arrange(seat, pieces).state.arranged == (seat,)


def test_playout(contract: Contract) -> None:
    print("seed", SEED)
    state = arranged_state("hidden-capture-flag").state
    request = analysis_service_pb2.PlayoutRequest(state=wrap(state), games=50, seed=SEED)
    answer = contract.analysis.Playout(request)
    played = engine_core.playout(state, 50, SEED)
    assert (answer.games, answer.plies, answer.unfinished) == (50, played.plies, played.unfinished)
    counts = {}
    for count in answer.results:
        reason = event_pb2.EndReason.Name(count.result.reason).removeprefix("END_REASON_")
        counts[tuple(count.result.winners), reason.lower().replace("_", "-")] = count.games
    assert counts == {(ended.winners, ended.reason): games for ended, games in played.results.items()}
    assert [count.games for count in answer.results] == sorted(counts.values(), reverse=True)
    assert contract.analysis.Playout(request) == answer


def test_perft(contract: Contract, seats: Seats) -> None:
    for depth in (1, 2, 3):
        request = analysis_service_pb2.PerftRequest(state=wrap(seats.state), depth=depth)
        assert contract.analysis.Perft(request).nodes == engine_core.perft(seats.state, depth)


def test_a_match_that_has_ended_has_no_sequences(contract: Contract, seats: Seats) -> None:
    state = wrap(seats.state.resign(1).state)
    assert contract.analysis.Perft(analysis_service_pb2.PerftRequest(state=state, depth=4)).nodes == 0
    answer = contract.analysis.Playout(analysis_service_pb2.PlayoutRequest(state=state, games=3))
    assert (answer.games, answer.plies) == (3, 0)


def test_play_must_have_begun(contract: Contract) -> None:
    state = wrap(engine_core.load("luzhanqi-mini").start())
    perft = analysis_service_pb2.PerftRequest(state=state, depth=1)
    assert refused(lambda: contract.analysis.Perft(perft)).reason == "ARRANGEMENT_PENDING"
    playout = analysis_service_pb2.PlayoutRequest(state=state, games=1)
    assert refused(lambda: contract.analysis.Playout(playout)).reason == "ARRANGEMENT_PENDING"
