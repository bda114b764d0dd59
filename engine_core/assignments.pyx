# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False
"""How many ways there are to give the pieces of one seat their kinds, and drawing one of them.

Pieces that can be the same kinds are alike, and so are kinds that the same pieces can be: what is left is how many of
these go to those (see `engine_core.contingency`).
"""

cimport cython

from collections import defaultdict
from math import factorial, prod

from libc.stdint cimport uint32_t
from libc.string cimport memset

from engine_core.bitboard cimport lowest
from engine_core.splitmix cimport random_below


@cython.final
cdef class Assignments:
    """All assignments to pieces with these domains (bit 1 << kind, kinds from 0) of so many pieces of each kind."""

    def __init__(self, tuple domains, tuple counts):
        held = sum([1 << kind for kind, count in enumerate(counts) if count])
        self.domains = tuple([domain & held for domain in domains])
        self.numbers = counts
        pieces = defaultdict(list)
        for piece, domain in enumerate(self.domains):
            pieces[domain].append(piece)
        self.pieces = sorted(pieces.items())
        alike = defaultdict(list)
        for kind, count in enumerate(counts):
            if count:
                alike[tuple([domain >> kind & 1 for domain, _ in self.pieces])].append(kind)
        self.kinds = sorted(alike.values())
        self.alike = prod(map(factorial, counts))
        self.tables = Tables(
            [len(members) for _, members in self.pieces],
            [sum([counts[kind] for kind in kinds]) for kinds in self.kinds],
            [
                [column for column, kinds in enumerate(self.kinds) if domain >> kinds[0] & 1]
                for domain, _ in self.pieces
            ],
        )

    @property
    def count(self):
        """How many assignments there are."""
        return self.tables.weight // self.alike

    @property
    def counts(self):
        """For each piece: how many assignments give it a kind, for each kind that any does."""
        if self.found is None:
            found = {domain: {} for domain, _ in self.pieces}
            for (row, column), total in self.tables.totals().items():
                domain, members = self.pieces[row]
                kinds = self.kinds[column]
                shares = self.alike * len(members) * sum([self.numbers[kind] for kind in kinds])
                for kind in kinds if total else ():
                    found[domain][kind] = total * self.numbers[kind] // shares
            self.found = [found[domain] for domain in self.domains]
        return self.found

    cdef void draw(self, uint64_t *seed, uint8_t *kinds) noexcept:
        """Write a kind, from 0, for each piece; all assignments are as likely as each other. There must be one."""
        cdef uint8_t numbers[256 * 32]
        cdef uint8_t slots[256]
        cdef uint8_t used[64]  # of each group of kinds
        cdef uint8_t order[64][256]
        cdef int cell, row, column, place, size
        cdef uint8_t held
        if self.tables.draws is None:
            self.tables.fill_draws()
        self.tables.draw(seed, numbers)
        # The kinds of each group, in a random order.
        for column in range(len(self.kinds)):
            size = 0
            for kind in <list>self.kinds[column]:
                for _ in range(<int>self.numbers[kind]):
                    order[column][size] = kind
                    size += 1
            _shuffle(seed, order[column], size)
            used[column] = 0
        # To each class of pieces, in a random order, as many of each group as the table says.
        for row in range(len(self.pieces)):
            members = <list>(<tuple>self.pieces[row])[1]
            size = 0
            for cell in range(self.tables.size):
                if self.tables.row_of(cell) == row:
                    column = self.tables.column_of(cell)
                    for _ in range(numbers[cell]):
                        held = used[column]
                        slots[size] = order[column][held]
                        used[column] = held + 1
                        size += 1
            _shuffle(seed, slots, size)
            for place in range(size):
                kinds[<int>members[place]] = slots[place]


cdef void _shuffle(uint64_t *seed, uint8_t *items, int size) noexcept nogil:
    cdef int index, other
    cdef uint8_t item
    for index in range(size - 1, 0, -1):
        other = random_below(seed, index + 1)
        item = items[index]
        items[index] = items[other]
        items[other] = item


