"""What the oracle says of a match, as messages of the API, made from names and not by the service."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import oracle
from engine.oracle_conduct import open_actions
from engine.oracle_events import Before, expected_events
from shinpan.v1 import action_pb2, event_pb2, game_pb2, update_pb2
from shinpan.v1.viewer_pb2 import VIEWER_REFEREE, VIEWER_SPECTATOR

import engine_core
from engine_core import events

HIDDEN = 255
SHOWN, FROM, TO, CLAIM = 2, 4, 8, 16
"""Bits of View.flags; whether a piece has moved, and where it began, the oracle does not tell."""
BATTLES = {
    "A": game_pb2.BATTLE_OUTCOME_ATTACKER,
    "D": game_pb2.BATTLE_OUTCOME_DEFENDER,
    "B": game_pb2.BATTLE_OUTCOME_BOTH,
    "A!": game_pb2.BATTLE_OUTCOME_ATTACKER_FLAG_FALLS,
    "D!": game_pb2.BATTLE_OUTCOME_DEFENDER_FLAG_FALLS,
    "B!": game_pb2.BATTLE_OUTCOME_BOTH_FLAG_FALLS,
}
LATE = ("seat_passed", "seat_eliminated", "match_ended")
"""Events whose order is not compared here."""


class Words:
    """The names of a game's squares and kinds, in the order in which the API counts them."""

    def __init__(self, game: game_pb2.Game) -> None:
        self.squares = {square.name: index for index, square in enumerate(game.board.squares)}
        self.kinds = {kind.id: index for index, kind in enumerate(game.kinds, 1)}
        self.names = [square.name for square in game.board.squares]

    def packed(self, source: str, target: str) -> int:
        """A move as a number."""
        return self.squares[source] << 8 | self.squares[target]

    def text(self, move: action_pb2.Move) -> str:
        """A move as the oracle calls it."""
        if move.WhichOneof("spelling") == "text":
            return move.text
        return self.names[move.packed >> 8] + self.names[move.packed & 255]


def last_move(match: oracle.Match) -> tuple[str, str] | None:
    """Between which squares the last move went."""
    moves = [entry for entry in match.public_record() if entry[0] == "move"]
    return (moves[-1][3], moves[-1][4]) if moves else None


def result(winners: Iterable[int], reason: str) -> event_pb2.Result:
    """A result."""
    value = event_pb2.EndReason.Value("END_REASON_" + reason.upper().replace("-", "_"))
    return event_pb2.Result(winners=sorted(winners), reason=value)


def status(match: oracle.Match, words: Words) -> update_pb2.Status:
    """The public facts."""
    moved = last_move(match)
    return update_pb2.Status(
        phase=update_pb2.Phase.Value(f"PHASE_{match.phase.upper()}"),
        seats_arranged=sorted(match.start_kinds),
        to_move=match.to_move or 0,
        ply=match.ply,
        revision=match.revision,
        draw_agreed=sorted(match.draw_offer),
        seats_out=sorted(match.out),
        last_move=None if moved is None else words.packed(*moved),
        result=None if match.result is None else result(*match.result),
    )


def columns(match: oracle.Match, words: Words, viewer: int) -> tuple[bytes, bytes, bytes, bool]:
    """The columns of seats and kinds, the flags that the oracle tells, and whether a claim is pending."""
    seats, kinds, flags = (bytearray(len(words.names)) for _ in range(3))
    pieces = {name: (seat, words.kinds[kind]) for name, (seat, kind) in match.board().items()}
    pending = match.phase == "play" and match.claim != 0
    if viewer != VIEWER_REFEREE:
        seen = match.view("spectator" if viewer == VIEWER_SPECTATOR else viewer)
        own = {name: (viewer, words.kinds[kind]) for name, kind in seen["own"].items()}
        known = {name: (seat, words.kinds[kind]) for name, (seat, kind) in seen["known"].items()}
        pieces = own | known | {name: (seat, HIDDEN) for name, seat in seen["hidden"].items()}
        pending = seen["claim_pending"]
    for name, (seat, kind) in pieces.items():
        seats[words.squares[name]], kinds[words.squares[name]] = seat, kind
    for square in match.position.shown:
        flags[words.squares[match.rules.board.names[square]]] |= SHOWN
    moved = last_move(match)
    if moved is not None:
        flags[words.squares[moved[0]]] |= FROM
        flags[words.squares[moved[1]]] |= TO | (CLAIM if pending else 0)
    return bytes(seats), bytes(kinds), bytes(flags), pending


