"""What the service answers, as plain Python values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from shinpan.state import StateToken
from shinpan.v1 import (
    action_pb2,
    analysis_service_pb2,
    event_pb2,
    referee_service_pb2,
    update_pb2,
    viewer_pb2,
)

SPECTATOR: Final[int] = viewer_pb2.VIEWER_SPECTATOR
"""The viewer who owns no piece. A seat is a viewer by its number."""
REFEREE: Final[int] = viewer_pb2.VIEWER_REFEREE
"""The viewer who sees everything."""


def _word(name: str, prefix: str) -> str:
    """An enum value as a word: END_REASON_FLAG_CAPTURED becomes flag-captured."""
    return name.removeprefix(prefix).lower().replace("_", "-")


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended."""

    winners: tuple[int, ...]
    """The winning seats; empty for a draw."""
    reason: str
    """Why, for example "flag-captured"."""

    @classmethod
    def of(cls, message: event_pb2.Result) -> "Result":
        """From its message."""
        return cls(tuple(message.winners), _word(event_pb2.EndReason.Name(message.reason), "END_REASON_"))


@dataclass(frozen=True, slots=True)
class Status:
    """The public facts about a match besides its board."""

    phase: str
    """"arrangement", "play" or "ended"."""
    seats_arranged: tuple[int, ...]
    to_move: int | None
    ply: int
    revision: int
    draw_agreed: tuple[int, ...]
    seats_out: tuple[int, ...]
    last_move: int | None
    """`source << 8 | target`."""
    result: Result | None
    hypothetical: bool

    @classmethod
    def of(cls, message: update_pb2.Status) -> "Status":
        """From its message."""
        return cls(
            phase=_word(update_pb2.Phase.Name(message.phase), "PHASE_"),
            seats_arranged=tuple(message.seats_arranged),
            to_move=message.to_move or None,
            ply=message.ply,
            revision=message.revision,
            draw_agreed=tuple(message.draw_agreed),
            seats_out=tuple(message.seats_out),
            last_move=message.last_move if message.HasField("last_move") else None,
            result=Result.of(message.result) if message.HasField("result") else None,
            hypothetical=message.hypothetical,
        )


@dataclass(frozen=True, slots=True)
class View:
    """The board as one viewer may see it: one byte a square; see `shinpan.v1.update_pb2.View`."""

    seats: bytes
    kinds: bytes
    origins: bytes
    flags: bytes
    claim_pending: bool
    diagram: str | None
    """The board as text, where it was asked for."""

    @classmethod
    def of(cls, message: update_pb2.View) -> "View":
        """From its message."""
        return cls(
            seats=message.seats,
            kinds=message.kinds,
            origins=message.origins,
            flags=message.flags,
            claim_pending=message.claim_pending,
            diagram=message.diagram if message.HasField("diagram") else None,
        )


@dataclass(frozen=True, slots=True)
class CapturedPiece:
    """A piece that has left the board."""

    seat: int
    origin: int
    """Index of the square on which it started."""
    kind: int
    """Index into `Game.kinds` from 1; 255 when the viewer may not know it."""


