# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""Random playouts and perft, without the GIL."""

import operator
from typing import NamedTuple

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from engine_core.errors import ArrangementPending, BudgetExceeded, InvalidAction
from engine_core.match import Result
from engine_core.tables import REASONS

from engine_core.match cimport State
from engine_core.moves cimport (
    Rovers, count_and_trace, count_legal_moves, count_rover_moves, legal_moves, list_rovers, moves_of_piece,
)
from engine_core.referee cimport Outcome, apply_move
from engine_core.splitmix cimport next_random, random_below
from engine_core.state cimport ENDED, PLAY, History, Position
from engine_core.tables cimport MAX_SEATS, NONE, Rules

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


cdef struct Walkers:
    # The walkers of each seat that are on the board, in any order, and where each stands in its list.
    uint8_t count[MAX_SEATS + 1]
    uint8_t piece[MAX_SEATS + 1][256]
    uint8_t place[256]


cdef void _list_walkers(const Rules *rules, const Position *position, Walkers *walkers) noexcept nogil:
    cdef uint8_t seat
    cdef int piece
    memset(walkers.place, NONE, sizeof(walkers.place))
    for seat in range(1, rules.seats + 1):
        walkers.count[seat] = 0
        for piece in range(position.first[seat], position.first[seat + 1]):
            if position.square[piece] != NONE and rules.walker[seat][position.kind[piece]]:
                walkers.place[piece] = walkers.count[seat]
                walkers.piece[seat][walkers.count[seat]] = <uint8_t>piece
                walkers.count[seat] += 1


cdef void _drop_captured(const Rules *rules, const Outcome *outcome, Walkers *walkers) noexcept nogil:
    """Take captured walkers off their lists. Those of a seat that is out stay: it never moves again."""
    cdef uint8_t piece, place, last, seat
    cdef int index
    for index in range(outcome.captured):
        piece = outcome.captured_piece[index]
        place = walkers.place[piece]
        if place == NONE:
            continue
        for seat in range(1, rules.seats + 1):
            if place < walkers.count[seat] and walkers.piece[seat][place] == piece:
                walkers.count[seat] -= 1
                last = walkers.piece[seat][walkers.count[seat]]
                walkers.piece[seat][place] = last
                walkers.place[last] = place
        walkers.place[piece] = NONE


cdef uint16_t _random_move(
    const Rules *rules, const Position *position, const Walkers *walkers, const Rovers *rovers, uint64_t *seed
) noexcept nogil:
    """A legal move, each with the same chance, in games without restrictions on repeated moves.

    A step of a walker is drawn by rejection: any walker, any side, until the walker may go there.
    """
    cdef uint8_t seat = position.to_move, source, side
    cdef uint8_t counts[256]
    cdef uint16_t moves[256]
    cdef const uint8_t *neighbours
    cdef uint64_t drawn
    cdef int steps = position.freedom[seat], index = 0
    cdef int openings = steps + count_rover_moves(rules, position, rovers, seat, counts)
    cdef int pick = <int>random_below(seed, <uint32_t>openings)
    if pick < steps:
        while True:
            drawn = next_random(seed)
            source = position.square[walkers.piece[seat][((drawn >> 32) * walkers.count[seat]) >> 32]]
            neighbours = rules.stream + rules.neighbours_at[source]
            side = drawn & 3
            if side < neighbours[0] and rules.admits[seat][rules.camp[neighbours[1 + side]]][
                position.seat_at[neighbours[1 + side]]
            ]:
                return <uint16_t>(source << 8 | neighbours[1 + side])
    pick -= steps
    while pick >= counts[index]:
        pick -= counts[index]
        index += 1
    moves_of_piece(rules, position, seat, rovers.piece[seat][index], moves)
    return moves[pick]


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
    uint16_t *moves,
    History *history,
) noexcept nogil:
    """Play random games to their ends; returns the plies, or more than `budget` when that would not do.

    counts[reason][winners] is how often each result came.
    """
    cdef Position position
    cdef Outcome outcome
    cdef Walkers all_walkers, walkers
    cdef Rovers rovers
    cdef uint64_t plies = 0
    cdef uint32_t made
    cdef int count
    cdef uint16_t move
    cdef bint restricted = rules.two_squares or rules.more_squares
    list_rovers(rules, start, &rovers)
    _list_walkers(rules, start, &all_walkers)
    for _game in range(games):
        memcpy(&position, start, sizeof(Position))
        memcpy(&walkers, &all_walkers, sizeof(Walkers))
        history.length = past.length
        memcpy(history.moves, past.moves, past.length * sizeof(uint16_t))
        made = 0
        while position.phase == PLAY and made < limit and plies + made <= budget:
            if restricted:
                count = legal_moves(rules, &position, history, moves)
                move = moves[random_below(&seed, <uint32_t>count)]
            else:
                move = _random_move(rules, &position, &walkers, &rovers, &seed)
            apply_move(rules, &position, history, move >> 8, move & 255, &outcome)
            if outcome.captured:
                _drop_captured(rules, &outcome, &walkers)
            made += 1
        plies += made
        if plies > budget:
            break
        if position.phase == ENDED:
            counts[position.reason * WINNER_SLOTS + position.winners] += 1
        else:
            unfinished[0] += 1
    return plies


