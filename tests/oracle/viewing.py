"""What one viewer may see of a match."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .match import Match

Viewer = int | str

SPECTATOR = "spectator"


def view(match: "Match", viewer: Viewer) -> dict[str, Any]:
    """The board as a seat, or as somebody without a seat, sees it."""
    if viewer != SPECTATOR and viewer not in match.rules.all_seats:
        raise ValueError(f"no such viewer: {viewer}")
    position, names = match.position, match.rules.board.names
    ended = match.phase == "ended" and match.rules.options["reveal_at_end"] == "on"
    everything = ended or match.rules.fixed_start is not None
    partners = partners_seen(match, viewer)
    own: dict[str, str] = {}
    hidden: dict[str, int] = {}
    known: dict[str, list[int | str]] = {}
    for seat in match.rules.all_seats:
        for square, kind in position.men[seat].items():
            if seat == viewer:
                own[names[square]] = kind
            elif everything or seat in partners or square in position.shown:
                known[names[square]] = [seat, kind]
            elif match.board_public:
                hidden[names[square]] = seat
    return {
        "own": own,
        "hidden": hidden,
        "known": known,
        "claim_pending": has_claim_pending(match, viewer),
    }


def partners_seen(match: "Match", viewer: Viewer) -> frozenset[int]:
    """The seats whose kinds a partner sees: once the boards are public, and where the game lets it."""
    if not match.rules.partner_view or not match.board_public or not isinstance(viewer, int):
        return frozenset()
    return match.rules.sides.partners(viewer)


def has_claim_pending(match: "Match", viewer: Viewer) -> bool:
    """Whether the viewer knows of a claim; there is none once the match has ended."""
    told = match.rules.announces_claims or viewer == match.claim
    return match.phase == "play" and match.claim != 0 and told


def private_knowledge(match: "Match", seat: int) -> tuple[object, ...]:
    """What a seat knows beyond the public record; the pieces go by their first squares."""
    if seat not in match.rules.all_seats:
        raise ValueError(f"no such seat: {seat}")
    seen = sorted({seat} | (partners_seen(match, seat) & match.began_with))
    first_kinds = tuple((other, tuple(sorted(match.start_kinds.get(other, {}).items()))) for other in seen)
    return seat, first_kinds, has_claim_pending(match, seat)
