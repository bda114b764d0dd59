# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""A random legal move without a list of all: by rejection, from a seat's pieces and the ways that each may have."""

from libc.string cimport memset

from engine_core.adjacency cimport admits
from engine_core.integrity cimport owner_of
from engine_core.moves cimport reaches
from engine_core.restrictions cimport drop_barred
from engine_core.splitmix cimport random_below
from engine_core.state cimport OFF
from engine_core.tables cimport MAX_PATTERNS, NONE


cdef uint32_t _ways(const Rules *rules, uint8_t pattern) noexcept nogil:
    """How many ways the pieces of a pattern may have: its steps and the squares of its rays, from the widest square.

    Patterns that go otherwise than along rays have a way for each square.
    """
    cdef const uint8_t *reach
    cdef uint32_t widest = 0, ways
    cdef int square, left
    if rules.beyond_rays:
        return rules.squares
    for square in range(rules.squares):
        reach = rules.stream + rules.reach_at[pattern][square]
        ways = reach[0]
        reach += reach[0] + 1
        left = reach[0]
        reach += 1
        while left:
            left -= 1
            ways += reach[0]
            reach += reach[0] + 1
        widest = max(widest, ways)
    return widest


cdef void _group(const Rules *rules, uint8_t seat, Movers *movers) noexcept nogil:
    """Group the kinds of a seat by pattern. Patterns beyond the last group share it, with the ways of the widest."""
    cdef uint8_t group_of[MAX_PATTERNS]
    cdef uint8_t kind, pattern, group
    cdef uint32_t ways
    memset(group_of, NONE, sizeof(group_of))
    movers.groups[seat] = 0
    for kind in range(1, rules.kinds + 1):
        pattern = rules.pattern[seat][kind]
        if pattern == 0:
            movers.group[seat][kind] = NONE
            continue
        if group_of[pattern] == NONE:
            group_of[pattern] = min(movers.groups[seat], MAX_GROUPS - 1)
            movers.groups[seat] = group_of[pattern] + 1
        group = movers.group[seat][kind] = group_of[pattern]
        # Four ways for a walker: a side that is missing leads to its own square.
        ways = 4 if rules.walker[seat][kind] else _ways(rules, pattern)
        movers.ways[seat][group] = max(movers.ways[seat][group], ways)


cdef void list_movers(const Rules *rules, const Position *position, Movers *movers) noexcept nogil:
    """List the mobile pieces on the board."""
    cdef uint8_t seat, group
    cdef int piece
    memset(movers, 0, sizeof(Movers))
    for seat in range(1, rules.seats + 1):
        _group(rules, seat, movers)
        for piece in range(position.first[seat], position.first[seat + 1]):
            group = movers.group[seat][position.kind[piece]]
            if position.square[piece] != OFF and group != NONE:
                movers.place[piece] = movers.count[seat][group]
                movers.piece[seat][group][movers.count[seat][group]] = <uint8_t>piece
                movers.count[seat][group] += 1


cdef void drop_captured(
    const Rules *rules, const Position *position, const Outcome *outcome, Movers *movers
) noexcept nogil:
    """Take captured pieces off the lists. Those of a seat that is out stay: it never moves again."""
    cdef uint8_t piece, place, last, seat, group
    cdef int index
    for index in range(outcome.captured):
        piece = outcome.captured_piece[index]
        seat = owner_of(position, piece)
        group = movers.group[seat][position.kind[piece]]
        if group == NONE:
            continue
        place = movers.place[piece]
        movers.count[seat][group] -= 1
        last = movers.piece[seat][group][movers.count[seat][group]]
        movers.piece[seat][group][place] = last
        movers.place[last] = place


cdef inline uint8_t _along_rays(
    const Rules *rules, const Position *position, uint8_t seat, const uint8_t *reach, uint32_t way
) noexcept nogil:
    """The square that a piece reaches by a way, counted over its steps and along its rays; NONE where it cannot."""
    cdef uint32_t step, rays
    if way < reach[0]:
        return reach[1 + way] if admits(rules, position, seat, reach[1 + way]) else NONE
    way -= reach[0]
    reach += reach[0] + 1
    rays = reach[0]
    reach += 1
    while rays:
        rays -= 1
        if way < reach[0]:
            for step in range(1, way + 1):
                if position.seat_at[reach[step]] != 0:
                    return NONE
            return reach[1 + way] if admits(rules, position, seat, reach[1 + way]) else NONE
        way -= reach[0]
        reach += reach[0] + 1
    return NONE


cdef inline uint8_t _target(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t kind, uint8_t source, uint32_t way
) noexcept nogil:
    """Where a way leads a piece; NONE where it cannot go."""
    cdef uint8_t pattern = rules.pattern[seat][kind]
    cdef uint8_t square = <uint8_t>way
    if rules.walker[seat][kind]:
        if way > 3:
            return NONE
        square = rules.beside[source][way]
        return square if admits(rules, position, seat, square) else NONE
    if not rules.beyond_rays:
        return _along_rays(rules, position, seat, rules.stream + rules.reach_at[pattern][source], way)
    if rules.moves_between[(pattern * rules.squares + source) * rules.squares + square] != 1:
        return NONE
    return square if reaches(rules, position, pattern, seat, source, square) else NONE


cdef uint16_t random_move(
    const Rules *rules, const Position *position, const History *history, const Movers *movers, uint64_t *seed
) noexcept nogil:
    """A legal move of the seat to move, which has one.

    Any piece, any way that it may have, until it can go there: every move has one way, so that all are equally likely.
    """
    cdef uint8_t seat = position.to_move, piece, group, target, source
    cdef uint32_t ways = 0, way
    cdef uint16_t move
    for group in range(movers.groups[seat]):
        ways += movers.ways[seat][group] * movers.count[seat][group]
    while True:
        way = random_below(seed, ways)
        group = 0
        while way >= movers.ways[seat][group] * movers.count[seat][group]:
            way -= movers.ways[seat][group] * movers.count[seat][group]
            group += 1
        piece = movers.piece[seat][group][way // movers.ways[seat][group]]
        source = position.square[piece]
        target = _target(rules, position, seat, position.kind[piece], source, way % movers.ways[seat][group])
        if target == NONE:
            continue
        move = <uint16_t>(source << 8 | target)
        if not (rules.two_squares or rules.more_squares) or drop_barred(rules, position, history, &move, 1):
            return move
