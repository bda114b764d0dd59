"""The engine in process, against cshogi, a shogi engine with a Python interface."""

import random
import time
from collections.abc import Callable

import cshogi

import engine_core
from engine_core import State

GAME = "hidden-capture-flag"
MAX_SHOGI_PLIES = 500


def opening(seed: int) -> State:
    """A match with drawn arrangements, before its first move."""
    game = engine_core.load(GAME)
    state = game.start()
    for seat in game.seats:
        state = state.arrange(seat, game.random_arrangement(seat, seed=seed + seat)).state
    return state


def middle(seed: int, plies: int = 200) -> State:
    """The same match after some random moves."""
    chance = random.Random(seed)
    state = opening(seed)
    for _ in range(plies):
        state = state.play(chance.choice(state.legal_moves())).state
    return state


def rate(work: Callable[[], int]) -> float:
    """What `work` returns, for each second of CPU that it took."""
    started = time.process_time()
    done = work()
    return done / (time.process_time() - started)


def playout_plies(state: State, games: int, seed: int) -> int:
    """Plies of random games in the core."""
    return engine_core.playout(state, games, seed).plies


def shogi_playout_plies(games: int, seed: int) -> int:
    """Plies of random games of cshogi, driven from Python."""
    chance = random.Random(seed)
    plies = 0
    for _ in range(games):
        board = cshogi.Board()
        while board.move_number <= MAX_SHOGI_PLIES:
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(chance.choice(moves))
            plies += 1
    return plies


def shogi_perft(board: cshogi.Board, depth: int) -> int:
    """Move sequences of cshogi, the last ply counted in bulk as ours is."""
    moves = board.legal_moves
    if depth == 1:
        return len(moves)
    nodes = 0
    for move in moves:
        board.push(move)
        nodes += shogi_perft(board, depth - 1)
        board.pop()
    return nodes