def captured(match: oracle.Match, words: Words, seat: int) -> Counter[int]:
    """The kinds of a seat's pieces that are gone."""
    left = Counter(words.kinds[kind] for kind in match.position.men[seat].values())
    return Counter(words.kinds[kind] for kind in match.start_kinds.get(seat, {}).values()) - left


def legal_actions(match: oracle.Match, words: Words, seat: int) -> action_pb2.LegalActions:
    """What a seat may do."""
    splits = match.rules.board.move_squares
    names = match.rules.board.names
    texts = match.legal_moves() if seat == match.to_move else ()
    moves = sorted(words.packed(*(names[square] for square in splits[text])) for text in texts)
    kinds = [f"ACTION_KIND_{word.upper().replace('-', '_')}" for word in open_actions(match, seat)]
    return action_pb2.LegalActions(moves=moves, kinds=sorted(map(action_pb2.ActionKind.Value, kinds)))


def told(before: Before, match: oracle.Match, words: Words, viewer: int) -> list[event_pb2.Event]:
    """The events of an action, in their order but for those of LATE."""
    others = {int(VIEWER_REFEREE): engine_core.REFEREE, int(VIEWER_SPECTATOR): engine_core.SPECTATOR}
    expected = expected_events(before, match, others.get(viewer, viewer))
    return in_order(_event(event, words) for event in expected)


def in_order(said: Iterable[event_pb2.Event]) -> list[event_pb2.Event]:
    """Events in an order that can be compared."""

    def place(event: event_pb2.Event) -> tuple[int, bytes]:
        kind = event.WhichOneof("kind")
        return (LATE.index(kind) + 1, event.SerializeToString()) if kind in LATE else (0, b"")

    return sorted(said, key=place)


def _event(event: events.Event, words: Words) -> event_pb2.Event:
    match event:
        case events.Moved():
            moved = event_pb2.Moved(
                ply=event.ply,
                seat=event.seat,
                move=words.packed(event.source, event.target),
                battle=BATTLES.get(event.outcome, game_pb2.BATTLE_OUTCOME_UNSPECIFIED),
                captured=sorted(words.squares[name] for name in event.captured),
                attacker_kind=words.kinds[event.attacker] if event.attacker else 0,
                defender_kind=words.kinds[event.defender] if event.defender else 0,
            )
            return event_pb2.Event(moved=moved)
        case events.PieceShown():
            square, kind = words.squares[event.square], words.kinds[event.kind]
            return event_pb2.Event(piece_shown=event_pb2.PieceShown(seat=event.seat, square=square, kind=kind))
        case events.SeatEliminated():
            cause = result((), event.cause).reason
            return event_pb2.Event(seat_eliminated=event_pb2.SeatEliminated(seat=event.seat, cause=cause))
        case events.MatchEnded():
            ended = event_pb2.MatchEnded(result=result(event.winners, event.reason))
            return event_pb2.Event(match_ended=ended)
        case events.PlayBegan():
            return event_pb2.Event(play_began=event_pb2.PlayBegan(to_move=event.to_move))
        case events.DrawLapsed():
            return event_pb2.Event(draw_lapsed=event_pb2.DrawLapsed())
    simple: Sequence[tuple[type, str]] = (
        (events.SeatArranged, "seat_arranged"),
        (events.ClaimOpened, "claim_opened"),
        (events.SeatPassed, "seat_passed"),
        (events.DrawOffered, "draw_offered"),
        (events.DrawAccepted, "draw_accepted"),
        (events.DrawDeclined, "draw_declined"),
    )
    said: Any = event_pb2.Event()
    name = next(name for kind, name in simple if isinstance(event, kind))
    getattr(said, name).seat = event.seat
    return event_pb2.Event.FromString(said.SerializeToString())