@dataclass(frozen=True, slots=True)
class LegalActions:
    """What a seat may do now."""

    moves: tuple[int, ...]
    """Each as `source << 8 | target`, ascending."""
    kinds: tuple[str, ...]
    """Words such as "move", "resign", "offer-draw"."""

    @classmethod
    def of(cls, message: action_pb2.LegalActions) -> "LegalActions":
        """From its message."""
        kinds = tuple(_word(action_pb2.ActionKind.Name(kind), "ACTION_KIND_") for kind in message.kinds)
        return cls(tuple(message.moves), kinds)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All that one viewer may know of a match at one moment, opaque. It may be handed to that viewer."""

    token: bytes


@dataclass(frozen=True, slots=True)
class Update:
    """Everything that one viewer gets."""

    viewer: int
    status: Status
    view: View
    events: tuple[event_pb2.Event, ...]
    """What happened, in order; `event.WhichOneof("kind")` names what."""
    captured: tuple[CapturedPiece, ...]
    legal_actions: LegalActions | None
    """None unless the viewer is a seat that has something to decide now."""
    knowledge: Knowledge | None
    """What the viewer may know, where it was asked for."""

    @classmethod
    def of(cls, message: update_pb2.Update) -> "Update":
        """From its message."""
        gone = message.captured
        legal = message.legal_actions if message.HasField("legal_actions") else None
        return cls(
            viewer=message.viewer,
            status=Status.of(message.status),
            view=View.of(message.view),
            events=tuple(message.events),
            captured=tuple(
                CapturedPiece(seat, origin - 1, kind)
                for seat, origin, kind in zip(gone.seats, gone.origins, gone.kinds, strict=True)
            ),
            legal_actions=None if legal is None else LegalActions.of(legal),
            knowledge=Knowledge(message.knowledge.token) if message.HasField("knowledge") else None,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """A new state of a match, and what each viewer who was asked for gets."""

    state: StateToken
    """Keep it, send it with the next call, never give it to a player."""
    digest: bytes = field(repr=False)
    """16 bytes that name the state, for the backend alone: who guesses at hidden pieces could tell by it."""
    updates: Mapping[int, Update]
    """By viewer."""

    @classmethod
    def of(
        cls,
        message: referee_service_pb2.StartMatchResponse
        | referee_service_pb2.ApplyActionResponse
        | referee_service_pb2.ReplayMatchResponse,
    ) -> "Answer":
        """From the answer of a method that changes a state."""
        updates = {int(update.viewer): Update.of(update) for update in message.updates}
        return cls(StateToken(message.state.token), message.digest, updates)


@dataclass(frozen=True, slots=True)
class Description:
    """The public facts about a state."""

    game: str
    options: Mapping[str, str]
    match_id: bytes
    first_seat: int
    status: Status
    digest: bytes = field(repr=False)
    """That of `Answer`."""
    game_revision: int
    """The revision of the game's rules under which the match goes on."""

    @classmethod
    def of(cls, message: referee_service_pb2.DescribeStateResponse) -> "Description":
        """From its message."""
        return cls(
            message.game,
            dict(message.options),
            message.match_id,
            message.first_seat,
            Status.of(message.status),
            message.digest,
            message.game_revision,
        )


@dataclass(frozen=True, slots=True)
class Playouts:
    """What came of random games."""

    games: int
    plies: int
    unfinished: int
    results: Mapping[Result, int]
    """How many games ended in each way."""

    @classmethod
    def of(cls, message: analysis_service_pb2.PlayoutResponse) -> "Playouts":
        """From its message."""
        results = {Result.of(count.result): count.games for count in message.results}
        return cls(message.games, message.plies, message.unfinished, results)


@dataclass(frozen=True, slots=True)
class PossibleKind:
    """A kind that a piece can still be."""

    kind: int
    """Index into `Game.kinds` from 1."""
    count: int
    """In how many of the consistent assignments the piece is of that kind."""
    probability: float
    """How likely that is when all of them are equally likely."""


@dataclass(frozen=True, slots=True)
class DeducedPiece:
    """A piece whose kind the viewer does not know."""

    seat: int
    origin: int
    """Index of the square on which it started, which names it."""
    square: int | None
    """Index of the square on which it stands; None when it has left the board."""
    kinds: tuple[PossibleKind, ...]


@dataclass(frozen=True, slots=True)
class Deduction:
    """What follows from knowledge for the pieces whose kinds the viewer does not know."""

    pieces: tuple[DeducedPiece, ...]
    """By seat and start square."""
    count: int
    """The number of consistent assignments."""
    exact: bool
    """False when there can be too many kinds, and counts are upper bounds."""

    @classmethod
    def of(cls, message: analysis_service_pb2.DeduceResponse) -> "Deduction":
        """From its message."""
        pieces = tuple(
            DeducedPiece(
                piece.seat,
                piece.origin,
                piece.square if piece.HasField("square") else None,
                tuple(PossibleKind(kind.kind, int(kind.count), kind.probability) for kind in piece.kinds),
            )
            for piece in message.pieces
        )
        return cls(pieces, int(message.count), message.exact)
