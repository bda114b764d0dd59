"""Sealed tokens: what opens them, what does not and how that is told, and that equal states have equal tokens."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import grpc
import pytest
from contract import (
    Contract,
    Refused,
    Seats,
    apply_request,
    arrangement,
    move,
    named,
    read_status,
    refused,
    setup,
    wrap,
)
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV
from guarded import ARBITER, BACKEND, OTHER_BACKEND, SECRETS, bearing, keys, sealed, tokens, written
from shinpan.v1 import analysis_service_pb2, state_pb2
from shinpan.v1 import referee_service_pb2 as messages

from service.process import ServerProcess
from service.tokens import HEADER

BATCH = 256
ARENA = "arena"


@pytest.fixture(scope="module")
def backend(guarded: grpc.Channel) -> Contract:
    return bearing(guarded, BACKEND)


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Contract, Contract]]:
    """Two servers with the same key, one from a file and one from the environment, that know no callers."""
    path = written(tmp_path_factory.mktemp("keyed"), "keys", keys(1))
    with (
        ServerProcess(token_keys_file=path) as one,
        ServerProcess(environment={"SHINPAN_TOKEN_KEYS": keys(1)}) as two,
        grpc.insecure_channel(one.address) as first,
        grpc.insecure_channel(two.address) as second,
    ):
        yield Contract(first), Contract(second)


def outcomes(backend: Contract, candidates: Sequence[bytes]) -> list[bytes]:
    """What is said about each of many tokens: the bytes of its status; fails when one is accepted."""
    found: list[bytes] = []
    for first in range(0, len(candidates), BATCH):
        items = [
            messages.ListLegalActionsRequest(state=state_pb2.State(token=token), seat=1)
            for token in candidates[first : first + BATCH]
        ]
        answer = backend.referee.BatchListLegalActions(messages.BatchListLegalActionsRequest(items=items))
        for place, item in enumerate(answer.items):
            assert item.WhichOneof("outcome") == "error", first + place
            found.append(item.error.SerializeToString(deterministic=True))
    return found


def told(status: bytes) -> Refused:
    """A status taken apart."""
    message = messages.ListLegalActionsOutcome().error.FromString(status)
    code = next(code for code in grpc.StatusCode if code.value[0] == message.code)
    return read_status(code, message)


def refusal(backend: Contract, token: state_pb2.State) -> Refused:
    return refused(lambda: backend.referee.DescribeState(messages.DescribeStateRequest(state=token)))


def test_every_flipped_bit_is_refused(backend: Contract, seats: Seats) -> None:
    """In the header by name, everywhere else with one and the same error."""
    token = sealed(seats.state, 1, audience=ARENA).token
    flipped = [
        token[:place] + bytes((token[place] ^ 1 << bit,)) + token[place + 1 :]
        for place in range(len(token))
        for bit in range(8)
    ]
    statuses = outcomes(backend, flipped)
    assert len(statuses) == 8 * len(token)
    expected = {
        **dict.fromkeys(range(32), ("STATE_FORMAT", "magic")),
        **dict.fromkeys(range(32, 40), ("STATE_FORMAT", "version")),
        40: ("STATE_FORMAT", "key_id"),  # not sealed, yet a key is named
        **dict.fromkeys(range(41, 48), ("STATE_FORMAT", "algorithm")),
        48: ("STATE_FORMAT", "key_id"),  # key 0
        **dict.fromkeys(range(49, 64), ("TOKEN_KEY_UNKNOWN", None)),
    }
    del expected[57]  # key 513, which the server holds
    for bit, (reason, part) in expected.items():
        error = told(statuses[bit])
        assert (error.reason, error.metadata.get("part")) == (reason, part), bit
    uniform = {status for bit, status in enumerate(statuses) if bit not in expected}
    assert len(uniform) == 1
    assert told(uniform.pop()).reason == "TOKEN_REFUSED"


def test_every_cut_token_is_refused(backend: Contract, seats: Seats) -> None:
    token = sealed(seats.state, 1, audience=ARENA).token
    statuses = outcomes(backend, [token[:length] for length in range(len(token))] + [token + b"\x00"])
    assert told(statuses[0]).reason == "FIELD_REQUIRED"
    for length in range(1, len(HEADER)):
        assert told(statuses[length]).metadata["part"] == "magic"
    assert len(set(statuses[len(HEADER) :])) == 1
    assert told(statuses[-1]).reason == "TOKEN_REFUSED"


def test_another_audience_is_refused_like_any_damage(guarded: grpc.Channel, backend: Contract, seats: Seats) -> None:
    mine = sealed(seats.state, 1, audience=ARENA)
    damaged = state_pb2.State(token=mine.token[:-1] + bytes((mine.token[-1] ^ 1,)))
    assert refusal(bearing(guarded, OTHER_BACKEND), mine) == refusal(backend, damaged)
    assert refusal(backend, damaged).metadata == {}
    look = messages.DescribeStateRequest(state=mine)
    asked = (bearing(guarded, bearer).referee.DescribeState(look) for bearer in (BACKEND, ARBITER))
    assert [answer.game for answer in asked] == ["hidden-hasami"] * 2, "callers of one audience share their states"


def test_what_is_sealed_otherwise_is_no_state(backend: Contract, seats: Seats) -> None:
    """Whoever holds the key can seal anything; a body that is no state is refused by its own reason."""
    body = seats.state.to_bytes()
    token = tokens(1, audience=ARENA).seal(body[:-1] + bytes((body[-1] ^ 1,)))
    assert refusal(backend, state_pb2.State(token=token)).reason == "STATE_CHECKSUM"


def begun(contract: Contract, seats: Seats) -> Any:
    placed = {seat: arrangement(pieces) for seat, pieces in seats.arrangements.items()}
    return contract.referee.StartMatch(
        messages.StartMatchRequest(setup=setup("hidden-hasami", arrangements=placed, match_id=b"m"))
    )


def test_equal_states_have_equal_tokens_on_every_server(keyed: tuple[Contract, Contract], seats: Seats) -> None:
    one, two = (begun(contract, seats) for contract in keyed)
    assert one == two
    for packed in (move(1, "a1a2"), move(1, "b1b2")):
        request = messages.ApplyActionRequest(state=one.state, action=packed)
        answers = [contract.referee.ApplyAction(request) for contract in (*keyed, keyed[0])]
        assert answers[0] == answers[1] == answers[2]
        assert answers[0].state.token[8:20] != one.state.token[8:20], "another content has another nonce"


def test_every_answer_with_a_state_is_sealed(keyed: tuple[Contract, Contract], seats: Seats) -> None:
    referee = keyed[0].referee
    start = begun(keyed[0], seats)
    applied = messages.ApplyActionRequest(state=start.state, action=move(1, "a1a2"))
    answers = [
        start,
        referee.ApplyAction(applied),
        referee.BatchApplyActions(messages.BatchApplyActionsRequest(items=[applied])).items[0].result,
        referee.ReplayMatch(messages.ReplayMatchRequest(state=start.state, actions=[move(1, "a1a2")])),
        referee.ResealState(messages.ResealStateRequest(state=start.state)),
    ]
    own = tokens(1)
    states = [own.unseal(answer.state.token) for answer in answers]
    after = seats.game.start(match_id=b"m")
    for seat, pieces in seats.arrangements.items():
        after = after.arrange(seat, pieces).state
    assert states[0] == states[4] == after.to_bytes()
    assert states[1] == states[2] == states[3] == after.play("a1a2").state.to_bytes()
    assert answers[4].state == start.state, "nothing to change"
    for answer, state in zip(answers, states, strict=True):
        assert answer.state.token[:8] == b"SHPN\x01\x01\x01\x00"
        assert len(answer.state.token) == 8 + 12 + len(state) + 16
        assert state[:8] not in answer.state.token


def test_knowledge_is_sealed_too(guarded: grpc.Channel, backend: Contract, seats: Seats) -> None:
    """For the audience of the caller that was told it."""
    look = messages.GetUpdateRequest(
        state=sealed(seats.state, 1, audience=ARENA), viewers=named(1), include_knowledge=True
    )
    told_to_seat_1 = backend.referee.GetUpdate(look).updates[0].knowledge
    assert told_to_seat_1.token == tokens(1, audience=ARENA).seal(seats.state.knowledge(1).to_bytes())
    ask = analysis_service_pb2.DeduceRequest(knowledge=told_to_seat_1)
    assert backend.analysis.Deduce(ask).pieces
    error = refused(lambda: bearing(guarded, OTHER_BACKEND).analysis.Deduce(ask))
    assert (error.reason, error.fields) == ("TOKEN_REFUSED", ("knowledge.token",))
    assert refusal(backend, state_pb2.State(token=told_to_seat_1.token)).reason == "STATE_FORMAT"


def test_keys_are_not_used_as_they_are(keyed: tuple[Contract, Contract], seats: Seats) -> None:
    """The key itself opens nothing: encryption has a key of its own, derived from it."""
    token = begun(keyed[0], seats).state.token
    with pytest.raises(InvalidTag):
        AESGCMSIV(SECRETS[1]).decrypt(token[8:20], token[20:], token[:8])


def test_unsealed_states_are_accepted_only_while_told_to(tmp_path: Path, seats: Seats) -> None:
    path = written(tmp_path, "keys", keys(513))
    plain = wrap(seats.state)
    with (
        ServerProcess(token_keys_file=path, accept_unsealed=True) as process,
        grpc.insecure_channel(process.address) as channel,
    ):
        contract = Contract(channel)
        resealed = contract.referee.ResealState(messages.ResealStateRequest(state=plain)).state
        assert resealed == sealed(seats.state, 513)
        played = contract.referee.ApplyAction(apply_request(seats.state, move(1, "a1a2"))).state
        assert played == sealed(seats.state.play("a1a2").state, 513)
        assert refusal(contract, sealed(seats.state, 513, audience=ARENA)).reason == "TOKEN_REFUSED"


def test_a_server_without_keys_reseals_to_the_same(contract: Contract, seats: Seats) -> None:
    plain = wrap(seats.state)
    answer = contract.referee.ResealState(messages.ResealStateRequest(state=plain))
    description = contract.referee.DescribeState(messages.DescribeStateRequest(state=plain))
    assert (answer.state, answer.digest) == (plain, description.digest)
