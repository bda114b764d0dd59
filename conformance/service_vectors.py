"""The vectors that are about no game in particular: callers, keys, sizes, and states that nobody has played."""

from typing import Any

from shinpan import actions
from shinpan.v1 import analysis_service_pb2 as analysis
from shinpan.v1 import match_pb2, state_pb2
from shinpan.v1 import referee_service_pb2 as messages
from shinpan.v1.viewer_pb2 import VIEWER_REFEREE, VIEWER_SEAT_1

import engine_core
from conformance import broken_states
from conformance.book import Book
from conformance.servers import Servers, sealed
from conformance.vectors import Vector
from service.tokens import seal

GAME = "hidden-hasami"
"""The game whose states are broken; see `broken_states`."""
_SIZE_LIMIT = 64 * 1024
"""Of requests and answers of the plain server."""
_MAX_ITEMS = 256


def service_vectors(servers: Servers) -> list[Vector]:
    """All of them."""
    plain, keyed = Book(servers, "plain"), Book(servers, "sealed")
    state = _in_play()
    plain.answer("the games", messages.ListGamesRequest())
    for book in (plain, keyed):
        book.refusal("UNKNOWN_GAME", messages.GetGameRequest(game="chess"))
        book.refusal("UNKNOWN_GAME", messages.StartMatchRequest(setup=match_pb2.MatchSetup(game="chess")), "a match")
        book.refusal("FIELD_REQUIRED", messages.GetGameRequest(), "game")
        book.refusal("FIELD_REQUIRED", messages.StartMatchRequest(), "setup")
        book.refusal("FIELD_REQUIRED", messages.ReplayMatchRequest(), "start")
        book.refusal("FIELD_REQUIRED", analysis.DeduceRequest(), "knowledge")
        book.refusal("STATE_FORMAT", _described(b"no state at all"))
    _refuse_sizes(plain, state)
    _refuse_broken_states(plain, state)
    _refuse_seals(plain, keyed, state)
    return [*plain, *keyed, *_of_callers(servers, state)]


def _in_play() -> engine_core.State:
    """A state at the beginning of play."""
    game = engine_core.load(GAME)
    state = game.start()
    for seat in game.seats:
        state = state.arrange(seat, game.random_arrangement(seat, seed=seat)).state
    return state


def _described(token: bytes) -> messages.DescribeStateRequest:
    return messages.DescribeStateRequest(state=state_pb2.State(token=token))


def _refuse_sizes(book: Book, state: engine_core.State) -> None:
    book.refusal("MESSAGE_TOO_LARGE", _described(bytes(_SIZE_LIMIT)))
    looks, lists = messages.BatchGetUpdatesRequest(), messages.BatchListLegalActionsRequest()
    applications, playouts = messages.BatchApplyActionsRequest(), analysis.BatchPlayoutsRequest()
    for batch in (looks, lists, applications, playouts):
        for _ in range(_MAX_ITEMS + 1):
            batch.items.add()
        book.refusal("BATCH_TOO_LARGE", batch, batch.DESCRIPTOR.name)
    token = seal(state.to_bytes())
    wide = messages.BatchGetUpdatesRequest()
    for _ in range(_MAX_ITEMS // 2):
        wide.items.add(state=state_pb2.State(token=token), viewers=[VIEWER_SEAT_1], include_diagrams=True)
    book.refusal("ANSWER_TOO_LARGE", wide)
    games = analysis.BatchPlayoutsRequest()
    for _ in range(2):
        games.items.add(state=state_pb2.State(token=token), games=5001)
    book.refusal("BUDGET_EXCEEDED", games, "games of all items")


def _refuse_broken_states(book: Book, state: engine_core.State) -> None:
    squares = state.game.squares
    moved = state
    for _ in range(2):
        moved = next(turn.state for turn in map(moved.play, moved.legal_moves()) if not turn.captured)
    ended = state.resign(1).state
    for reason, data in {
        "STATE_HEADER": broken_states.with_byte(state, broken_states.FLAGS, 0xFF),
        "STATE_PHASE": broken_states.with_byte(state, broken_states.PHASE, 7),
        "STATE_ROSTER": broken_states.with_byte(state, broken_states.KINDS, 9),
        "STATE_OCCUPANCY": broken_states.with_byte(state, broken_states.SQUARES, squares.index("b1")),
        "STATE_EVIDENCE": broken_states.with_byte(state, broken_states.SQUARES, squares.index("a4")),
        "STATE_HISTORY": broken_states.with_byte(moved, -2, 48),
        "STATE_RESULT": broken_states.with_byte(ended, broken_states.WINNERS, 0),
        "RULESET_UNAVAILABLE": broken_states.with_other_rules(state),
    }.items():
        book.refusal(reason, _described(seal(data)))


def _refuse_seals(plain: Book, keyed: Book, state: engine_core.State) -> None:
    body = state.to_bytes()
    plain.refusal("TOKEN_SEALED", _described(sealed(body, 2)))
    keyed.refusal("TOKEN_NOT_SEALED", _described(seal(body)))
    keyed.refusal("TOKEN_KEY_UNKNOWN", _described(sealed(body, 3)))
    keyed.refusal("TOKEN_REFUSED", _described(sealed(body, 2, audience="another")), "of another audience")
    keyed.refusal("TOKEN_REFUSED", _described(sealed(body, 2)[:-1]), "cut")
    older = state_pb2.State(token=sealed(body, 1))
    keyed.answer("a state under an older key", messages.DescribeStateRequest(state=older))
    keyed.answer("a state under an older key, sealed again", messages.ResealStateRequest(state=older))
    look = messages.GetUpdateRequest(state=older, viewers=[VIEWER_REFEREE])
    keyed.refusal("REFEREE_DISABLED", look)
    keyed.refusal("REFEREE_DISABLED", analysis.PlayoutRequest(state=older, games=1), "random games")
    keyed.refusal("REFEREE_DISABLED", analysis.PerftRequest(state=older, depth=1), "sequences")


def _of_callers(servers: Servers, state: engine_core.State) -> list[Vector]:
    """What a server makes of callers whom it knows, does not know, and who do not say who they are."""
    known, unknown, nobody = (Book(servers, "guarded", bearer) for bearer in ("known", "unknown", "none"))
    wrapped = state_pb2.State(token=seal(state.to_bytes()))
    requests: tuple[Any, ...] = (
        messages.ListGamesRequest(),
        messages.GetGameRequest(game=GAME),
        messages.ApplyActionRequest(state=wrapped, action=actions.resign(1), viewers=[VIEWER_SEAT_1]),
        analysis.DrawArrangementRequest(game=GAME, seat=1, seed=1),
    )
    for request in requests:
        known.answer(request.DESCRIPTOR.name, request)
        unknown.refusal("BEARER_UNKNOWN", request, request.DESCRIPTOR.name)
        nobody.refusal("BEARER_MISSING", request, request.DESCRIPTOR.name)
    known.refusal("PERMISSION_MISSING", messages.GetUpdateRequest(state=wrapped, viewers=[VIEWER_REFEREE]), "view")
    known.refusal("PERMISSION_MISSING", analysis.PlayoutRequest(state=wrapped, games=1), "random games")
    known.refusal("PERMISSION_MISSING", analysis.PerftRequest(state=wrapped, depth=1), "sequences")
    return [*known, *unknown, *nobody]
