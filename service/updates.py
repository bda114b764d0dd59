"""From the engine to the bytes of messages: what one viewer gets, built up from what that viewer may know."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from shinpan.v1 import event_pb2, game_pb2, update_pb2

from engine_core import REFEREE, Game, Result, State, Turn
from engine_core import events as engine_events
from service import wire

OUTCOMES: Final[Mapping[str, game_pb2.BattleOutcome.ValueType]] = {
    "A": game_pb2.BATTLE_OUTCOME_ATTACKER,
    "D": game_pb2.BATTLE_OUTCOME_DEFENDER,
    "B": game_pb2.BATTLE_OUTCOME_BOTH,
    "A!": game_pb2.BATTLE_OUTCOME_ATTACKER_FLAG_FALLS,
    "D!": game_pb2.BATTLE_OUTCOME_DEFENDER_FLAG_FALLS,
    "B!": game_pb2.BATTLE_OUTCOME_BOTH_FLAG_FALLS,
}
"""Outcomes of battles by the engine's letters."""


def end_reason(reason: str) -> event_pb2.EndReason.ValueType:
    """The enum value of one of the engine's result reasons, such as "flag-captured"."""
    return event_pb2.EndReason.Value("END_REASON_" + reason.upper().replace("-", "_"))


def result(ended: Result) -> event_pb2.Result:
    """How a match ended."""
    return event_pb2.Result(winners=ended.winners, reason=end_reason(ended.reason))


def status(state: State) -> update_pb2.Status:
    """The public facts about a state."""
    return update_pb2.Status.FromString(wire.status(state))


def updates(
    state: State,
    viewers: Sequence[tuple[int, int]],
    turns: Sequence[Turn],
    diagrams: bool,
    seal: Callable[[bytes], bytes] | None = None,
) -> list[bytes]:
    """One serialized Update for each viewer (its number in the API and in the engine) after the turns to `state`.

    With `seal`, which makes the token of knowledge, each viewer but the referee gets its knowledge.
    """
    seen = wire.updates(state, [_told(state, number, viewer, turns, diagrams) for number, viewer in viewers])
    if seal is None:
        return seen
    return [update + _knowledge(state, viewer, seal) for update, (_, viewer) in zip(seen, viewers, strict=True)]


def _knowledge(state: State, viewer: int, seal: Callable[[bytes], bytes]) -> bytes:
    """The field with a viewer's knowledge; none for the referee, from whom nothing is hidden."""
    if viewer == REFEREE:
        return b""
    return wire.field(7, wire.field(1, seal(state.knowledge(viewer).to_bytes())))


def _told(
    state: State, number: int, viewer: int, turns: Sequence[Turn], diagrams: bool
) -> tuple[int, int, bytes | None, bytes]:
    diagram = state.view(viewer).diagram().encode() if diagrams else None
    return number, viewer, diagram, b"".join(happened(turn, viewer) for turn in turns)


def happened(turn: Turn, viewer: int) -> bytes:
    """The events of a turn that a viewer may know, as the fields of an Update."""
    moved = wire.moved(turn)
    if moved is not None:
        return moved
    game = turn.state.game
    return b"".join(
        wire.field(4, event(one, game).SerializeToString(deterministic=True)) for one in turn.events_for(viewer)
    )


@lru_cache(maxsize=64)
def _indices(squares: tuple[str, ...]) -> Mapping[str, int]:
    return {name: index for index, name in enumerate(squares)}


def _kind(game: Game, kind: str | None) -> int:
    return 0 if kind is None else game.kinds.index(kind) + 1


def event(one: engine_events.Event, game: Game) -> event_pb2.Event:
    """An event, with squares and kinds as numbers."""
    match one:
        case engine_events.Moved():
            index = _indices(game.squares)
            return event_pb2.Event(
                moved=event_pb2.Moved(
                    ply=one.ply,
                    seat=one.seat,
                    move=index[one.source] << 8 | index[one.target],
                    battle=OUTCOMES.get(one.outcome, game_pb2.BATTLE_OUTCOME_UNSPECIFIED),
                    captured=[index[square] for square in one.captured],
                    attacker_kind=_kind(game, one.attacker),
                    defender_kind=_kind(game, one.defender),
                )
            )
        case engine_events.SeatArranged():
            return event_pb2.Event(seat_arranged=event_pb2.SeatArranged(seat=one.seat))
        case engine_events.PlayBegan():
            return event_pb2.Event(play_began=event_pb2.PlayBegan(to_move=one.to_move))
        case engine_events.PieceShown():
            shown = event_pb2.PieceShown(
                seat=one.seat,
                square=_indices(game.squares)[one.square],
                kind=_kind(game, one.kind),
            )
            return event_pb2.Event(piece_shown=shown)
        case engine_events.ClaimOpened():
            return event_pb2.Event(claim_opened=event_pb2.ClaimOpened(seat=one.seat))
        case engine_events.SeatPassed():
            return event_pb2.Event(seat_passed=event_pb2.SeatPassed(seat=one.seat))
        case engine_events.SeatEliminated():
            eliminated = event_pb2.SeatEliminated(seat=one.seat, cause=end_reason(one.cause))
            return event_pb2.Event(seat_eliminated=eliminated)
        case engine_events.DrawOffered():
            return event_pb2.Event(draw_offered=event_pb2.DrawOffered(seat=one.seat))
        case engine_events.DrawAccepted():
            return event_pb2.Event(draw_accepted=event_pb2.DrawAccepted(seat=one.seat))
        case engine_events.DrawDeclined():
            return event_pb2.Event(draw_declined=event_pb2.DrawDeclined(seat=one.seat))
        case engine_events.DrawLapsed():
            return event_pb2.Event(draw_lapsed=event_pb2.DrawLapsed())
        case engine_events.MatchEnded():
            ended = result(Result(one.winners, one.reason))
            return event_pb2.Event(match_ended=event_pb2.MatchEnded(result=ended))
