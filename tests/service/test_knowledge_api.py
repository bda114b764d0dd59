"""Knowledge, deductions and samples over the API, against values worked out by hand."""

import random
from collections import Counter
from math import factorial
from typing import Any

import grpc
import pytest
from bot_requests import knowledge, playout, sample, told
from contract import (
    REFEREE,
    SEED,
    SPECTATOR,
    Contract,
    Refused,
    Seats,
    apply_request,
    arranged_state,
    arrangement,
    named,
    read_error,
    refused,
    resign,
    setup,
    wrap,
)
from google.protobuf.message import Message
from shinpan.v1 import analysis_service_pb2, knowledge_pb2, referee_service_pb2

import engine_core
from engine_core import State
from service.config import MAX_ANSWER_BYTES
from service.tokens import seal, unseal

ANALYSIS = analysis_service_pb2
MINI = engine_core.load("luzhanqi-mini")


def deduced(contract: Contract, state: State, viewer: int) -> tuple[int, dict[str, dict[str, int]]]:
    """The number of assignments, and for each hidden piece by start square in how many it is of each kind."""
    answer = contract.analysis.Deduce(ANALYSIS.DeduceRequest(knowledge=knowledge(contract, state, viewer)))
    assert answer.exact
    total = int(answer.count)
    found = {}
    for piece in answer.pieces:
        numbers = [kind.kind for kind in piece.kinds]
        assert numbers == sorted(set(numbers))
        for kind in piece.kinds:
            assert kind.probability == int(kind.count) / total
        found[state.game.squares[piece.origin]] = {
            state.game.kinds[kind.kind - 1]: int(kind.count) for kind in piece.kinds
        }
    return total, found


def three_against_two() -> State:
    """Seat 2 has one commander, engineer and mine; seat 1 two officers, the one beside the engineer."""
    theirs = {"a4": "engineer", "c8": "commander", "e8": "mine"}
    return MINI.position({1: {"a3": "officer", "g1": "officer"}, 2: theirs}, to_move=1)


@pytest.mark.parametrize("game_id", engine_core.games())
def test_each_viewer_gets_its_own_knowledge(contract: Contract, game_id: str) -> None:
    """In every phase, from every method with updates; the referee gets none, and nobody who did not ask."""
    game = engine_core.load(game_id)
    states = [game.start(), arranged_state(game_id).state, arranged_state(game_id).state.resign(1).state]
    viewers = (*game.seats, SPECTATOR)
    for state in states:
        seen = told(contract, state, *viewers, REFEREE)
        for viewer, update in zip(viewers, seen, strict=False):
            holder = engine_core.SPECTATOR if viewer == SPECTATOR else viewer
            assert unseal(update.knowledge.token) == state.knowledge(holder).to_bytes()
        assert not seen[-1].HasField("knowledge")
        plain = referee_service_pb2.GetUpdateRequest(state=wrap(state), viewers=named(*viewers))
        for update, with_knowledge in zip(contract.referee.GetUpdate(plain).updates, seen, strict=False):
            assert not update.HasField("knowledge")
            with_knowledge.ClearField("knowledge")
            assert update == with_knowledge


def test_every_method_with_updates_gives_knowledge(contract: Contract, seats: Seats) -> None:
    messages, referee = referee_service_pb2, contract.referee
    placed = {seat: arrangement(pieces) for seat, pieces in seats.arrangements.items()}
    begin = setup(seats.game.id, arrangements=placed)
    wanted: dict[str, Any] = {"viewers": named(1, SPECTATOR), "include_knowledge": True}
    application = apply_request(seats.state, resign(1), **wanted)
    look = messages.GetUpdateRequest(state=wrap(seats.state), **wanted)
    after = seats.state.resign(1).state
    answers = [
        (referee.StartMatch(messages.StartMatchRequest(setup=begin, **wanted)), seats.state),
        (referee.ApplyAction(application), after),
        (referee.ReplayMatch(messages.ReplayMatchRequest(setup=begin, actions=[resign(1)], **wanted)), after),
        (referee.BatchApplyActions(messages.BatchApplyActionsRequest(items=[application])).items[0].result, after),
        (referee.BatchGetUpdates(messages.BatchGetUpdatesRequest(items=[look])).items[0].result, seats.state),
    ]
    for answer, state in answers:
        held = [unseal(update.knowledge.token) for update in answer.updates]
        assert held == [state.knowledge(1).to_bytes(), state.knowledge(engine_core.SPECTATOR).to_bytes()]


def swapped(pieces: dict[str, str], here: str, there: str) -> dict[str, str]:
    return {**pieces, here: pieces[there], there: pieces[here]}


