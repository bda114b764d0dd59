"""Deliberate leaks in the service, each to be switched on alone: every one has to be found by the same comparison.

What is compiled cannot be patched, so each leak sits where Python passes on what the engine says.
"""

import zlib
from collections.abc import Callable, Sequence
from typing import Any, Final

import grpc
import pytest
from shinpan.v1 import action_pb2, event_pb2, knowledge_pb2, update_pb2

import engine_core
from engine_core import State, Turn
from service import contents, requests, updates, wire
from service.errors import Refusal, code_of
from service.handler import Context
from service.logs import AccessLog
from service.metrics import Metrics
from service.request_game import RequestGame
from service.tokens import Unsealed, seal, unseal

Leak = Callable[[pytest.MonkeyPatch], None]

ENGINE_REFEREE: Final = engine_core.REFEREE


def _changing(patch: pytest.MonkeyPatch, change: Callable[[update_pb2.Update, State, Sequence[Turn]], None]) -> None:
    """Let a leak change each Update before it is sent."""
    right: Any = updates.updates

    def wrong(state: State, viewers: Any, turns: Sequence[Turn], *others: Any) -> list[bytes]:
        seen = [update_pb2.Update.FromString(one) for one in right(state, viewers, turns, *others)]
        for update in seen:
            change(update, state, turns)
        return [update.SerializeToString(deterministic=True) for update in seen]

    patch.setattr(updates, "updates", wrong)


def captured_by_kind(patch: pytest.MonkeyPatch) -> None:
    """The captured pieces come in the order of their kinds, though these are not named."""

    def change(update: update_pb2.Update, state: State, _: Sequence[Turn]) -> None:
        pieces = sorted(state.view(ENGINE_REFEREE).captured, key=lambda piece: piece.kind)
        update.captured.origins = bytes(piece.origin for piece in pieces)

    _changing(patch, change)


def captured_kinds(patch: pytest.MonkeyPatch) -> None:
    """Captured pieces are named once they are gone."""

    def change(update: update_pb2.Update, state: State, _: Sequence[Turn]) -> None:
        update.captured.kinds = state.view(ENGINE_REFEREE).captured_kinds

    _changing(patch, change)


def squares_before_play(patch: pytest.MonkeyPatch) -> None:
    """During the set-up everybody sees which squares are taken."""

    def change(update: update_pb2.Update, state: State, _: Sequence[Turn]) -> None:
        if state.phase == "arrangement":
            update.view.seats = state.view(ENGINE_REFEREE).seats

    _changing(patch, change)


def kinds_at_the_end(patch: pytest.MonkeyPatch) -> None:
    """The end shows all kinds, whatever `reveal_at_end` says."""

    def change(update: update_pb2.Update, state: State, _: Sequence[Turn]) -> None:
        if state.phase == "ended":
            update.view.kinds = state.view(ENGINE_REFEREE).kinds

    _changing(patch, change)


def claims_for_all(patch: pytest.MonkeyPatch) -> None:
    """A silent claim is among the events of everybody."""

    def change(update: update_pb2.Update, state: State, turns: Sequence[Turn]) -> None:
        for turn in turns:
            for event in turn.events:
                if isinstance(event, engine_core.events.ClaimOpened):
                    update.events.append(event_pb2.Event(claim_opened=event_pb2.ClaimOpened(seat=event.seat)))

    _changing(patch, change)


def pending_claims(patch: pytest.MonkeyPatch) -> None:
    """Everybody is told that a claim is pending, though not whose."""

    def change(update: update_pb2.Update, state: State, _: Sequence[Turn]) -> None:
        update.view.claim_pending = state.view(ENGINE_REFEREE).claim_pending

    _changing(patch, change)


def moves_of_the_other_seat(patch: pytest.MonkeyPatch) -> None:
    """Every update has the moves of the seat to move."""

    def change(update: update_pb2.Update, state: State, _: Sequence[Turn]) -> None:
        update.legal_actions.moves[:] = [int(move) for move in state.legal_moves()]

    _changing(patch, change)


def knowledge_of_another(patch: pytest.MonkeyPatch) -> None:
    """Whoever asks for knowledge gets that of the last seat."""

    def wrong(state: State, viewer: int, seal: Callable[[bytes], bytes]) -> bytes:
        last = state.game.seats[-1]
        knowledge = knowledge_pb2.Knowledge(token=seal(state.knowledge(last).to_bytes()))
        return update_pb2.Update(knowledge=knowledge).SerializeToString()

    patch.setattr(updates, "_knowledge", wrong)


def length_by_kinds(patch: pytest.MonkeyPatch) -> None:
    """Updates are padded by as many bytes as the kinds on the board add up to."""

    def change(update: update_pb2.Update, state: State, _: Sequence[Turn]) -> None:
        weight = sum(place * kind for place, kind in enumerate(state.view(ENGINE_REFEREE).kinds)) % 97
        update.view.diagram = " " * weight

    _changing(patch, change)


def legal_actions_of_all(patch: pytest.MonkeyPatch) -> None:
    """ListLegalActions gives any seat the moves of the one to move."""
    right = wire.legal_actions
    patch.setattr(wire, "legal_actions", lambda state, seat: right(state, state.to_move or seat))


