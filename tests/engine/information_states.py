"""What a viewer has in hand, and how many different things that can be after so many moves."""

from collections.abc import Hashable, Iterable

from engine_core import State


def in_hand(state: State, viewer: int) -> Hashable:
    """Two states are the same for a viewer exactly if this is equal: all of the view, who is to move, the result."""
    return state.view(viewer), state.to_move, state.result


def information_states(starts: Iterable[State], depth: int, viewers: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """For each viewer the number of different things in hand after exactly 0, 1, … `depth` moves from any of these."""
    reached = list(starts)
    seen = {viewer: [{in_hand(state, viewer) for state in reached}] for viewer in viewers}
    for _ in range(depth):
        reached = [before.play(move).state for before in reached for move in before.legal_moves()]
        for viewer, found in seen.items():
            found.append({in_hand(state, viewer) for state in reached})
    return {viewer: tuple(map(len, found)) for viewer, found in seen.items()}