@pytest.mark.parametrize("game_id", ["luzhanqi-mini", "hidden-hasami", "hidden-capture-flag", "gunjin-shogi"])
def test_what_cannot_be_told_apart_gets_the_same_bytes(contract: Contract, game_id: str) -> None:
    """Two matches that differ in where seat 2 has two kinds: the same knowledge, deduction, samples, and playouts."""
    game = engine_core.load(game_id)
    own, theirs = game.random_arrangement(1, SEED), game.random_arrangement(2, SEED)
    others = next(
        other
        for here in theirs
        for there in theirs
        if theirs[here] != theirs[there]
        for other in [swapped(theirs, here, there)]
        if legal(game, other)
    )
    one, two = (game.start().arrange(1, own).state.arrange(2, pieces).state for pieces in (theirs, others))
    assert one.pieces() != two.pieces()
    for viewer in (1, SPECTATOR):
        first, second = (asked(contract, state, viewer) for state in (one, two))
        assert first == second
    assert asked(contract, one, 2) != asked(contract, two, 2)


def legal(game: engine_core.Game, pieces: dict[str, str]) -> bool:
    try:
        game.start().arrange(2, pieces)
    except engine_core.RefereeError:
        return False
    return True


def asked(contract: Contract, state: State, viewer: int) -> list[Message]:
    """The answers to all that a bot of this viewer asks."""
    held = knowledge(contract, state, viewer)
    sample = contract.analysis.SampleStates(ANALYSIS.SampleStatesRequest(knowledge=held, count=5, seed=SEED))
    return [
        held,
        contract.analysis.Deduce(ANALYSIS.DeduceRequest(knowledge=held)),
        sample,
        *(contract.analysis.Playout(playout(one, 3, hypothetical=True)) for one in sample.states),
    ]


def test_roster_and_movement(contract: Contract) -> None:
    """Three hidden pieces of three kinds: 3! assignments; once one of them has moved, it is no mine: 2 times 2!."""
    state = three_against_two()
    assert deduced(contract, state, 1) == (
        6,
        {square: {"commander": 2, "engineer": 2, "mine": 2} for square in ("a4", "c8", "e8")},
    )
    state = state.play("g1g2").state.play("c8c7").state
    assert deduced(contract, state, 1) == (
        4,
        {
            "a4": {"commander": 1, "engineer": 1, "mine": 2},
            "c8": {"commander": 2, "engineer": 2},
            "e8": {"commander": 1, "engineer": 1, "mine": 2},
        },
    )


def test_a_battle_that_is_won(contract: Contract) -> None:
    """An officer beats of these kinds the engineer only; the captured piece is told as captured."""
    state = three_against_two().play("a3a4").state
    assert deduced(contract, state, 1) == (
        2,
        {
            "a4": {"engineer": 2},
            "c8": {"commander": 1, "mine": 1},
            "e8": {"commander": 1, "mine": 1},
        },
    )
    answer = contract.analysis.Deduce(ANALYSIS.DeduceRequest(knowledge=knowledge(contract, state, 1)))
    places = [(piece.seat, piece.HasField("square"), piece.square) for piece in answer.pieces]
    assert places == [(2, False, 0), *((2, True, MINI.squares.index(square)) for square in ("c8", "e8"))]


def test_a_battle_between_two_hidden_pieces(contract: Contract) -> None:
    """To a spectator: officer or engineer met commander or soldier and lost, so it was not officer against soldier."""
    pieces = {1: {"a3": "engineer", "g1": "officer"}, 2: {"a4": "soldier", "g8": "commander"}}
    state = MINI.position(pieces, 1).play("a3a4").state
    assert deduced(contract, state, SPECTATOR) == (
        3,
        {
            "a3": {"officer": 1, "engineer": 2},
            "g1": {"officer": 2, "engineer": 1},
            "a4": {"commander": 2, "soldier": 1},
            "g8": {"commander": 1, "soldier": 2},
        },
    )
    assert deduced(contract, state, 2) == (1, {"a3": {"engineer": 1}, "g1": {"officer": 1}})