def movers_in_the_description(patch: pytest.MonkeyPatch) -> None:
    """DescribeState tells, as the number of moves made, how many can be made."""
    right = updates.status

    def wrong(state: State) -> update_pb2.Status:
        told = right(state)
        told.ply = len(state.legal_moves())
        return told

    patch.setattr(updates, "status", wrong)


def compressed_states(patch: pytest.MonkeyPatch) -> None:
    """Tokens are compressed, so that their size tells what is in them."""

    def opened(token: bytes) -> bytes:
        body = unseal(token)
        return zlib.decompress(body) if body.startswith(b"x") else body

    patch.setattr(Unsealed, "seal", staticmethod(lambda body: seal(zlib.compress(body))))
    patch.setattr(Unsealed, "unseal", staticmethod(opened))


def _telling(patch: pytest.MonkeyPatch, tell: Callable[[Refusal, str], None]) -> None:
    """Let a refused move tell of the kind on its target."""
    right: Any = requests._move

    def wrong(state: State, seat: int, move: action_pb2.Move, field: str) -> Turn:
        try:
            turn: Turn = right(state, seat, move, field)
        except Refusal as refusal:
            target = state.game.squares[move.packed & 255] if move.packed & 255 < len(state.game.squares) else ""
            kinds = [men[target] for men in state.pieces().values() if target in men]
            tell(refusal, kinds[0] if kinds else "")
            raise
        return turn

    patch.setattr(requests, "_move", wrong)


def defender_in_the_message(patch: pytest.MonkeyPatch) -> None:
    """The message of a refused move names the defender."""

    def tell(refusal: Refusal, kind: str) -> None:
        refusal.message += f" It holds: {kind}."

    _telling(patch, tell)


def defender_in_the_metadata(patch: pytest.MonkeyPatch) -> None:
    """The details of a refused move name the defender."""
    _telling(patch, lambda refusal, kind: refusal.metadata.update(defender=kind))


def reason_by_defender(patch: pytest.MonkeyPatch) -> None:
    """A move is refused for another reason where it would meet the first half of the alphabet."""

    def tell(refusal: Refusal, kind: str) -> None:
        if "a" < kind < "m":
            refusal.reason = "INVALID_ACTION"

    _telling(patch, tell)


def _remembering(patch: pytest.MonkeyPatch) -> list[str]:
    """A kind of the state that was read last, for what knows nothing of states."""
    memory = [""]
    right = contents.state_of

    def remember(*arguments: Any) -> State:
        state = right(*arguments)
        men = [sorted(men.items()) for men in state.pieces().values()]
        memory[0] = str(zlib.crc32(repr(men).encode()) % 89)
        return state

    patch.setattr(contents, "state_of", remember)
    return memory


def kind_in_the_log(patch: pytest.MonkeyPatch) -> None:
    """A line of the log has something of the pieces beside the reason."""
    memory, right = _remembering(patch), AccessLog.write

    def wrong(log: AccessLog, request_id: str, method: str, code: str, reason: str, used: str, micros: int) -> None:
        right(log, request_id, method, code, f"{reason}{memory[0]}", used, micros)

    patch.setattr(AccessLog, "write", wrong)


def kind_in_the_metrics(patch: pytest.MonkeyPatch) -> None:
    """A label of a counter has something of the pieces beside the game."""
    memory, right = _remembering(patch), Metrics.actions_applied
    patch.setattr(
        Metrics, "actions_applied", lambda metrics, game, *count: right(metrics, f"{game} {memory[0]}", *count)
    )


def kind_in_the_span(patch: pytest.MonkeyPatch) -> None:
    """A span has something of the pieces beside the game."""
    memory, right = _remembering(patch), RequestGame.__call__

    def wrong(games: RequestGame, path: str, data: bytes, context: Context) -> str:
        return f"{right(games, path, data, context)} {memory[0]}"

    patch.setattr(RequestGame, "__call__", wrong)


def kind_in_the_code(patch: pytest.MonkeyPatch) -> None:
    """The code of an error depends on the pieces."""
    memory = _remembering(patch)

    def wrong(reason: str) -> grpc.StatusCode:
        return grpc.StatusCode.ABORTED if memory[0].endswith(tuple("13579")) else code_of(reason)

    patch.setattr("service.method.code_of", wrong)


LEAKS: dict[Leak, str] = {
    captured_by_kind: "body",
    captured_kinds: "body",
    squares_before_play: "body",
    kinds_at_the_end: "body",
    claims_for_all: "body",
    pending_claims: "body",
    moves_of_the_other_seat: "body",
    knowledge_of_another: "body",
    length_by_kinds: "body",
    legal_actions_of_all: "body",
    movers_in_the_description: "body",
    compressed_states: "body",
    defender_in_the_message: "message",
    defender_in_the_metadata: "trailing",
    reason_by_defender: "trailing",
    kind_in_the_log: "log",
    kind_in_the_metrics: "shinpan_actions_total",
    kind_in_the_span: "span",
    kind_in_the_code: "code",
}
"""Every leak, with a word for where it has to be found."""
