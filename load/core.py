"""The engine in process, against engines with Python interfaces."""

import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial

import cshogi

import engine_core
from engine_core import State
from load import yardsticks
from load.positions import GAME, matches_under_way, middle, opening
from load.rounds import Effort, Taken, Turn, micros, rate
from service import wire
from service.updates import happened

SHOGI_PERFT_DEPTH = 3
REQUESTS = 64
DEDUCED = 300
"""More knowledge than the engine remembers deductions of, so that each is a new one."""


def playout(start: State, call: int) -> int:
    """One random game in the core; returns its plies."""
    return engine_core.playout(start, 1, call).plies


def loop(start: State, call: int) -> int:
    """One random game ply by ply from Python: legal moves, choice, play, result; returns its plies."""
    chance = random.Random(call)
    state, plies = start, 0
    while state.result is None:
        state = state.play(chance.choice(state.legal_moves())).state
        plies += 1
    return plies


def turns(effort: Effort) -> Iterator[Turn]:
    """What is measured of the engine, as turns of a round."""
    seconds = effort.seconds
    for game_id in sorted(engine_core.games(), key=lambda one: one == GAME):  # that one next to the yardsticks
        yield partial(_game, game_id, seconds)
    yield partial(_yardsticks, seconds)
    yield partial(_perft, seconds)
    yield partial(_threads, effort)
    yield partial(_request, effort)
    yield partial(_knowledge, effort)


def _game(game_id: str, seconds: float) -> Taken:
    start = opening(game_id)
    return {
        f"core.playout.{game_id}": rate(partial(playout, start), seconds),
        f"core.loop.{game_id}": rate(partial(loop, start), seconds),
        f"core.state-bytes.{game_id}": len(start.to_bytes()),
    }


def _yardsticks(seconds: float) -> Taken:
    return {
        "yardstick.playout.cshogi": rate(yardsticks.shogi_playout, seconds),
        "yardstick.loop.cshogi": rate(yardsticks.shogi_loop, seconds),
        "yardstick.loop.chess": rate(yardsticks.chess_loop, seconds),
        "yardstick.loop.open-spiel": rate(yardsticks.dark_chess_loop, seconds),
    }


def _perft(seconds: float) -> Taken:
    start, mid, board = opening(GAME), middle(), cshogi.Board()
    return {
        "core.perft.start": rate(lambda _: engine_core.perft(start, 8), seconds),
        "core.perft.middle": rate(lambda _: engine_core.perft(mid, 5), seconds),
        "yardstick.perft.cshogi": rate(lambda _: yardsticks.shogi_perft(board, SHOGI_PERFT_DEPTH), seconds),
    }


def _threads(effort: Effort) -> Taken:
    """Plies a second by the clock, not by CPU: whether threads run at once is the question."""
    start = opening(GAME)
    games = effort.share(2000)

    def plies_a_second(threads: int) -> float:
        with ThreadPoolExecutor(threads) as pool:
            started = time.perf_counter()
            done = sum(pool.map(lambda seed: engine_core.playout(start, games, seed).plies, range(threads)))
            return done / (time.perf_counter() - started)

    return {"core.threads.one": plies_a_second(1), "core.threads.two": plies_a_second(2)}


def answer(state: bytes, move: int) -> tuple[bytes, list[bytes]]:
    """What a stateless referee has to do for a move: from the bytes of a state to those of the next, and two updates.

    The updates are the service's. Its own work around them, such as messages, limits and the digest, is not here but
    in `load.stages`.
    """
    turn = engine_core.decode(state).play(move)
    after, events = turn.state, wire.moved(turn)
    first, second = (events, events) if events is not None else (happened(turn, 1), happened(turn, 2))
    return after.to_bytes(), wire.updates(after, [(1, 1, None, first), (2, 2, None, second)])


def _request(effort: Effort) -> Taken:
    positions, shogi = matches_under_way(effort.share(REQUESTS)), yardsticks.shogi_requests(effort.share(REQUESTS))
    ours = [(one.state.to_bytes(), int(one.move)) for one in positions]
    count = len(ours)
    return micros(
        {
            "core.request": lambda call: answer(*ours[call % count]),
            "yardstick.request.cshogi": lambda call: yardsticks.shogi_answer(*shogi[call % count]),
        },
        effort.seconds,
    )


@cache
def _states(count: int) -> Sequence[State]:
    return [middle(seed) for seed in range(count)]


def _knowledge(effort: Effort) -> Taken:
    states = _states(effort.share(DEDUCED))

    def kinds(call: int) -> None:
        for piece in states[call % len(states)].deduce(1).pieces:
            _ = piece.kinds

    def probabilities(call: int) -> None:
        for piece in states[call % len(states)].deduce(1).pieces:
            for kind in piece.counts:
                piece.probability(kind)

    return {
        **micros({"core.knowledge.kinds": kinds}, effort.seconds),
        **micros({"core.knowledge.probabilities": probabilities}, effort.seconds),
    }
