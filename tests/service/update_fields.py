"""Who may see each field of an Update, and by what rule: the table that a new field has to be entered in."""

from enum import Enum
from typing import NamedTuple


class Who(Enum):
    """To whom a field says the same."""

    EVERYBODY = "all viewers get the same value"
    VIEWER = "made for the viewer, of what that viewer may know"
    SEAT_TO_DECIDE = "set for a seat that has something to decide, and for nobody else"
    CLAIMING_SEAT = "set for the seat that claims and the referee, or for all where claims are announced"
    PART = "holds other fields; says nothing itself"


class Rule(NamedTuple):
    """Who may see a field, and what it is made of."""

    who: Who
    by: str


E, V, D, C, P = Who.EVERYBODY, Who.VIEWER, Who.SEAT_TO_DECIDE, Who.CLAIMING_SEAT, Who.PART

FIELDS: dict[str, Rule] = {
    "Update.viewer": Rule(V, "The viewer of the request."),
    "Update.status": Rule(P, "Public facts."),
    "Update.view": Rule(P, "The board for the viewer."),
    "Update.events": Rule(P, "Events in their order, ClaimOpened for those who may know of it."),
    "Update.captured": Rule(P, "Pieces that are gone."),
    "Update.legal_actions": Rule(D, "The seat to move, or one that has not arranged."),
    "Update.knowledge": Rule(P, "Set for seats and the spectator, when asked for."),
    "Knowledge.token": Rule(V, "The view, public evidence, own kinds: the bytes of state.knowledge(viewer)."),
    "Status.phase": Rule(E, "The part of the match."),
    "Status.seats_arranged": Rule(E, "That a seat has arranged, not where."),
    "Status.to_move": Rule(E, "The seat to move."),
    "Status.ply": Rule(E, "Moves made."),
    "Status.revision": Rule(E, "Actions accepted."),
    "Status.draw_agreed": Rule(E, "Offers are made in public."),
    "Status.seats_out": Rule(E, "Seats go out in public."),
    "Status.last_move": Rule(E, "Moves are made in public."),
    "Status.result": Rule(P, "How the match ended."),
    "Status.hypothetical": Rule(E, "Whether the state was made up."),
    "View.seats": Rule(V, "Occupied squares once play has begun; before, the viewer's own."),
    "View.kinds": Rule(V, "Own kinds, a partner's with partner_view, shown ones, all after an end that reveals."),
    "View.origins": Rule(V, "Start squares of the pieces in View.seats; public since play began."),
    "View.flags": Rule(V, "Public marks of the pieces in View.seats, and the viewer's own claim or an announced one."),
    "View.claim_pending": Rule(C, "A pending claim."),
    "View.diagram": Rule(V, "The columns of the view as text."),
    "CapturedPieces.seats": Rule(V, "Owners of what is gone; a captured piece is public, as its square was."),
    "CapturedPieces.origins": Rule(V, "Start squares of what is gone, in the order of seats and squares."),
    "CapturedPieces.kinds": Rule(V, "Own kinds, a partner's with partner_view, kinds that an event has named."),
    "LegalActions.moves": Rule(D, "The seat to move, from its own kinds, public squares and public history."),
    "LegalActions.kinds": Rule(D, "From public facts."),
    "Event.seat_arranged": Rule(P, "Public."),
    "Event.play_began": Rule(P, "Public."),
    "Event.moved": Rule(P, "Public."),
    "Event.piece_shown": Rule(P, "Public."),
    "Event.claim_opened": Rule(C, "A claim opens."),
    "Event.seat_passed": Rule(P, "Public."),
    "Event.seat_eliminated": Rule(P, "Public."),
    "Event.draw_offered": Rule(P, "Public."),
    "Event.draw_accepted": Rule(P, "Public."),
    "Event.draw_declined": Rule(P, "Public."),
    "Event.draw_lapsed": Rule(P, "Public."),
    "Event.match_ended": Rule(P, "Public."),
    "SeatArranged.seat": Rule(E, "That a seat has arranged, not where."),
    "PlayBegan.to_move": Rule(E, "The first seat."),
    "Moved.ply": Rule(E, "Number of the move."),
    "Moved.seat": Rule(E, "Who moved."),
    "Moved.move": Rule(E, "From where to where."),
    "Moved.battle": Rule(E, "The outcome is announced to all."),
    "Moved.captured": Rule(E, "Squares of what was removed."),
    "Moved.attacker_kind": Rule(E, "Only with battle_reveal=event or shown."),
    "Moved.defender_kind": Rule(E, "Only with battle_reveal=event or shown."),
    "PieceShown.seat": Rule(E, "Whose piece is shown."),
    "PieceShown.square": Rule(E, "Where it stands."),
    "PieceShown.kind": Rule(E, "A survivor with battle_reveal=shown, a flag with marshal_death_shows_flag=on."),
    "ClaimOpened.seat": Rule(C, "The seat that claims."),
    "SeatPassed.seat": Rule(E, "A seat is passed over in public."),
    "SeatEliminated.seat": Rule(E, "A seat goes out in public."),
    "SeatEliminated.cause": Rule(E, "Why it went out."),
    "DrawOffered.seat": Rule(E, "Who offers."),
    "DrawAccepted.seat": Rule(E, "Who agrees."),
    "DrawDeclined.seat": Rule(E, "Who declines."),
    "MatchEnded.result": Rule(P, "How the match ended."),
    "Result.winners": Rule(E, "Who won."),
    "Result.reason": Rule(E, "Why it ended."),
}
"""Every field below Update, by its full name without the package."""

PARTS = frozenset(name for name, rule in FIELDS.items() if rule.who is D and name.startswith("Update."))
"""Messages whose presence alone says something."""
