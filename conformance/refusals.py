"""The vectors of what is refused in any game."""

from typing import Any

from shinpan import actions
from shinpan.v1 import action_pb2, game_pb2, knowledge_pb2, match_pb2, state_pb2, update_pb2
from shinpan.v1 import analysis_service_pb2 as analysis
from shinpan.v1 import referee_service_pb2 as messages
from shinpan.v1.viewer_pb2 import VIEWER_SPECTATOR, VIEWER_UNSPECIFIED

from conformance.book import Book
from conformance.matches import Match

_HEADER_BYTES = 8
"""Of a token; the version of the format follows."""
_LAST_SQUARE = 255
"""No board has so many squares that this were one of them."""


def refuse(book: Book, match: Match) -> None:
    """Write down what is refused in a match, in its middle and elsewhere, on a server that answers everybody."""
    middle = match.states[len(match.states) // 2]
    _refuse_setups(book, match.game)
    _refuse_arrangements(book, match)
    _refuse_moves(book, match, middle)
    _refuse_actions(book, match, middle)
    refuse_looks(book, match)
    _refuse_analysis(book, middle)
    _refuse_tokens(book, middle)


def _refuse_setups(book: Book, game: game_pb2.Game) -> None:
    def start(**fields: Any) -> messages.StartMatchRequest:
        return messages.StartMatchRequest(setup=match_pb2.MatchSetup(game=game.id, **fields))

    first = game.options[0].name
    book.refusal("UNKNOWN_OPTION", messages.GetGameRequest(game=game.id, options={"weather": "rain"}))
    book.refusal("UNKNOWN_OPTION", start(options={"weather": "rain"}), "a match")
    book.refusal("INVALID_OPTION_VALUE", messages.GetGameRequest(game=game.id, options={first: "perhaps"}))
    book.refusal("INVALID_OPTION_VALUE", start(options={first: "perhaps"}), "a match")
    book.refusal("UNKNOWN_GAME", messages.GetGameRequest(game=game.id, revision=999), "a revision")
    book.refusal("INVALID_SEAT", start(first_seat=len(game.seats) + 1), "the first one")
    book.refusal("INVALID_SEAT", analysis.DrawArrangementRequest(game=game.id, seat=0), "an arrangement")
    book.refusal("INVALID_VALUE", start(match_id=bytes(33)), "a long name")


def _refuse_arrangements(book: Book, match: Match) -> None:
    bare = messages.StartMatchRequest(setup=match_pb2.MatchSetup(game=match.game.id))
    start = book.ask(bare).state
    if match.game.fixed_start:
        nothing = action_pb2.Action(seat=1, arrange=action_pb2.Arrangement())
        book.refusal("ALREADY_ARRANGED", messages.ApplyActionRequest(state=start, action=nothing), "a fixed start")
        return
    whole = match.setup.arrangements[1]
    lacking = action_pb2.Arrangement(placements=whole.placements[1:])
    strange = action_pb2.Arrangement(placements=whole.placements)
    strange.placements[0].kind = "dragon"
    outside = action_pb2.Arrangement(placements=whole.placements)
    outside.placements[0].square = match.setup.arrangements[2].placements[0].square
    for name, broken in {"a piece lacks": lacking, "no such kind": strange, "out of the zone": outside}.items():
        action = action_pb2.Action(seat=1, arrange=broken)
        book.refusal("INVALID_ARRANGEMENT", messages.ApplyActionRequest(state=start, action=action), name)
    setup = match_pb2.MatchSetup(game=match.game.id, arrangements={1: lacking})
    book.refusal("INVALID_ARRANGEMENT", messages.StartMatchRequest(setup=setup), "in a setup")
    arranged = messages.ApplyActionRequest(state=start, action=action_pb2.Action(seat=1, arrange=whole))
    alone = book.answer("seat 1 arranges first", arranged)
    again = messages.ApplyActionRequest(state=alone.state, action=arranged.action)
    book.refusal("ALREADY_ARRANGED", again)
    move = actions.move(1, whole.placements[0].square * 2)
    book.refusal("ARRANGEMENT_PENDING", messages.ApplyActionRequest(state=start, action=move))
    offer = messages.ApplyActionRequest(state=start, action=actions.offer_draw(1))
    book.refusal("ARRANGEMENT_PENDING", offer, "a draw offer")
    book.refusal("ARRANGEMENT_PENDING", analysis.PlayoutRequest(state=start, games=1), "random games")


def _refuse_moves(book: Book, match: Match, state: state_pb2.State) -> None:
    update = _update(book, state)
    seat = update.status.to_move
    own = [square for square, owner in enumerate(update.view.seats) if owner == seat]
    names = [square.name for square in match.game.board.squares]
    empty = update.view.seats.index(0)
    illegal = {
        "onto an own piece": actions.move(seat, own[0] << 8 | own[1]),
        "onto an own piece, as text": actions.move(seat, names[own[1]] + names[own[0]]),
        "to where it stands": actions.move(seat, own[0] << 8 | own[0]),
        "from an empty square": actions.move(seat, empty << 8 | own[0]),
    }
    for name, action in illegal.items():
        book.refusal("ILLEGAL_MOVE", messages.ApplyActionRequest(state=state, action=action), name)
    malformed = {
        "half a move": actions.move(seat, names[own[0]]),
        "no square": actions.move(seat, f"{names[own[0]]}z99"),
        "a number beyond the board": actions.move(seat, own[0] << 8 | _LAST_SQUARE),
        "a number beyond all": actions.move(seat, 1 << 16),
    }
    for name, action in malformed.items():
        book.refusal("MALFORMED_MOVE", messages.ApplyActionRequest(state=state, action=action), name)
    other = next(one.number for one in match.game.seats if one.number != seat)
    action = actions.move(other, own[0] << 8 | own[1])
    book.refusal("NOT_YOUR_TURN", messages.ApplyActionRequest(state=state, action=action))


def _refuse_actions(book: Book, match: Match, state: state_pb2.State) -> None:
    def apply(action: action_pb2.Action, **fields: Any) -> messages.ApplyActionRequest:
        return messages.ApplyActionRequest(state=state, action=action, **fields)

    everybody = [seat.number for seat in match.game.seats]
    beyond = len(everybody) + 1
    seated, idle = actions.adjudicate([]), actions.adjudicate([])
    seated.seat = 1
    idle.ruling.forfeit.seat = 1
    invalid = {
        "a ruling by a seat": seated,
        "a forfeit without a cause": idle,
        "everybody wins": actions.adjudicate(everybody),
        "a winner twice": actions.adjudicate([1, 1]),
    }
    for name, action in invalid.items():
        book.refusal("INVALID_ACTION", apply(action), name)
    for name, action in {
        "an actor": actions.resign(beyond),
        "a forfeit": actions.forfeit(beyond, "time"),
        "a winner": actions.adjudicate([beyond]),
    }.items():
        book.refusal("INVALID_SEAT", apply(action), name)
    book.refusal("FIELD_REQUIRED", messages.ApplyActionRequest(state=state), "action")
    book.refusal("FIELD_REQUIRED", messages.ApplyActionRequest(action=actions.resign(1)), "state")
    book.refusal("FIELD_REQUIRED", apply(action_pb2.Action(seat=1)), "action.kind")
    book.refusal("FIELD_REQUIRED", apply(action_pb2.Action(seat=1, move=action_pb2.Move())), "action.move.spelling")
    book.refusal("FIELD_REQUIRED", apply(action_pb2.Action(ruling=action_pb2.Ruling())), "action.ruling.decision")
    revision = book.ask(messages.DescribeStateRequest(state=state)).status.revision
    book.refusal("STALE_STATE", apply(actions.resign(1), expected_revision=revision - 1))
    book.refusal("REAL_STATE", apply(actions.resign(1), expect_hypothetical=True))
    first, second, *_ = _active(book, state)
    offered = book.answer("a draw is offered to nobody's eyes", apply(actions.offer_draw(first))).state
    book.refusal("NO_DRAW_OFFER", apply(actions.accept_draw(second)))
    again = messages.ApplyActionRequest(state=offered, action=actions.offer_draw(second))
    book.refusal("DRAW_OFFER_OPEN", again)
    over = messages.ApplyActionRequest(state=match.states[-1], action=actions.resign(1))
    book.refusal("MATCH_OVER", over)
    replay = messages.ReplayMatchRequest(state=state, actions=[actions.adjudicate([]), actions.resign(1)])
    book.refusal("MATCH_OVER", replay, "the second action")
    _refuse_those_out(book, match)


def _refuse_those_out(book: Book, match: Match) -> None:
    """In a game that goes on when a seat is out, what that seat does then."""
    request = messages.ApplyActionRequest(state=match.states[0], action=actions.resign(match.game.seats[-1].number))
    answer = book.answer("the last seat resigns at the start", request)
    if not book.ask(messages.DescribeStateRequest(state=answer.state)).status.HasField("result"):
        book.refusal("SEAT_OUT", messages.ApplyActionRequest(state=answer.state, action=request.action))


def refuse_looks(book: Book, match: Match) -> None:
    """Write down what is refused to those who look at the middle of a match."""
    state = match.states[len(match.states) // 2]

    def look(*viewers: Any) -> messages.GetUpdateRequest:
        return messages.GetUpdateRequest(state=state, viewers=viewers)

    beyond = len(match.game.seats) + 1
    book.refusal("VIEWER_UNSPECIFIED", look(), "nobody")
    book.refusal("VIEWER_UNSPECIFIED", look(1, VIEWER_UNSPECIFIED), "the second")
    book.refusal("INVALID_VIEWER", look(beyond), "no seat")
    book.refusal("INVALID_VIEWER", look(VIEWER_SPECTATOR, VIEWER_SPECTATOR), "twice")
    book.refusal("INVALID_SEAT", messages.ListLegalActionsRequest(state=state, seat=beyond), "what it may do")
    looking = messages.GetUpdateRequest(state=state, viewers=match.viewers[:1], include_knowledge=True)
    knowledge: knowledge_pb2.Knowledge = book.ask(looking).updates[0].knowledge
    sampling = analysis.SampleStatesRequest(knowledge=knowledge, count=1, seed=2)
    sample = book.ask(sampling).states[0]
    book.refusal("HYPOTHETICAL_STATE", messages.DescribeStateRequest(state=sample))
    sampling.count = 0
    book.refusal("INVALID_VALUE", sampling, "no sample")
    sampling.count = 257
    book.refusal("BUDGET_EXCEEDED", sampling, "samples")
    as_state = messages.DescribeStateRequest(state=state_pb2.State(token=knowledge.token))
    book.refusal("STATE_FORMAT", as_state, "knowledge as a state")
    as_knowledge = analysis.DeduceRequest(knowledge=knowledge_pb2.Knowledge(token=state.token))
    book.refusal("STATE_FORMAT", as_knowledge, "a state as knowledge")
    ended = messages.GetUpdateRequest(state=match.states[-1], viewers=match.viewers[:1], include_knowledge=True)
    over = analysis.DeduceRequest(knowledge=book.ask(ended).updates[0].knowledge)
    book.refusal("MATCH_OVER", over, "deduction")


def _refuse_analysis(book: Book, state: state_pb2.State) -> None:
    book.refusal("INVALID_VALUE", analysis.PerftRequest(state=state), "no depth")
    book.refusal("BUDGET_EXCEEDED", analysis.PerftRequest(state=state, depth=9), "depth")
    book.refusal("BUDGET_EXCEEDED", analysis.PlayoutRequest(state=state, games=10_001), "games")


def _refuse_tokens(book: Book, state: state_pb2.State) -> None:
    def described(token: bytes) -> messages.DescribeStateRequest:
        return messages.DescribeStateRequest(state=state_pb2.State(token=token))

    token = bytearray(state.token)
    book.refusal("STATE_LENGTH", described(bytes(token[:-1])))
    token[-1] ^= 1
    book.refusal("STATE_CHECKSUM", described(bytes(token)))
    token[_HEADER_BYTES] = 255
    book.refusal("STATE_VERSION", described(bytes(token)))


def _update(book: Book, state: state_pb2.State) -> update_pb2.Update:
    """What a spectator sees."""
    looking = messages.GetUpdateRequest(state=state, viewers=[VIEWER_SPECTATOR])
    update: update_pb2.Update = book.ask(looking).updates[0]
    return update


def _active(book: Book, state: state_pb2.State) -> list[int]:
    """The seats that are not out."""
    game = book.ask(messages.GetGameRequest(game=book.ask(messages.DescribeStateRequest(state=state)).game)).game
    out = _update(book, state).status.seats_out
    return [seat.number for seat in game.seats if seat.number not in out]
