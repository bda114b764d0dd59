"""The Python client against a real server."""

import re
import runpy
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from shinpan import REFEREE, SPECTATOR, Referee, Result, ServiceError, actions

import engine_core
from service.process import ServerProcess
from service.tokens import unseal

ROOT = Path(__file__).resolve().parents[2]
SEED = 20261130


@pytest.fixture(scope="module")
def process() -> Iterator[ServerProcess]:
    with ServerProcess() as running:
        yield running


@pytest.fixture(scope="module")
def referee(process: ServerProcess) -> Iterator[Referee]:
    with Referee(process.address) as connected:
        yield connected


@pytest.fixture(scope="module")
def begun(referee: Referee) -> bytes:
    """A hidden-hasami match in play."""
    placed = {seat: referee.draw_arrangement("hidden-hasami", seat, SEED) for seat in (1, 2)}
    return referee.start_match("hidden-hasami", arrangements=placed).state


def engine_state(token: bytes) -> engine_core.State:
    return engine_core.decode(unseal(token))


def test_games(referee: Referee) -> None:
    assert [game.id for game in referee.games()] == engine_core.games()
    game = referee.game("hidden-hasami", board="9x9")
    own = engine_core.load("hidden-hasami", board="9x9")
    assert (game.id, game.squares, game.kinds, game.seats) == (own.id, own.squares, own.kinds, own.seats)
    assert game.options == dict(own.options)
    assert game.move_text(int(engine_core.Move.__int__(own_move(own)))) == str(own_move(own))


def own_move(game: engine_core.Game) -> engine_core.Move:
    state = game.start()
    for seat in game.seats:
        state = state.arrange(seat, game.random_arrangement(seat, SEED)).state
    return state.legal_moves()[-1]


def test_a_match_with_every_action(referee: Referee) -> None:
    match = referee.start_match("hidden-hasami", match_id=b"m", first_seat=2, viewers=[1, 2, SPECTATOR])
    legal = match.updates[1].legal_actions
    assert legal is not None
    assert legal.kinds == ("arrange", "resign")
    assert match.updates[SPECTATOR].legal_actions is None
    for seat in (1, 2):
        pieces = referee.draw_arrangement("hidden-hasami", seat, SEED)
        match = referee.arrange(match.state, seat, pieces, viewers=[1, 2])
    status = match.updates[1].status
    assert (status.phase, status.to_move, status.ply, status.last_move) == ("play", 2, 0, None)
    moves = referee.legal_actions(match.state, 2).moves
    assert moves == tuple(int(one) for one in engine_state(match.state).legal_moves())
    after = referee.move(match.state, 2, moves[0], viewers=[1, REFEREE], diagrams=True)
    assert after.updates[1].status.last_move == moves[0]
    assert after.updates[1].events[0].WhichOneof("kind") == "moved"
    assert after.updates[1].view.diagram == engine_state(after.state).view(1).diagram()
    assert after.updates[REFEREE].view.kinds == engine_state(after.state).view(engine_core.REFEREE).kinds
    offered = referee.offer_draw(after.state, 1)
    assert referee.describe(offered.state).status.draw_agreed == (1,)
    assert referee.decline_draw(offered.state, 2, viewers=[1]).updates[1].status.draw_agreed == ()
    agreed = referee.accept_draw(offered.state, 2, viewers=[1]).updates[1].status
    assert (agreed.phase, agreed.result) == ("ended", Result((), "agreed-draw"))
    for answer, result in (
        (referee.resign(after.state, 1, viewers=[1]), Result((2,), "resigned")),
        (referee.forfeit(after.state, 2, "time", viewers=[1]), Result((1,), "time")),
        (referee.adjudicate(after.state, [2], viewers=[1]), Result((2,), "adjudicated")),
    ):
        assert answer.updates[1].status.result == result
    described = referee.describe(after.state)
    assert (described.game, described.match_id, described.first_seat) == ("hidden-hasami", b"m", 2)
    assert described.digest == after.digest


def test_replay_and_batches(referee: Referee, begun: bytes) -> None:
    first = referee.legal_actions(begun, 1).moves[0]
    moved = referee.move(begun, 1, first, viewers=[2])
    assert referee.replay(begun, [actions.move(1, first)], viewers=[2]) == moved
    answers = referee.apply_many([(begun, actions.move(1, first)), (begun, actions.resign(3))], viewers=[2])
    assert answers[0] == moved
    assert isinstance(answers[1], ServiceError)
    assert (answers[1].reason, answers[1].code) == ("INVALID_SEAT", grpc.StatusCode.INVALID_ARGUMENT)
    legal = referee.legal_actions_of_many([(begun, 1), (b"x", 1)])
    assert legal[0] == referee.legal_actions(begun, 1)
    assert isinstance(legal[1], ServiceError)
    updates = referee.updates_of_many([begun, b""], [1])
    assert updates[0] == {1: referee.update(begun, 1)}
    assert isinstance(updates[1], ServiceError)
    assert updates[1].reason == "FIELD_REQUIRED"


def test_analysis(referee: Referee, begun: bytes) -> None:
    state = engine_state(begun)
    assert referee.perft(begun, 2) == engine_core.perft(state, 2)
    played = engine_core.playout(state, 20, SEED)
    answer = referee.playout(begun, 20, SEED)
    assert (answer.games, answer.plies, answer.unfinished) == (20, played.plies, played.unfinished)
    assert {(one.winners, one.reason): games for one, games in answer.results.items()} == dict(played.results)


