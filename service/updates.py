"""From the engine to messages: what one viewer gets, built up from what that viewer may know."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from shinpan.v1 import action_pb2, event_pb2, game_pb2, update_pb2

from engine_core import Game, Result, State, Turn
from engine_core import events as engine_events

_PHASES: Final[Mapping[str, update_pb2.Phase.ValueType]] = {
    "arrangement": update_pb2.PHASE_ARRANGEMENT,
    "play": update_pb2.PHASE_PLAY,
    "ended": update_pb2.PHASE_ENDED,
}

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
    last = state.last_move
    ended = state.result
    return update_pb2.Status(
        phase=_PHASES[state.phase],
        seats_arranged=state.arranged,
        to_move=state.to_move or 0,
        ply=state.ply,
        revision=state.revision,
        draw_agreed=state.draw_agreed,
        seats_out=state.out,
        last_move=None if last is None else int(last),
        result=None if ended is None else result(ended),
    )


def legal_actions(state: State, seat: int) -> action_pb2.LegalActions:
    """What a seat may do, for that seat alone."""
    moves = state.legal_moves() if state.to_move == seat else ()
    kinds = sorted(_ACTION_KINDS[word] for word in state.legal_actions(seat))
    return action_pb2.LegalActions(moves=map(int, moves), kinds=kinds)


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
    state: State, viewers: Iterable[tuple[int, int]], turns: Sequence[Turn], diagrams: bool
) -> list[update_pb2.Update]:
    """One update for each viewer (its number in the API and in the engine) after the turns that led to `state`."""
    chosen = list(viewers)
    if not chosen:
        return []
    facts = status(state)
    return [_update(state, number, viewer, facts, turns, diagrams) for number, viewer in chosen]


def _update(
    state: State,
    number: int,
    viewer: int,
    facts: update_pb2.Status,
    turns: Sequence[Turn],
    diagrams: bool,
) -> update_pb2.Update:
    seen = state.view(viewer)
    captured = seen.captured
    return update_pb2.Update(
        viewer=number,  # type: ignore[arg-type]  # an open enum; the number has been checked
        status=facts,
        view=update_pb2.View(
            seats=seen.seats,
            kinds=seen.kinds,
            origins=seen.origins,
            flags=seen.flags,
            claim_pending=seen.claim_pending,
            diagram=seen.diagram() if diagrams else None,
        ),
        events=[event(one, state.game) for turn in turns for one in turn.events_for(viewer)],
        captured=update_pb2.CapturedPieces(
            seats=bytes(piece.seat for piece in captured),
            origins=bytes(piece.origin for piece in captured),
            kinds=bytes(piece.kind for piece in captured),
        ),
        legal_actions=legal_actions(state, viewer) if _has_to_decide(state, viewer) else None,
    )


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
