"""From messages to the engine: what a request names, checked, or a Refusal that names the field at fault."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from shinpan.v1 import action_pb2, match_pb2, viewer_pb2

import engine_core
from engine_core import Game, State, Turn
from service.errors import Refusal, Violation, refusal_of

MAX_MATCH_ID_BYTES: Final = 32
SURPLUS_PLACEMENTS: Final = 64
"""How many placements more than the board has squares are still looked at one by one."""

_VIEWERS: Final[Mapping[int, int]] = {
    viewer_pb2.VIEWER_SEAT_1: 1,
    viewer_pb2.VIEWER_SEAT_2: 2,
    viewer_pb2.VIEWER_SEAT_3: 3,
    viewer_pb2.VIEWER_SEAT_4: 4,
    viewer_pb2.VIEWER_SPECTATOR: engine_core.SPECTATOR,
    viewer_pb2.VIEWER_REFEREE: engine_core.REFEREE,
}

_CAUSES: Final[Mapping[int, str]] = {
    action_pb2.FORFEIT_CAUSE_TIME: "time",
    action_pb2.FORFEIT_CAUSE_ABANDONMENT: "abandonment",
    action_pb2.FORFEIT_CAUSE_RULING: "ruling",
}


def required(field: str) -> Refusal:
    """The refusal of a request in which a field that has no default is not set."""
    return Refusal.of_field("FIELD_REQUIRED", field, "is not set.")


def game_of(game: str, options: Mapping[str, str], prefix: str = "", *, revision: int = 0) -> Game:
    """The game that the fields `game`, `options` and `revision` behind `prefix` name; revision 0 is the newest."""
    if not game:
        raise required(f"{prefix}game")
    try:
        known = engine_core.load(game, revision or None)
    except engine_core.RefereeError as error:
        wrong = "revision" if "revision" in error.details else "game"
        raise refusal_of(error, f"{prefix}{wrong}") from None
    if not options:
        return known
    offered = [option.name for option in known.ruleset.options]
    for name in options:  # before they become keywords of a call
        if name not in offered:
            raise Refusal.of_field(
                "UNKNOWN_OPTION",
                f"{prefix}options",
                f"has {name!r:.60}, which is no option of {known.id}; its options are {', '.join(offered)}.",
                game=known.id,
                option=name,
                options=", ".join(offered),
            )
    try:
        return engine_core.load(game, revision or None, **options)
    except engine_core.RefereeError as error:
        raise refusal_of(error, f"{prefix}options") from None


def viewers_of(viewers: Sequence[int], game: Game, referee: bool) -> Sequence[tuple[int, int]]:
    """The viewers of a request, each as its number in the API and in the engine, in order.

    `referee` says whether the referee is answered.
    """
    known = len(game.seats) + 2
    # Of more viewers than there are, one is unknown or a second time among the first: no need to read them all.
    return _viewers_of(tuple(viewers[: known + 1]), len(game.seats), referee)


@lru_cache(maxsize=1024)
def _viewers_of(viewers: tuple[int, ...], seats: int, referee: bool) -> tuple[tuple[int, int], ...]:
    chosen: list[tuple[int, int]] = []
    for index, number in enumerate(viewers):
        field = f"viewers[{index}]"
        if number == viewer_pb2.VIEWER_UNSPECIFIED:
            raise Refusal.of_field(
                "VIEWER_UNSPECIFIED",
                field,
                "is not set; name a seat, the spectator or the referee.",
            )
        viewer = _VIEWERS.get(number)
        if viewer is None or (1 <= viewer <= 4 and viewer > seats):
            raise Refusal.of_field(
                "INVALID_VIEWER",
                field,
                f"is {number}, which is no viewer of a game of {seats} seats.",
                viewer=number,
                seats=seats,
            )
        if (number, viewer) in chosen:
            raise Refusal.of_field("INVALID_VIEWER", field, f"is {number} for a second time.", viewer=number)
        if viewer == engine_core.REFEREE and not referee:
            raise referee_disabled()
        chosen.append((number, viewer))
    return tuple(chosen)


def referee_disabled() -> Refusal:
    """The refusal of what only the referee may know."""
    return Refusal("REFEREE_DISABLED", "This server does not answer the referee.")


def check_seat(seat: int, game: Game, field: str) -> None:
    """Refuse a seat that the game does not have."""
    if seat not in game.seats:
        raise Refusal.of_field(
            "INVALID_SEAT",
            field,
            f"is {seat}; seats of this game are 1 to {len(game.seats)}.",
            seat=seat,
            seats=len(game.seats),
        )


def check_revision(expected: int, state: State) -> None:
    """Refuse a state of another revision than the caller expects."""
    if expected != state.revision:
        raise Refusal(
            "STALE_STATE",
            f"The state has revision {state.revision}, not {expected}.",
            revision=state.revision,
            expected_revision=expected,
        )


def start(setup: match_pb2.MatchSetup, field: str = "setup") -> tuple[State, list[Turn]]:
    """Begin a match; its state, and the turns of the arrangements that the setup holds."""
    game = game_of(setup.game, setup.options, f"{field}.")
    if len(setup.match_id) > MAX_MATCH_ID_BYTES:
        raise Refusal.of_field(
            "INVALID_VALUE",
            f"{field}.match_id",
            f"has {len(setup.match_id)} bytes; at most {MAX_MATCH_ID_BYTES} are allowed.",
            size=len(setup.match_id),
            limit=MAX_MATCH_ID_BYTES,
        )
    first_seat = setup.first_seat or 1
    check_seat(first_seat, game, f"{field}.first_seat")
    for seat in sorted(setup.arrangements):
        check_seat(seat, game, f"{field}.arrangements")
    try:
        state = game.start(first_seat=first_seat, match_id=setup.match_id)
    except engine_core.RefereeError as error:
        raise refusal_of(error, field) from None
    turns: list[Turn] = []
    for seat in sorted(setup.arrangements):
        turn = _arrange(state, seat, setup.arrangements[seat], f"{field}.arrangements[{seat}]")
        turns.append(turn)
        state = turn.state
    return state, turns


def apply(state: State, action: action_pb2.Action, path: str = "action") -> Turn:
    """Apply the action in the field `path` to a state."""
    kind = action.WhichOneof("kind")
    if kind is None:
        raise required(f"{path}.kind")
    if kind == "ruling":
        if action.seat:
            raise Refusal.of_field(
                "INVALID_ACTION",
                f"{path}.seat",
                f"is {action.seat}; a ruling has no acting seat.",
                seat=action.seat,
            )
        return _rule(state, action.ruling, f"{path}.ruling")
    seat = action.seat
    check_seat(seat, state.game, f"{path}.seat")
    if kind == "arrange":
        return _arrange(state, seat, action.arrange, f"{path}.arrange")
    if kind == "move":
        return _move(state, seat, action.move, f"{path}.move")
    try:
        if kind == "resign":
            return state.resign(seat)
        if kind == "offer_draw":
            return state.offer_draw(seat)
        if kind == "accept_draw":
            return state.accept_draw(seat)
        return state.decline_draw(seat)
    except engine_core.RefereeError as error:
        raise refusal_of(error, path) from None


def _arrange(state: State, seat: int, arrangement: action_pb2.Arrangement, field: str) -> Turn:
    count = len(arrangement.placements)
    limit = len(state.game.squares) + SURPLUS_PLACEMENTS
    if count > limit:
        problem = f"The arrangement of seat {seat} has {count} placements; none has more than {limit}."
        raise Refusal(
            "INVALID_ARRANGEMENT",
            problem,
            violations=[Violation(f"{field}.placements", problem, "WRONG_COUNT")],
            seat=seat,
            placements=count,
            limit=limit,
            violations_found=count - limit,  # each of those that are too many
        )
    pieces = [(placement.square, placement.kind) for placement in arrangement.placements]
    try:
        return state.arrange(seat, pieces)
    except engine_core.RefereeError as error:
        raise refusal_of(error, field) from None


def _move(state: State, seat: int, move: action_pb2.Move, field: str) -> Turn:
    spelling = move.WhichOneof("spelling")
    if spelling is None:
        raise required(field)
    if spelling == "packed" and move.packed > 0xFFFF:
        raise Refusal.of_field("MALFORMED_MOVE", field, f"is {move.packed}, which is no move.", move=move.packed)
    if seat in state.out and state.phase != "ended":
        raise Refusal("SEAT_OUT", f"Seat {seat} is out.", seat=seat)
    if state.phase == "play" and seat != state.to_move:
        raise Refusal(
            "NOT_YOUR_TURN",
            f"Seat {state.to_move} is to move, not seat {seat}.",
            to_move=state.to_move,
            seat=seat,
        )
    try:
        return state.play(move.packed if spelling == "packed" else move.text)
    except engine_core.RefereeError as error:
        raise refusal_of(error, field) from None


def _rule(state: State, ruling: action_pb2.Ruling, field: str) -> Turn:
    decision = ruling.WhichOneof("decision")
    if decision is None:
        raise required(field)
    if decision == "forfeit":
        check_seat(ruling.forfeit.seat, state.game, f"{field}.forfeit.seat")
        cause = _CAUSES.get(ruling.forfeit.cause)
        if cause is None:
            raise Refusal.of_field(
                "INVALID_ACTION",
                f"{field}.forfeit.cause",
                f"is {ruling.forfeit.cause}; it is one of TIME, ABANDONMENT and RULING.",
                cause=ruling.forfeit.cause,
            )
        try:
            return state.forfeit(ruling.forfeit.seat, cause)
        except engine_core.RefereeError as error:
            raise refusal_of(error, f"{field}.forfeit") from None
    # Of more winners than seats, one is unknown or a second time among the first: no need to read them all.
    winners = ruling.adjudication.winners[: len(state.game.seats) + 1]
    for index, seat in enumerate(winners):
        path = f"{field}.adjudication.winners[{index}]"
        check_seat(seat, state.game, path)
        if seat in winners[:index]:
            raise Refusal.of_field("INVALID_ACTION", path, f"is {seat} for a second time.", seat=seat, index=index)
    try:
        return state.adjudicate(winners)
    except engine_core.RefereeError as error:
        raise refusal_of(error, f"{field}.adjudication") from None
