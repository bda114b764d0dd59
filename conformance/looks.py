"""The vectors of looking at a state, and of what a bot asks."""

from shinpan.v1 import analysis_service_pb2 as analysis
from shinpan.v1 import knowledge_pb2, state_pb2
from shinpan.v1 import referee_service_pb2 as messages

from conformance.book import Book
from conformance.matches import Match

DEPTH = 2
GAMES = 10
SAMPLES = 2


def moments(match: Match) -> dict[str, state_pb2.State]:
    """Three states of a match, by their names."""
    states = match.states
    return {"the start": states[0], "the middle": states[len(states) // 2], "the end": states[-1]}


def look(book: Book, match: Match) -> None:
    """Write down what can be asked about a state, for each of three, and for all of them at once."""
    looks, lists = messages.BatchGetUpdatesRequest(), messages.BatchListLegalActionsRequest()
    for moment, state in moments(match).items():
        update = messages.GetUpdateRequest(
            state=state, viewers=match.viewers, include_diagrams=True, include_knowledge=True
        )
        book.answer(f"updates at {moment}", update)
        book.answer(f"description of {moment}", messages.DescribeStateRequest(state=state))
        book.answer(f"{moment} sealed again", messages.ResealStateRequest(state=state))
        looks.items.add(state=state, viewers=match.viewers[:1])
        for seat in match.game.seats:
            request = messages.ListLegalActionsRequest(state=state, seat=seat.number)
            book.answer(f"what seat {seat.number} may do at {moment}", request)
            lists.items.append(request)
    looks.items.add(state=match.states[0])
    lists.items.add(state=match.states[0], seat=9)
    book.answer("updates of many states, one of them for nobody", looks)
    book.answer("what seats may do in many states, one of them for no seat", lists)
    book.answer("actions in many states, one of them once more", _applications(match))


def _applications(match: Match) -> messages.BatchApplyActionsRequest:
    """The last action, the one in the middle, and the last one once more in the state that it led to."""
    batch = messages.BatchApplyActionsRequest()
    for place in (len(match.played) - 1, len(match.played) // 2):
        batch.items.add(state=match.states[place], action=match.played[place], viewers=match.viewers[:2])
    batch.items.add(state=match.states[-1], action=match.played[-1], expected_revision=0)
    return batch


def search(book: Book, match: Match) -> None:
    """Write down what a bot asks that holds what a seat may know, and what follows from the states that it samples."""
    state = match.states[len(match.states) // 2]
    to_move = book.ask(messages.DescribeStateRequest(state=state)).status.to_move
    looks = messages.GetUpdateRequest(state=state, viewers=match.viewers[:1], include_knowledge=True)
    knowledge: knowledge_pb2.Knowledge = book.ask(looks).updates[0].knowledge
    book.answer("what seat 1 can deduce", analysis.DeduceRequest(knowledge=knowledge))
    sampling = analysis.SampleStatesRequest(knowledge=knowledge, count=SAMPLES, seed=1)
    samples = list(book.answer("states that fit what seat 1 knows", sampling).states)
    made_up = messages.GetUpdateRequest(state=samples[0], viewers=match.viewers[:1], expect_hypothetical=True)
    book.answer("update in a sample", made_up)
    listing = messages.ListLegalActionsRequest(state=samples[0], seat=to_move, expect_hypothetical=True)
    moves = book.answer("what may be done in a sample", listing).legal_actions.moves
    application = messages.ApplyActionRequest(state=samples[0], viewers=match.viewers[:1], expect_hypothetical=True)
    application.action.seat = to_move
    application.action.move.packed = moves[0]
    book.answer("a move in a sample", application)
    batch = analysis.BatchPlayoutsRequest()
    for number, sample in enumerate(samples):
        batch.items.add(state=sample, games=GAMES, seed=number, expect_hypothetical=True)
    batch.items.add(state=samples[0], games=GAMES)
    book.answer("random games from samples, one of them not expected", batch)
    perft = analysis.PerftRequest(state=samples[0], depth=DEPTH, expect_hypothetical=True)
    book.answer("sequences from a sample", perft)
    if book.server == "plain":
        book.answer("random games", analysis.PlayoutRequest(state=state, games=GAMES, seed=2**64 - 1))
        book.answer("sequences of two moves", analysis.PerftRequest(state=state, depth=DEPTH))
