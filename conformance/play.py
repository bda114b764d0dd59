"""The vectors of play: matches from their setup to their end."""

import random
from collections.abc import Mapping

from shinpan import actions
from shinpan.v1 import action_pb2, match_pb2, state_pb2, update_pb2
from shinpan.v1 import analysis_service_pb2 as analysis
from shinpan.v1 import referee_service_pb2 as messages

from conformance.book import Book
from conformance.matches import Match, chosen, describe, opened


def arrange(book: Book, match: Match) -> None:
    """Write down how a match begins: at once, and when its seats place their pieces one by one, the last one first."""
    at_once = messages.StartMatchRequest(setup=match.setup, viewers=match.viewers, include_diagrams=True)
    book.answer("start with arrangements", at_once)
    bare = match_pb2.MatchSetup(game=match.setup.game, options=match.setup.options)
    answer = book.answer("start without arrangements", messages.StartMatchRequest(setup=bare, viewers=match.viewers))
    for seat in sorted(match.setup.arrangements, reverse=True):
        action = action_pb2.Action(seat=seat, arrange=match.setup.arrangements[seat])
        request = messages.ApplyActionRequest(state=answer.state, action=action, viewers=match.viewers)
        answer = book.answer(f"seat {seat} arranges", request)


def play(
    book: Book, name: str, game: str, options: Mapping[str, str], first_seat: int, seed: int, samples: int
) -> Match:
    """Play a match to its end, and write down its start, some of its moves, and the whole as a replay.

    Moves are written down that are the first of their sort, until there are `samples`.
    """
    match = opened(book, describe(book, game, options), options, first_seat, seed)
    match.go_on(book.ask(messages.StartMatchRequest(setup=match.setup, viewers=match.viewers)))
    chance = random.Random(f"{game} {name} {seed}")
    seen: set[tuple[object, ...]] = set()
    while not match.ended:
        action = chosen(match, chance)
        request = match.application(action, expected_revision=match.status.revision)
        answer = book.ask(request)
        sort = _sort(answer.updates[-1])
        if sort not in seen and len(seen) < samples:
            seen.add(sort)
            book.keep(f"{name}: ply {match.status.ply + 1}", request, answer)
        match.played.append(action)
        match.go_on(answer)
    replay = messages.ReplayMatchRequest(setup=match.setup, actions=match.played, viewers=match.viewers)
    book.answer(f"{name}: the whole", replay)
    return match


def _sort(update: update_pb2.Update) -> tuple[object, ...]:
    """What sort of thing happened: the kinds of events, and how the battle went."""
    kinds = tuple(event.WhichOneof("kind") for event in update.events)
    battles = tuple(event.moved.battle for event in update.events)
    captures = tuple(min(len(event.moved.captured), 2) for event in update.events)
    return kinds, battles, captures


def agree(book: Book, match: Match) -> None:
    """Write down draw offers and decisions in the middle of a match."""
    middle = match.states[len(match.states) // 2]
    seats = [seat.number for seat in match.game.seats]

    def done(name: str, state: state_pb2.State, action: action_pb2.Action) -> messages.ApplyActionResponse:
        request = messages.ApplyActionRequest(state=state, action=action, viewers=match.viewers[:2])
        answer: messages.ApplyActionResponse = book.answer(name, request)
        return answer

    out = set(book.ask(messages.DescribeStateRequest(state=middle)).status.seats_out)
    active = [seat for seat in seats if seat not in out]
    offer = done("a draw is offered", middle, actions.offer_draw(active[0]))
    done("a draw is declined", offer.state, actions.decline_draw(active[1]))
    for seat in active[1:]:
        offer = done(f"seat {seat} accepts a draw", offer.state, actions.accept_draw(seat))
    done("a seat resigns", middle, actions.resign(active[-1]))
    done("a seat runs out of time", middle, actions.forfeit(active[0], "time"))
    done("a seat has left", middle, actions.forfeit(active[1], "abandonment"))
    done("a seat is ruled against", middle, actions.forfeit(active[0], "ruling"))
    team = match.game.seats[0].team
    winners = [seat.number for seat in match.game.seats if seat.team == team]
    done("a win is adjudicated", middle, actions.adjudicate(winners))
    done("a draw is adjudicated", middle, actions.adjudicate([]))


def draw_arrangements(book: Book, match: Match) -> None:
    """Write down a random arrangement of each seat."""
    for seat in match.game.seats:
        request = analysis.DrawArrangementRequest(game=match.game.id, seat=seat.number, seed=2**63 + seat.number)
        book.answer(f"seat {seat.number} draws an arrangement", request)
