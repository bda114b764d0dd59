"""From the engine to the bytes of messages: what one viewer gets, built up from what that viewer may know."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from shinpan.v1 import action_pb2, event_pb2, game_pb2, update_pb2

from engine_core import REFEREE, Game, Result, State, Turn
from engine_core import events as engine_events
from service import wire

_ACTION_KINDS: Final[Mapping[str, action_pb2.ActionKind.ValueType]] = {
    "arrange": action_pb2.ACTION_KIND_ARRANGE,
    "move": action_pb2.ACTION_KIND_MOVE,
    "resign": action_pb2.ACTION_KIND_RESIGN,
    "offer-draw": action_pb2.ACTION_KIND_OFFER_DRAW,
    "accept-draw": action_pb2.ACTION_KIND_ACCEPT_DRAW,
    "decline-draw": action_pb2.ACTION_KIND_DECLINE_DRAW,
}

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


def legal_actions(state: State, seat: int) -> bytes:
    """What a seat may do, for that seat alone, as a serialized LegalActions."""
    moves = wire.field(1, wire.moves(state)) if state.to_move == seat else b""
    return moves + _action_kinds(state.legal_actions(seat))


@lru_cache(maxsize=64)
def _action_kinds(words: tuple[str, ...]) -> bytes:
    return action_pb2.LegalActions(kinds=sorted(_ACTION_KINDS[word] for word in words)).SerializeToString()


def _has_to_decide(state: State, viewer: int) -> bool:
    if state.phase == "play":
        return viewer == state.to_move
    return (
        state.phase == "arrangement"
        and viewer in state.game.seats
        and viewer not in state.arranged
        and viewer not in state.out
    )


def updates(
    state: State,
    viewers: Iterable[tuple[int, int]],
    turns: Sequence[Turn],
    diagrams: bool,
    seal: Callable[[bytes], bytes] | None = None,
) -> list[bytes]:
    """One serialized Update for each viewer (its number in the API and in the engine) after the turns to `state`.

    With `seal`, which makes the token of knowledge, each viewer but the referee gets its knowledge.
    """
    chosen = list(viewers)
    if not chosen:
        return []
    facts = wire.field(2, wire.status(state))
    seen = [_update(state, number, viewer, facts, turns, diagrams) for number, viewer in chosen]
    if seal is None:
        return seen
    return [update + _knowledge(state, viewer, seal) for update, (_, viewer) in zip(seen, chosen, strict=True)]


def _knowledge(state: State, viewer: int, seal: Callable[[bytes], bytes]) -> bytes:
    """The field with a viewer's knowledge; none for the referee, from whom nothing is hidden."""
    if viewer == REFEREE:
        return b""
    return wire.field(7, wire.field(1, seal(state.knowledge(viewer).to_bytes())))


def _update(
    state: State,
    number: int,
    viewer: int,
    facts: bytes,
    turns: Sequence[Turn],
    diagrams: bool,
) -> bytes:
    seen = state.view(viewer)
    board = wire.view(seen)
    if diagrams:
        board += wire.field(6, seen.diagram().encode())
    parts = [bytes((1 << 3, number)), facts, wire.field(3, board)]
    for turn in turns:
        if wire.is_plain_move(turn):
            parts.append(wire.field(4, wire.field(3, wire.moved(turn))))
        else:
            parts += [
                wire.field(4, event(one, state.game).SerializeToString(deterministic=True))
                for one in turn.events_for(viewer)
            ]
    parts.append(wire.field(5, wire.captured(seen)))
    if _has_to_decide(state, viewer):
        parts.append(wire.field(6, legal_actions(state, viewer)))
    return b"".join(parts)


@lru_cache(maxsize=64)
def _indices(squares: tuple[str, ...]) -> Mapping[str, int]:
    return {name: index for index, name in enumerate(squares)}


def _kind(game: Game, kind: str | None) -> int:
    return 0 if kind is None else game.kinds.index(kind) + 1


def event(happened: engine_events.Event, game: Game) -> event_pb2.Event:
    """An event, with squares and kinds as numbers."""
    match happened:
        case engine_events.Moved():
            index = _indices(game.squares)
            return event_pb2.Event(
                moved=event_pb2.Moved(
                    ply=happened.ply,
                    seat=happened.seat,
                    move=index[happened.source] << 8 | index[happened.target],
                    battle=OUTCOMES.get(happened.outcome, game_pb2.BATTLE_OUTCOME_UNSPECIFIED),
                    captured=[index[square] for square in happened.captured],
                    attacker_kind=_kind(game, happened.attacker),
                    defender_kind=_kind(game, happened.defender),
                )
            )
        case engine_events.SeatArranged():
            return event_pb2.Event(seat_arranged=event_pb2.SeatArranged(seat=happened.seat))
        case engine_events.PlayBegan():
            return event_pb2.Event(play_began=event_pb2.PlayBegan(to_move=happened.to_move))
        case engine_events.PieceShown():
            shown = event_pb2.PieceShown(
                seat=happened.seat,
                square=_indices(game.squares)[happened.square],
                kind=_kind(game, happened.kind),
            )
            return event_pb2.Event(piece_shown=shown)
        case engine_events.ClaimOpened():
            return event_pb2.Event(claim_opened=event_pb2.ClaimOpened(seat=happened.seat))
        case engine_events.SeatPassed():
            return event_pb2.Event(seat_passed=event_pb2.SeatPassed(seat=happened.seat))
        case engine_events.SeatEliminated():
            eliminated = event_pb2.SeatEliminated(seat=happened.seat, cause=end_reason(happened.cause))
            return event_pb2.Event(seat_eliminated=eliminated)
        case engine_events.DrawOffered():
            return event_pb2.Event(draw_offered=event_pb2.DrawOffered(seat=happened.seat))
        case engine_events.DrawAccepted():
            return event_pb2.Event(draw_accepted=event_pb2.DrawAccepted(seat=happened.seat))
        case engine_events.DrawDeclined():
            return event_pb2.Event(draw_declined=event_pb2.DrawDeclined(seat=happened.seat))
        case engine_events.DrawLapsed():
            return event_pb2.Event(draw_lapsed=event_pb2.DrawLapsed())
        case engine_events.MatchEnded():
            ended = result(Result(happened.winners, happened.reason))
            return event_pb2.Event(match_ended=event_pb2.MatchEnded(result=ended))