def test_set_up_rules(contract: Contract) -> None:
    """The flag on one of 2 headquarters, 2 mines and 2 bombs beside it on the back rank, and 9 pieces anywhere else."""
    total = 2 * 15 * 6 * (factorial(9) // (factorial(1) * factorial(2) * factorial(3) * factorial(3)))
    count, pieces = deduced(contract, arranged_state("luzhanqi-mini").state, 1)
    assert count == total == 907_200
    assert pieces["b8"]["flag"] == pieces["f8"]["flag"] == total // 2
    assert pieces["b8"]["mine"] == total // 2 * 2 // 6
    assert pieces["a8"]["mine"] == total * 2 // 6
    assert pieces["a7"] == {
        "commander": total // 9, "officer": total * 2 // 9, "soldier": total * 3 // 9, "engineer": total * 3 // 9,
    }  # fmt: skip


def test_counts_beyond_64_bits(contract: Contract) -> None:
    """40 pieces on 40 squares without further rules: as many as there are orders of the roster."""
    alike = [1, 1, 2, 3, 4, 4, 4, 5, 8, 1, 6, 1]
    total = factorial(40)
    for number in alike:
        total //= factorial(number)
    state = arranged_state("hidden-capture-flag").state
    answer = contract.analysis.Deduce(ANALYSIS.DeduceRequest(knowledge=knowledge(contract, state, 1)))
    assert answer.count == str(total)
    assert total > 2**64
    assert {kind.count for kind in answer.pieces[0].kinds} == {str(total * number // 40) for number in alike}


def test_samples_fit_the_knowledge(contract: Contract) -> None:
    """Four assignments, each drawn about as often: 200 draws, 4 standard deviations around 50."""
    print("seed", SEED)
    state = three_against_two().play("g1g2").state.play("c8c7").state
    drawn = sample(contract, state, 1, 200)
    counts = Counter(tuple(sorted(one.pieces()[2].items())) for one in drawn)
    assert len(counts) == 4
    assert all(26 <= number <= 74 for number in counts.values()), counts
    for one in drawn:
        assert one.hypothetical
        assert one.view(1) == state.view(1)
        assert one.pieces()[1] == state.pieces()[1]
        assert one.knowledge(2).view().seats == state.view(2).seats
    assert drawn == sample(contract, state, 1, 200)
    assert drawn != sample(contract, state, 1, 200, SEED + 1)
    assert drawn[:7] == sample(contract, state, 1, 7)


def test_the_largest_sample_fits_into_an_answer(contract: Contract) -> None:
    """256 states of the longest tokens: 255 pieces with 7 bytes and 255 battles with 4 each, 4095 moves with 2."""
    longest = 255 * 7 + 255 * 4 + 4_095 * 2 + 1_000
    assert 256 * longest < MAX_ANSWER_BYTES
    assert len(sample(contract, arranged_state("luzhanqi-four").state, 1, 256)) == 256


def of_knowledge(contract: Contract, token: bytes) -> Refused:
    """The error of both methods that take knowledge, which is the same."""
    held = knowledge_pb2.Knowledge(token=token)
    one = refused(lambda: contract.analysis.Deduce(ANALYSIS.DeduceRequest(knowledge=held)))
    two = refused(lambda: contract.analysis.SampleStates(ANALYSIS.SampleStatesRequest(knowledge=held, count=1)))
    assert one == two
    return one


def test_knowledge_that_is_none(contract: Contract, seats: Seats) -> None:
    held = knowledge(contract, seats.state, 1).token
    cases = {
        b"": "FIELD_REQUIRED",
        b"x": "STATE_FORMAT",
        wrap(seats.state).token: "STATE_FORMAT",
        held[:-1]: "STATE_LENGTH",
        held[:-1] + bytes([held[-1] ^ 1]): "STATE_CHECKSUM",
        held[:8] + b"\x89" + held[9:]: "STATE_VERSION",
    }
    for token, reason in cases.items():
        error = of_knowledge(contract, token)
        assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, reason)
        assert error.fields == ("knowledge.token",)
    assert of_knowledge(contract, wrap(seats.state).token).message == "knowledge.token is a state, not knowledge."
    unset = refused(lambda: contract.analysis.Deduce(ANALYSIS.DeduceRequest()))
    assert (unset.reason, unset.fields) == ("FIELD_REQUIRED", ("knowledge.token",))


def test_deduction_works_in_play(contract: Contract, seats: Seats) -> None:
    before = MINI.start()
    after = seats.state.resign(2).state
    for state, reason in ((before, "ARRANGEMENT_PENDING"), (after, "MATCH_OVER")):
        error = of_knowledge(contract, seal(state.knowledge(1).to_bytes()))
        assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, reason)


def test_how_many_samples(contract: Contract, seats: Seats) -> None:
    held = knowledge(contract, seats.state, 1)

    def of(count: int) -> Refused:
        request = ANALYSIS.SampleStatesRequest(knowledge=held, count=count)
        return refused(lambda: contract.analysis.SampleStates(request))

    none, many = of(0), of(257)
    assert (none.reason, none.fields) == ("INVALID_VALUE", ("count",))
    assert (many.reason, many.metadata["limit"]) == ("BUDGET_EXCEEDED", "256")


def test_samples_that_are_too_rare(contract: Contract) -> None:
    """To a spectator every battle ties two hidden pieces; after many of them hardly any draw fits the rosters."""
    print("seed", SEED)
    chance, state = random.Random(SEED), arranged_state("luzhanqi-four", battle_reveal="none").state
    found = 0
    while state.phase == "play" and state.ply < 800:
        state = state.play(chance.choice(state.legal_moves())).state
        if state.ply % 80 == 0 and state.phase == "play":
            held = knowledge(contract, state, SPECTATOR)
            exact = contract.analysis.Deduce(ANALYSIS.DeduceRequest(knowledge=held)).exact
            request = ANALYSIS.SampleStatesRequest(knowledge=held, count=100)
            try:
                contract.analysis.SampleStates(request)
            except grpc.RpcError as caught:
                error = read_error(caught)
                break
            found += 1
    else:
        raise AssertionError("samples were found in every state")
    assert found
    assert not exact
    assert (error.reason, error.metadata["limit"]) == ("BUDGET_EXCEEDED", "1000000")
    assert 0 <= int(error.metadata["found"]) < 100


def test_an_answer_of_samples_has_its_size(strict: Contract, contract: Contract, seats: Seats) -> None:
    request = ANALYSIS.SampleStatesRequest(knowledge=knowledge(contract, seats.state, 1), count=64)
    assert refused(lambda: strict.analysis.SampleStates(request)).reason == "ANSWER_TOO_LARGE"
