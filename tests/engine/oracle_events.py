"""The events that the oracle's public record makes known, in the words of the engine."""

from collections.abc import Iterator

import oracle
from oracle.record import Entry

from engine_core import REFEREE
from engine_core.events import (
    ClaimOpened,
    DrawAccepted,
    DrawDeclined,
    DrawLapsed,
    DrawOffered,
    Event,
    MatchEnded,
    Moved,
    PieceShown,
    PlayBegan,
    SeatArranged,
    SeatEliminated,
    SeatPassed,
)


class Before:
    """What has to be remembered of a match to tell what an action adds to it."""

    def __init__(self, match: oracle.Match) -> None:
        self.entries = len(match.public_record())
        self.shown = set(match.position.shown)
        self.offer = match.draw_offer


def expected_events(before: Before, match: oracle.Match, viewer: int) -> list[Event]:
    """What the viewer is told of the action since then."""
    events: list[Event] = []
    later: list[Event] = []
    for entry in match.public_record()[before.entries :]:
        match entry[0]:
            case "move":
                events += [_moved(match, entry), *_shown(before, match, entry)]
                if match.claim == entry[2] and match.phase == "play":
                    told = match.rules.announces_claims or viewer in (match.claim, REFEREE)
                    events += [ClaimOpened(entry[2])] if told else []
            case "draw-declined":
                events.append(DrawDeclined(entry[1]))
            case _:
                later += _of_entry(match, entry)
    declined = any(isinstance(event, DrawDeclined) for event in events)
    lapsed = before.offer and not match.draw_offer and not declined and _closed_by_more_than_the_end(before, match)
    return [*events, *([DrawLapsed()] if lapsed else []), *later]


def _closed_by_more_than_the_end(before: Before, match: oracle.Match) -> bool:
    """An offer also ends with the match; it lapses by the move of a seat that had not agreed, or with a seat."""
    added = match.public_record()[before.entries :]
    moved = any(entry[0] == "move" and entry[2] not in before.offer for entry in added)
    return moved or (match.rules.sides.pieces_leave and any(entry[0] == "out" for entry in added))


def _of_entry(match: oracle.Match, entry: Entry) -> Iterator[Event]:
    what = entry[0]
    if what == "arranged":
        yield SeatArranged(entry[1])
    elif what == "board":
        yield PlayBegan(_first_turn(match))
    elif what == "draw-offered":
        yield DrawOffered(entry[1])
    elif what == "draw-accepted":
        yield DrawAccepted(entry[1])
    elif what == "passed":
        yield SeatPassed(entry[1])
    elif what == "out" and match.rules.sides.pieces_leave:
        yield SeatEliminated(entry[1], entry[2])
    elif what == "result":
        yield MatchEnded(entry[1], entry[2])


def _first_turn(match: oracle.Match) -> int:
    """The first seat, or the next one that was in play when play began."""
    seats = match.rules.all_seats
    order = [*seats[match.first_seat - 1 :], *seats[: match.first_seat - 1]]
    first: int = next(seat for seat in order if seat in match.began_with)
    return first


def _moved(match: oracle.Match, entry: Entry) -> Moved:
    _, ply, seat, source, target, outcome, captured, named, _ = entry
    attacker, defender = named or (None, None)
    in_order = tuple(sorted(captured, key=match.rules.board.index.__getitem__))
    return Moved(ply, seat, source, target, outcome, in_order, attacker, defender)


def _shown(before: Before, match: oracle.Match, entry: Entry) -> list[Event]:
    """Pieces that are shown now and were not before; the moved piece was elsewhere then."""
    index, names = match.rules.board.index, match.rules.board.names
    source, target = index[entry[3]], index[entry[4]]
    survived = entry[5][0] in "Am"
    found: list[Event] = []
    for square in match.position.shown:
        stood_on = source if square == target and survived else square
        if stood_on not in before.shown:
            seat = match.position.owner[square]
            found.append(PieceShown(seat, names[square], match.position.men[seat][square]))
    return sorted(found, key=repr)
