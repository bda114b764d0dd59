"""Ways in which the engine could tell a viewer too much, each to be found by the comparison of channels."""

import zlib

from engine_core import REFEREE, RefereeError, State, Turn, View
from engine_core.view import CLAIM

from .channels import Channel


class CapturedByKind(Channel):
    """The list of what has been captured is sorted by kind, though it does not name the kinds."""

    def captured(self, state: State, view: View) -> object:
        kinds = {(piece.seat, piece.origin): piece.kind for piece in state.view(REFEREE).captured}
        return sorted(view.captured, key=lambda piece: kinds[piece.seat, piece.origin])


class CapturedKinds(Channel):
    """The kinds of captured pieces are told once they are gone."""

    def captured(self, state: State, view: View) -> object:
        return state.view(REFEREE).captured if state.phase == "play" else view.captured


class KindsAtTheEnd(Channel):
    """The end shows everything, whatever `reveal_at_end` says."""

    def kinds(self, state: State, view: View) -> bytes:
        return state.view(REFEREE).kinds if state.phase == "ended" else view.kinds


class EventsOfTheReferee(Channel):
    """Everybody gets all events."""

    def events(self, turn: Turn, viewer: int) -> object:
        return turn.events


class MovesOfTheOtherSeat(Channel):
    """Legal moves are given to whoever asks."""

    def legal_moves(self, state: State, viewer: int) -> object:
        return [int(move) for move in state.legal_moves()]


class ClaimsOfOthers(Channel):
    """The mark of a claim is on every board."""

    def flags(self, state: State, view: View) -> bytes:
        everything = state.view(REFEREE).flags
        return bytes(mine | flag & CLAIM for mine, flag in zip(view.flags, everything, strict=True))


class CompressedSize(Channel):
    """States are stored compressed, so that their size depends on what is in them."""

    def size(self, state: State) -> int:
        return len(zlib.compress(state.to_bytes()))


class TalkativeRefusals(Channel):
    """A refused move tells what stands on its target."""

    def complaint(self, state: State, error: RefereeError) -> object:
        target = error.details.get("move", "")[2:]
        kinds = [men[target] for men in state.pieces().values() if target in men]
        return super().complaint(state, error), kinds


class SquaresInSetup(Channel):
    """Before play begins everybody sees on which squares a seat has placed its pieces."""

    def flags(self, state: State, view: View) -> bytes:
        return state.view(REFEREE).seats if state.phase == "arrangement" else view.flags


class KnowledgeOfSeatOne(Channel):
    """Whoever asks gets what seat 1 knows."""

    def knowledge(self, state: State, viewer: int) -> object:
        return state.knowledge(1).to_bytes()


LEAKS = (
    CapturedByKind,
    CapturedKinds,
    KindsAtTheEnd,
    EventsOfTheReferee,
    MovesOfTheOtherSeat,
    ClaimsOfOthers,
    CompressedSize,
    TalkativeRefusals,
    SquaresInSetup,
    KnowledgeOfSeatOne,
)
