# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""Random playouts and perft, without the GIL."""

import operator
from typing import NamedTuple

from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from engine_core.errors import ArrangementPending, BudgetExceeded, InvalidAction
from engine_core.match import Result
from engine_core.tables import REASONS

from engine_core.match cimport State
from engine_core.random_move cimport Movers, drop_captured, list_movers, random_move
from engine_core.referee cimport Outcome, apply_move
from engine_core.sequences cimport count_sequences
from engine_core.state cimport ENDED, PLAY, History, Position
from engine_core.tables cimport MAX_SEATS, Rules

MAX_PLIES = 100_000
"""A random game that is longer than this counts as unfinished."""

cdef enum:
    REASON_SLOTS = 17
    WINNER_SLOTS = 32


class Playouts(NamedTuple):
    """What came of random games: how many, their plies in all, how many were cut off, how often each Result came."""

    games: int
    plies: int
    unfinished: int
    results: dict


cdef uint64_t _play_games(
    const Rules *rules,
    const Position *start,
    const History *past,
    uint64_t games,
    uint64_t seed,
    uint32_t limit,
    uint64_t budget,
    uint64_t *counts,
    uint64_t *unfinished,
    History *history,
) noexcept nogil:
    """Play random games to their ends; returns the plies, or more than `budget` when that would not do.

    counts[reason][winners] is how often each result came.
    """
    cdef Position position
    cdef Outcome outcome
    cdef Movers all_movers, movers
    cdef uint64_t plies = 0
    cdef uint32_t made
    cdef uint16_t move
    list_movers(rules, start, &all_movers)
    for _game in range(games):
        memcpy(&position, start, sizeof(Position))
        memcpy(&movers, &all_movers, sizeof(Movers))
        history.length = past.length
        memcpy(history.moves, past.moves, past.length * sizeof(uint16_t))
        made = 0
        while position.phase == PLAY and made < limit and plies + made <= budget:
            move = random_move(rules, &position, history, &movers, &seed)
            apply_move(rules, &position, history, move >> 8, move & 255, &outcome)
            if outcome.captured:
                drop_captured(rules, &position, &outcome, &movers)
            made += 1
        plies += made
        if plies > budget:
            break
        if position.phase == ENDED:
            counts[position.reason * WINNER_SLOTS + position.winners] += 1
        else:
            unfinished[0] += 1
    return plies


def _in_play(State state):
    if state.position.phase != PLAY and state.position.phase != ENDED:
        raise ArrangementPending("Play has not begun; all seats have to arrange first.")


def playout(State state not None, games, seed, *, max_plies=None):
    """Play random games from a state, all legal moves equally likely; a seed gives the same games each time.

    BudgetExceeded when they have more than `max_plies` plies in all.
    """
    cdef uint64_t count, start = <uint64_t>(operator.index(seed) & 0xFFFFFFFFFFFFFFFF), plies, unfinished = 0
    cdef uint64_t counts[REASON_SLOTS * WINNER_SLOTS]
    cdef uint32_t limit = MAX_PLIES
    cdef uint64_t budget = 0x7FFFFFFFFFFFFFFF if max_plies is None else max_plies
    cdef History past
    cdef History *history
    cdef int slot
    games, seed = operator.index(games), operator.index(seed)
    _in_play(state)
    if games < 0 or (max_plies is not None and max_plies < 0):
        raise InvalidAction(f"The numbers of games and plies are 0 or more, not {games} and {max_plies}.", games=games)
    count = games
    for slot in range(REASON_SLOTS * WINNER_SLOTS):
        counts[slot] = 0
    state.read_history(&past)
    history = <History *>malloc(sizeof(History))
    if history == NULL:
        raise MemoryError
    with nogil:
        plies = _play_games(
            &state.tables.rules, state.position, &past, count, start, limit, budget, counts, &unfinished, history
        )
    free(history)
    if plies > budget:
        raise BudgetExceeded(f"The games have more than {max_plies} plies in all.", limit=max_plies)
    results = {}
    for slot in range(REASON_SLOTS * WINNER_SLOTS):
        if counts[slot]:
            winners = tuple([seat for seat in range(1, MAX_SEATS + 1) if slot % WINNER_SLOTS >> seat & 1])
            results[Result(winners, REASONS[slot // WINNER_SLOTS - 1])] = counts[slot]
    return Playouts(count, plies, unfinished, results)


def perft(State state not None, depth, *, max_nodes=None):
    """The number of move sequences of `depth` plies; a move that ends the match has no successors.

    BudgetExceeded when it takes more than `max_nodes`, those on the way included.
    """
    cdef int64_t budget = 0x7FFFFFFFFFFFFFFF if max_nodes is None else max_nodes
    cdef uint64_t nodes
    depth = operator.index(depth)
    cdef int plies
    cdef Position position
    cdef History past
    cdef uint16_t *moves
    _in_play(state)
    if not 0 <= depth <= 64:
        raise InvalidAction(f"The depth is 0 to 64, not {depth}.", depth=depth)
    plies = depth
    if plies == 0:
        return 1
    if state.position.phase == ENDED:
        return 0
    state.read_history(&past)
    memcpy(&position, state.position, sizeof(Position))
    moves = <uint16_t *>malloc(2 * plies * state.tables.rules.max_moves * sizeof(uint16_t))
    if moves == NULL:
        raise MemoryError
    with nogil:
        nodes = count_sequences(&state.tables.rules, &position, &past, plies, moves, &budget)
    free(moves)
    if budget < 0:
        message = f"To count the sequences of {depth} plies takes more than {max_nodes} nodes."
        raise BudgetExceeded(message, limit=max_nodes, depth=depth)
    return nodes