cdef bint _replies_alike(const Rules *rules, const Position *position) noexcept nogil:
    """Whether moves that touch nothing leave the other seat as many replies as it would have now: no mechanism of
    these rules but what stands on the board decides about the end or about legality.
    """
    return (
        rules.displacement
        and rules.seats == 2
        and not rules.beyond_rays
        and not (rules.keeps_history or rules.two_squares or rules.stuck_passes or position.claims)
        and not (rules.ply_limit or rules.quiet_limit)
    )


cdef inline bint _is_still(
    const Rules *rules, const Position *position, const uint8_t *traced, uint16_t move
) noexcept nogil:
    """Whether a move captures nothing, enters nothing, and crosses no line of the other seat's pieces."""
    cdef uint8_t source = move >> 8, target = move & 255
    return not (
        position.seat_at[target]
        or traced[source]
        or traced[target]
        or rules.camp[source]
        or rules.camp[target]
        or rules.headquarters[target]
        or rules.goal[target]
    )


cdef uint64_t _perft(
    const Rules *rules,
    const Position *position,
    const History *history,
    const Rovers *rovers,
    int depth,
    uint16_t *moves,
    int64_t *budget,
) noexcept nogil:
    """Move sequences of `depth` plies. Takes every node off the budget, and stops once that is negative."""
    cdef Position after
    cdef History kept
    cdef Outcome outcome
    cdef uint64_t nodes = 0
    cdef int count, index, replies = 0
    cdef uint8_t traced[256]
    cdef bint bulk = depth == 2 and _replies_alike(rules, position)
    if depth == 1:
        nodes = count_legal_moves(rules, position, history, rovers)
        budget[0] -= <int64_t>nodes
        return nodes
    if bulk:
        replies = count_and_trace(rules, position, rovers, 3 - position.to_move, traced)
    count = legal_moves(rules, position, history, moves)
    for index in range(count):
        if budget[0] < 0:
            break
        if bulk and _is_still(rules, position, traced, moves[index]):
            nodes += replies
            budget[0] -= replies
            continue
        budget[0] -= 1
        memcpy(&after, position, sizeof(Position))
        kept.length = history.length
        memcpy(kept.moves, history.moves, history.length * sizeof(uint16_t))
        apply_move(rules, &after, &kept, moves[index] >> 8, moves[index] & 255, &outcome)
        if after.phase == PLAY:
            nodes += _perft(rules, &after, &kept, rovers, depth - 1, moves + count, budget)
    return nodes


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
    cdef uint16_t *moves
    cdef int slot
    games, seed = operator.index(games), operator.index(seed)
    _in_play(state)
    if games < 0 or (max_plies is not None and max_plies < 0):
        raise InvalidAction(f"The numbers of games and plies are 0 or more, not {games} and {max_plies}.", games=games)
    count = games
    for slot in range(REASON_SLOTS * WINNER_SLOTS):
        counts[slot] = 0
    state.read_history(&past)
    moves = <uint16_t *>malloc(state.tables.rules.max_moves * sizeof(uint16_t))
    history = <History *>malloc(sizeof(History))
    if moves == NULL or history == NULL:
        free(moves)
        free(history)
        raise MemoryError
    with nogil:
        plies = _play_games(
            &state.tables.rules, &state.position, &past, count, start, limit, budget, counts, &unfinished, moves,
            history,
        )
    free(moves)
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
    cdef Rovers rovers
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
    moves = <uint16_t *>malloc(plies * state.tables.rules.max_moves * sizeof(uint16_t))
    if moves == NULL:
        raise MemoryError
    with nogil:
        list_rovers(&state.tables.rules, &state.position, &rovers)
        nodes = _perft(&state.tables.rules, &state.position, &past, &rovers, plies, moves, &budget)
    free(moves)
    if budget < 0:
        message = f"To count the sequences of {depth} plies takes more than {max_nodes} nodes."
        raise BudgetExceeded(message, limit=max_nodes, depth=depth)
    return nodes
