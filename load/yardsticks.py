"""The engines to compare with, driven from Python as their users drive them: cshogi, python-chess and OpenSpiel.

Shogi, chess and dark chess are other games than ours, of like size; what is compared is a ply, not a match.
"""

import random
from functools import cache

import chess
import cshogi
import pyspiel

MAX_PLIES = 500
"""Random games of shogi are cut off here; they hardly end otherwise."""

SHOGI_PLIES = 200
"""How long the shogi games last from which requests are taken, at most."""


def shogi_playout(game: int) -> int:
    """A random game of cshogi; returns its plies."""
    chance = random.Random(game)
    board = cshogi.Board()
    plies = 0
    while plies < MAX_PLIES:
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(chance.choice(moves))
        plies += 1
    return plies


def shogi_loop(game: int) -> int:
    """The same, asking after each ply whether the game is over."""
    chance = random.Random(game)
    board = cshogi.Board()
    plies = 0
    while plies < MAX_PLIES and not board.is_game_over():
        board.push(chance.choice(list(board.legal_moves)))
        plies += 1
    return plies


def chess_loop(game: int) -> int:
    """A random game of python-chess; returns its plies."""
    chance = random.Random(game)
    board = chess.Board()
    plies = 0
    while plies < MAX_PLIES and not board.is_game_over():
        board.push(chance.choice(list(board.legal_moves)))
        plies += 1
    return plies


@cache
def _dark_chess() -> pyspiel.Game:
    return pyspiel.load_game("dark_chess")


def dark_chess_loop(game: int) -> int:
    """A random game of OpenSpiel's dark chess; returns its plies."""
    chance = random.Random(game)
    state = _dark_chess().new_initial_state()
    plies = 0
    while plies < MAX_PLIES and not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
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


@cache
def shogi_requests(count: int) -> tuple[tuple[str, str], ...]:
    """Positions of as many random games, from their first moves to `SHOGI_PLIES`, in SFEN; each with a move in USI."""
    requests = []
    for number in range(count):
        chance = random.Random(number)
        board = cshogi.Board()
        for _ in range(SHOGI_PLIES * number // count):
            board.push(chance.choice(list(board.legal_moves)))
            if board.is_game_over():
                board.pop()
                break
        move = chance.choice(list(board.legal_moves))
        requests.append((board.sfen(), cshogi.move_to_usi(move)))
    return tuple(requests)


def shogi_answer(sfen: str, usi: str) -> str:
    """What a stateless referee of shogi does at least: read the position, check the move, make it, look whether that
    ended the game, and write the new position.
    """
    board = cshogi.Board(sfen)
    move = board.move_from_usi(usi)
    if move not in list(board.legal_moves):
        raise ValueError(usi)
    board.push(move)
    board.is_game_over()
    return str(board.sfen())
