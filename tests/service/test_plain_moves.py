"""Plain moves that are answered without messages get the bytes that they would get with them, and are counted alike."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from contract import SEED, Silent, arranged_state, named
from guarded import tokens
from shinpan.v1 import action_pb2, referee_service_pb2, state_pb2

import engine_core
from engine_core import State
from service.access import ANYONE, Caller
from service.call import Call
from service.config import read_settings
from service.errors import Refusal
from service.handler import Direct
from service.metrics import Metrics
from service.referee import Referee
from service.seals import SealedTokens
from service.tokens import PLAIN, Tokens

Request = referee_service_pb2.ApplyActionRequest
Batch = referee_service_pb2.BatchApplyActionsRequest
OPTIONS = {
    "hidden-capture-flag": {"battle_reveal": "shown"},
    "salpakan-classic": {"battle_reveal": "event"},
    "luzhanqi-mini": {"reveal_at_end": "on"},
}
CASES = [*((game, {}) for game in engine_core.games()), *OPTIONS.items()]


class Method:
    """A method of a server without a transport, in both ways of answering it."""

    def __init__(self, name: str, sealing: Tokens = PLAIN) -> None:
        self.metrics = Metrics()
        handler = Referee(read_settings([], {}), self.metrics).handlers()[name]
        assert isinstance(handler, Direct)
        self._handler = handler
        self._tokens = sealing

    def plainly(self, request: Any, caller: Caller = ANYONE) -> bytes | None:
        return self._handler.plain(request.SerializeToString(), self._call(caller))

    def otherwise(self, request: Any, caller: Caller = ANYONE) -> bytes | None:
        """None when it is refused."""
        try:
            answer = self._handler.other(request, self._call(caller))
        except Refusal:
            return None
        assert isinstance(answer, bytes)
        return answer

    def counted(self) -> dict[tuple[str, str], float]:
        return {
            (sample.name, str(sample.labels)): sample.value
            for family in self.metrics.registry.collect()
            if family.name.startswith("shinpan_")
            for sample in family.samples
            if not sample.name.endswith("_created")
        }

    def _call(self, caller: Caller) -> Call:
        return Call(Silent(None), 4 << 20, caller, self._tokens)


def requests_of_a_match(
    game: str, options: dict[str, str], seed: int, seal: Callable[[bytes], bytes], hypothetical: bool = False
) -> list[Request]:
    """Requests along a random match: most are plain moves, others name what is not, or what is wrong."""
    chance = random.Random(seed)
    state = arranged_state(game, seed, **options).state
    if hypothetical:
        state = state.sample(state.game.seats[0], 1, seed)[0]
    found: list[Request] = []
    while state.result is None and len(found) < 250:
        chosen = chance.choice(state.legal_moves())
        found.append(request_for(state, int(chosen), chance, seal))
        if state.phase == "play" and not state.draw_agreed and chance.random() < 0.03:
            state = state.offer_draw(chance.choice(state.game.seats)).state if state.ply else state
        state = state.play(chosen).state
    found.append(request_for(state, 1, chance, seal))
    return found


def request_for(state: State, move: int, chance: random.Random, seal: Callable[[bytes], bytes]) -> Request:
    """A request to make a move; one in four is wrong somewhere, or asks for more than most do."""
    seats = list(state.game.seats)
    request = Request(
        state=state_pb2.State(token=seal(state.to_bytes())),
        action=action_pb2.Action(seat=state.to_move or 1, move=action_pb2.Move(packed=move)),
        viewers=named(*chance.sample([*seats, 14], chance.randrange(len(seats) + 2))),
        expect_hypothetical=state.hypothetical,
    )
    if chance.random() < 0.3:
        request.expected_revision = state.revision
    if chance.random() < 0.25:
        change = chance.choice(CHANGES)
        change(request, chance)
    return request


def _viewers(*viewers: int) -> Callable[[Request, random.Random], None]:
    return lambda request, _: request.viewers.extend(named(*viewers))


def _token(request: Request, chance: random.Random) -> None:
    damaged = bytearray(request.state.token)
    damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
    request.state.token = bytes(damaged)


CHANGES: list[Callable[[Request, random.Random], None]] = [
    lambda request, _: setattr(request.action, "seat", request.action.seat % 2 + 1),
    lambda request, _: setattr(request.action, "seat", 0),
    lambda request, _: setattr(request.action, "seat", 9),
    lambda request, chance: setattr(request.action.move, "packed", chance.randrange(1 << 16)),
    lambda request, _: setattr(request.action.move, "packed", 0xFFFF),
    lambda request, _: setattr(request.action.move, "packed", 1 << 16),
    lambda request, _: setattr(request.action.move, "text", "a1a2"),
    lambda request, _: setattr(request, "expected_revision", 12345),
    lambda request, _: setattr(request, "include_diagrams", True),
    lambda request, _: setattr(request, "include_knowledge", True),
    lambda request, _: setattr(request, "expect_hypothetical", not request.expect_hypothetical),
    lambda request, _: request.action.resign.SetInParent(),
    lambda request, _: request.ClearField("action"),
    lambda request, _: request.ClearField("state"),
    lambda request, chance: setattr(request.state, "token", request.state.token[: chance.randrange(9)]),
    _viewers(15),
    _viewers(0),
    _viewers(5),
    _viewers(1, 1),
    _viewers(1, 2, 14, 15, 3, 4, 1),
    _token,
]


def is_plain(request: Request) -> bool:
    """Whether a request that is not refused is to be answered without messages."""
    return (
        request.action.WhichOneof("kind") == "move"
        and request.action.move.WhichOneof("spelling") == "packed"
        and not request.include_diagrams
        and not request.include_knowledge
        and 15 not in request.viewers
    )


@pytest.mark.parametrize(("game", "options"), CASES, ids=str)
def test_plain_moves_get_the_same_bytes(game: str, options: dict[str, str]) -> None:
    print(f"seed {SEED}")
    plain, other = Method("ApplyAction"), Method("ApplyAction")
    answered = 0
    for request in requests_of_a_match(game, options, SEED, PLAIN.seal):
        answer = other.otherwise(request)
        found = plain.plainly(request)
        if answer is not None and is_plain(request):
            assert found == answer, request
            answered += 1
        else:
            assert found is None, request
            plain.otherwise(request)
        assert plain.counted() == other.counted(), request
    assert answered >= 5


@pytest.mark.parametrize("hypothetical", [False, True])
def test_sealed_and_hypothetical_states(hypothetical: bool) -> None:
    print(f"seed {SEED}")
    sealing: SealedTokens = tokens(1, 513, audience="arena")
    plain, other = Method("ApplyAction", sealing), Method("ApplyAction", sealing)
    answered = 0
    for request in requests_of_a_match("luzhanqi-mini", {}, SEED, sealing.seal, hypothetical):
        answer = other.otherwise(request)
        found = plain.plainly(request)
        assert found == (answer if is_plain(request) else None), request
        answered += found is not None
    assert plain.counted().get(("shinpan_actions_total", "{'game': 'luzhanqi-mini'}"), 0) == (
        0 if hypothetical else answered
    )
    assert answered > 50


def test_only_for_callers_that_may_play() -> None:
    method = Method("ApplyAction")
    request = next(filter(is_plain, requests_of_a_match("hidden-hasami", {}, SEED, PLAIN.seal)))
    assert method.plainly(request) is not None
    assert method.plainly(request, Caller(b"", frozenset(("referee-view",)))) is None


@pytest.mark.parametrize("unusual", [False, True], ids=["plain", "mixed"])
def test_batches_get_the_same_bytes(unusual: bool) -> None:
    """Items that are not plain, or are refused, are answered beside those that are."""
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    plain, other = Method("BatchApplyActions"), Method("BatchApplyActions")
    items = [
        request
        for game in engine_core.games()
        for request in requests_of_a_match(game, {}, SEED, PLAIN.seal)
        if unusual or (request.action.move.WhichOneof("spelling") == "packed" and request.HasField("state"))
    ]
    for _ in range(6):
        batch = Batch(items=chance.sample(items, 60))
        answer = other.otherwise(batch)
        assert answer is not None
        assert plain.plainly(batch) == answer
        assert plain.counted() == other.counted()
        read = referee_service_pb2.BatchApplyActionsResponse.FromString(answer)
        assert {one.WhichOneof("outcome") for one in read.items} == {"result", "error"}


def test_batches_that_are_refused_as_a_whole_are_not_begun() -> None:
    method = Method("BatchApplyActions")
    item = next(filter(is_plain, requests_of_a_match("hidden-hasami", {}, SEED, PLAIN.seal)))
    assert method.plainly(Batch(items=[item])) is not None
    before = method.counted()
    assert method.plainly(Batch()) is None
    assert method.plainly(Batch(items=[item] * 257)) is None
    text = Request(action=action_pb2.Action(move=action_pb2.Move(text="a1a2"))).SerializeToString()
    broken = (
        Batch(items=[item, item]).SerializeToString() + b"\n" + bytes((len(text),)) + text[:-4] + b"\xff\xff\xff\xff"
    )
    handler = Referee(read_settings([], {}), method.metrics).handlers()["BatchApplyActions"]
    assert isinstance(handler, Direct)
    assert handler.plain(broken, Call(Silent(None), 4 << 20)) is None
    assert method.counted() == before


def test_a_batch_stops_when_its_answer_is_too_large() -> None:
    handler = Referee(read_settings([], {}), Metrics()).handlers()["BatchApplyActions"]
    assert isinstance(handler, Direct)
    item = next(filter(is_plain, requests_of_a_match("hidden-hasami", {}, SEED, PLAIN.seal)))
    data = Batch(items=[item] * 20).SerializeToString()
    whole = handler.plain(data, Call(Silent(None), 4 << 20))
    assert whole is not None
    with pytest.raises(Refusal, match="larger than 2000 bytes"):
        handler.plain(data, Call(Silent(None), 2_000))
    with pytest.raises(Refusal, match="deadline"):
        handler.plain(data, Call(Silent(0.0, checks=3), 4 << 20))
