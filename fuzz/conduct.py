"""What must hold of every state and all knowledge that the engine accepts."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import engine_core
from engine_core import REFEREE, SPECTATOR, Knowledge, State, StateError, Turn
from engine_core.errors import BudgetExceeded, InvalidAction
from fuzz.target import Finding, expect

HIGHEST_REVISION = 2**31 - 1
PLAYOUT_PLIES = 200


def ask_state(state: State) -> None:
    """Views, moves, actions, and knowledge of a state."""
    expect(engine_core.decode(state.to_bytes()) == state, "a state is read back as itself")
    for viewer in (SPECTATOR, *state.game.seats, REFEREE):
        state.view(viewer).diagram()
    moves = state.legal_moves()
    expect(bool(moves) == (state.phase == "play"), "there are moves in play, and none outside it")
    for move in moves:
        _follow(state, partial(state.play, move))
    for seat in state.game.seats:
        for action in state.legal_actions(seat):
            if action != "move":
                _follow(state, partial(_act, state, seat, action))
    if state.phase != "arrangement":
        with suppress(BudgetExceeded):
            engine_core.playout(state, 1, seed=1, max_plies=PLAYOUT_PLIES)
        expect(engine_core.perft(state, 1) == len(moves), "perft counts the legal moves")
    for viewer in (SPECTATOR, *state.game.seats):
        knowledge = state.knowledge(viewer)
        with suppress(StateError):  # judged with other kinds, of which no match may have brought all where they are
            expect(engine_core.decode(knowledge.to_bytes()) == knowledge, "knowledge of a state is read back as itself")
        expect(knowledge.view() == state.view(viewer), "the view of knowledge is that of the state")
        if viewer == state.to_move:
            expect(knowledge.legal_moves() == moves, "the legal moves of knowledge are those of the state")


def _act(state: State, seat: int, action: str) -> Turn:
    if action == "arrange":
        return state.arrange(seat, state.game.random_arrangement(seat, seed=1))
    act: Callable[[int], Turn] = getattr(state, action.replace("-", "_"))
    return act(seat)


def _follow(state: State, act: Callable[[], Turn]) -> None:
    try:
        after = act().state
    except InvalidAction:
        expect(state.revision == HIGHEST_REVISION, "what is legal can be done")
        return
    try:
        read = engine_core.decode(after.to_bytes())
    except StateError as error:
        raise Finding(f"what follows a state is refused: {error}") from error
    expect(read == after, "what follows a state is read back as itself")


def ask_knowledge(knowledge: Knowledge) -> str:
    """View, moves, deduction, and samples of knowledge; tells what deduction says."""
    view = knowledge.view()
    view.diagram()
    for move in knowledge.legal_moves():
        str(move)
    try:
        deduction = knowledge.deduce()
    except engine_core.RefereeError as error:
        expect(error.reason in ("MATCH_OVER", "ARRANGEMENT_PENDING"), "deduction works in play")
        return error.reason
    for piece in deduction.pieces:
        expect(bool(piece.counts), "every hidden piece can be something")
        expect(
            all(0 < count <= deduction.count for count in piece.counts.values()), "a kind that is listed is possible"
        )
        if deduction.exact:
            expect(sum(piece.counts.values()) == deduction.count, "the counts of a piece add up to those of all")
    try:
        samples = knowledge.sample(2, seed=1)
    except StateError:
        return "no sample"
    for sample in samples:
        expect(sample.hypothetical, "samples are hypothetical")
        expect(bool(sample.legal_moves()), "the seat to move has a move in a sample")
        expect(sample.view(knowledge.viewer) == view, "the view of a sample is that of the knowledge")
        with suppress(StateError):  # as above: knowledge is judged by one sample, which need not be this one
            expect(engine_core.decode(sample.to_bytes()) == sample, "a sample is read back as itself")
        known = sample.knowledge(knowledge.viewer)
        if knowledge.hypothetical:
            expect(known == knowledge, "the knowledge of a sample is that from which it is drawn")
    return f"exact {deduction.exact}, {min(len(deduction.pieces), 3)} pieces"
