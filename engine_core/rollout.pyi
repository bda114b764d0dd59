from typing import Final, NamedTuple

from engine_core.match import Result, State

MAX_PLIES: Final = 100_000

class Playouts(NamedTuple):
    games: int
    plies: int
    unfinished: int
    results: dict[Result, int]

def playout(state: State, games: int, seed: int, *, max_plies: int | None = None) -> Playouts: ...
def perft(state: State, depth: int, *, max_nodes: int | None = None) -> int: ...