def test_errors_are_exceptions(referee: Referee, begun: bytes) -> None:
    with pytest.raises(ServiceError) as caught:
        referee.arrange(referee.start_match("hidden-hasami").state, 1, {"a1": "dragon"})
    error = caught.value
    assert (error.reason, error.code) == ("INVALID_ARRANGEMENT", grpc.StatusCode.INVALID_ARGUMENT)
    assert error.violations[0].field == "action.arrange.placements[0]"
    assert error.violations[0].reason == "UNKNOWN_KIND"
    assert str(error) == error.message
    with pytest.raises(ServiceError) as caught:
        referee.apply(begun, actions.resign(1), expected_revision=9)
    assert caught.value.metadata["expected_revision"] == "9"


def test_a_channel_stays_the_callers(process: ServerProcess) -> None:
    with grpc.insecure_channel(process.address) as channel:
        with Referee(channel) as first:
            first.games()
        with Referee(channel) as second:
            assert second.games()


def test_the_readme_example_runs(process: ServerProcess, tmp_path: Path) -> None:
    text = (ROOT / "clients/python/README.md").read_text(encoding="utf-8")
    code = text.split("```python\n")[1].split("```")[0]
    script = tmp_path / "readme.py"
    script.write_text(code.replace("127.0.0.1:50051", process.address), encoding="utf-8")
    match = runpy.run_path(str(script))["match"]
    assert match.updates[2].view.diagram


def test_the_package_is_typed() -> None:
    package = ROOT / "clients/python/src/shinpan"
    assert (package / "py.typed").exists()
    for stub in (package / "v1").glob("*_pb2.py"):
        assert stub.with_suffix(".pyi").exists()


def test_knowledge(referee: Referee, begun: bytes) -> None:
    """Hidden hasami before the first move: any of seat 2's seven stones is the leader."""
    update = referee.update(begun, 1, knowledge=True)
    assert update.knowledge is not None
    assert referee.update(begun, 1).knowledge is None
    state = engine_state(begun)
    assert unseal(update.knowledge.token) == state.knowledge(1).to_bytes()
    found = referee.deduce(update.knowledge)
    assert (found.count, found.exact, len(found.pieces)) == (7, True, 7)
    kinds = referee.game("hidden-hasami").kinds
    for piece in found.pieces:
        assert (piece.seat, piece.square) == (2, piece.origin)
        likely = {kinds[kind.kind - 1]: (kind.count, kind.probability) for kind in piece.kinds}
        assert likely == {"leader": (1, 1 / 7), "guard": (6, 6 / 7)}


def test_samples(referee: Referee, begun: bytes) -> None:
    """Every call about a sample says so; one that does not is refused, and so is one that says so of a real state."""
    knowledge = referee.update(begun, 1, knowledge=True).knowledge
    assert knowledge is not None
    samples = referee.sample_states(knowledge, 3, SEED)
    assert samples == referee.sample_states(knowledge, 3, SEED)
    sample = samples[0]
    move = referee.legal_actions(sample, 1, hypothetical=True).moves[0]
    after = referee.move(sample, 1, move, viewers=[2], knowledge=True, hypothetical=True)
    assert after.updates[2].status.hypothetical
    assert after.updates[2].knowledge is not None
    assert referee.describe(after.state, hypothetical=True).status.ply == 1
    assert referee.update(sample, 1, hypothetical=True).view == referee.update(begun, 1).view
    assert referee.reseal(sample, hypothetical=True).state == sample
    assert referee.replay(sample, [actions.move(1, move)], hypothetical=True).state == after.state
    assert referee.perft(sample, 1, hypothetical=True) == referee.perft(begun, 1)
    assert referee.legal_actions_of_many([(sample, 1)], hypothetical=True) == [referee.legal_actions(begun, 1)]
    looks = referee.updates_of_many([sample], [1], hypothetical=True, knowledge=True)
    assert not isinstance(looks[0], ServiceError)
    assert looks[0][1].knowledge is not None
    assert referee.apply_many([(sample, actions.move(1, move))], hypothetical=True) == [
        referee.move(sample, 1, move, hypothetical=True)
    ]
    alone = [referee.playout(one, 5, SEED + place, hypothetical=True) for place, one in enumerate(samples)]
    assert referee.playout_many(samples, 5, SEED, hypothetical=True) == alone
    for state, hypothetical, reason in ((sample, False, "HYPOTHETICAL_STATE"), (begun, True, "REAL_STATE")):
        with pytest.raises(ServiceError) as caught:
            referee.playout(state, 1, 1, hypothetical=hypothetical)
        assert caught.value.reason == reason
    refusals = referee.playout_many([sample, begun], 1, 1)
    assert isinstance(refusals[0], ServiceError)
    assert not isinstance(refusals[1], ServiceError)


def test_what_the_readme_shows_runs(process: ServerProcess) -> None:
    """Its second part goes on in the first one's connection."""
    page = (ROOT / "clients/python/README.md").read_text(encoding="utf-8")
    begin, search = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    code = begin.replace("127.0.0.1:50051", process.address) + textwrap.indent(search, "    ")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("{'leader': 0.14285714285714285, 'guard': 0.8571428571428571}") == 7
    assert "Playouts(games=100" in done.stdout