cdef struct Matching:
    uint32_t domain[255]
    uint8_t kind[255]
    uint8_t free[32]  # places of a kind that nobody has
    uint8_t held[32]
    uint8_t holder[32][255]


def usable(list domains, tuple counts):
    """The domains without kinds that singletons use up, themselves when there are none to take; None when a kind is
    used more often than it is there.
    """
    cdef uint32_t domain[255]
    cdef int used[32]
    cdef int held[32]
    cdef uint32_t full
    cdef int piece, kind, size = <int>len(domains)
    cdef bint taken = False, again = True
    if size > 255:
        return None
    for kind in range(32):
        held[kind] = <int>counts[kind] if kind < len(counts) else 0
    for piece in range(size):
        domain[piece] = domains[piece]
    while again:
        again = False
        full = 0
        memset(used, 0, sizeof(used))
        for piece in range(size):
            if domain[piece] and not domain[piece] & (domain[piece] - 1):
                kind = lowest(domain[piece])
                used[kind] += 1
                if used[kind] > held[kind]:
                    return None
                if used[kind] == held[kind]:
                    full |= domain[piece]
        for piece in range(size):
            if domain[piece] & full and domain[piece] & (domain[piece] - 1):
                domain[piece] &= ~full
                if not domain[piece]:
                    return None
                taken = again = True
    return [domain[piece] for piece in range(size)] if taken else domains


def matched(list domains, tuple counts):
    """One assignment of kinds, from 0, to pieces with these domains, or None when there is none."""
    cdef Matching matching
    cdef int piece
    if not _match(&matching, domains, counts):
        return None
    return [matching.kind[piece] for piece in range(len(domains))]


def possible(list domains, tuple counts):
    """For each piece the kinds, bit 1 << kind, that it has in any assignment; None when there is no assignment.

    From one assignment every other is reached by pieces that pass their kinds on in circles. So a piece can be another
    kind when one that has it can pass on, over others or not, to the kind that the piece has.
    """
    cdef Matching matching
    cdef uint32_t reached[32]
    cdef uint32_t from_there[32]
    cdef int piece, kind, through, own
    if not _match(&matching, domains, counts):
        return None
    memset(reached, 0, sizeof(reached))
    memset(from_there, 0, sizeof(from_there))
    for piece in range(len(domains)):
        reached[matching.kind[piece]] |= matching.domain[piece]
    for through in range(32):
        for kind in range(32):
            if reached[kind] >> through & 1:
                reached[kind] |= reached[through]
    for own in range(32):
        for kind in range(32):
            from_there[own] |= (reached[kind] >> own & 1) << kind
    return [
        (<uint32_t>1 << matching.kind[piece]) | (matching.domain[piece] & from_there[matching.kind[piece]])
        for piece in range(len(domains))
    ]


cdef bint _match(Matching *matching, list domains, tuple counts) except -1:
    """Find an assignment; whether there is one."""
    cdef int piece, kind
    cdef uint32_t seen
    if sum(counts) != len(domains) or len(domains) > 255:
        return False
    for kind in range(32):
        matching.free[kind] = <uint8_t>counts[kind] if kind < len(counts) else 0
        matching.held[kind] = 0
    for piece in range(len(domains)):
        matching.domain[piece] = domains[piece]
    for piece in range(len(domains)):
        seen = 0
        if not _place(matching, <uint8_t>piece, &seen):
            return False
    return True


cdef bint _place(Matching *matching, uint8_t piece, uint32_t *seen) noexcept nogil:
    """Give a piece a kind, if need be that of another which can have a different one; each kind is tried once."""
    cdef int kind, place
    cdef uint32_t untried
    while True:
        untried = matching.domain[piece] & ~seen[0]
        if not untried:
            return False
        kind = lowest(untried)
        seen[0] |= <uint32_t>1 << kind
        if matching.free[kind]:
            matching.free[kind] -= 1
            place = matching.held[kind]
            matching.held[kind] += 1
        else:
            for place in range(matching.held[kind]):
                if _place(matching, matching.holder[kind][place], seen):
                    break
            else:
                continue
        matching.holder[kind][place] = piece
        matching.kind[piece] = <uint8_t>kind
        return True
