# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""Pieces of a seat that no battle ties: how many ways they have to take what is left of its roster, and one of them.

Kinds that the same pieces can be are alike, and make a group. Ways are counted by the numbers of the groups, piece by
piece: so many pieces have been filled as there are numbers in all.
"""

cimport cython

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from engine_core.splitmix cimport random_below, random_share

MAX_TABLE = 1 << 18  # numbers of groups that are told apart


@cython.final
cdef class Rest:
    """`pieces`, each with a domain (a mask of kinds from 0), and how many there can be of each kind."""

    def __init__(self, list pieces, list domains, list room):
        if not self._set(pieces, domains, room):
            # Pieces that are all alike have one group.
            alike = max(sorted(set(domains)), key=domains.count)
            members = [piece for piece, domain in zip(pieces, domains, strict=True) if domain == alike]
            self._set(members, [alike] * len(members), room)
        free(self.ways)
        free(self.within)
        self.ways = <double *>calloc(self.table, sizeof(double))
        self.within = <double *>calloc(MAX_KINDS * 256, sizeof(double))
        if self.ways == NULL or self.within == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.ways)
        free(self.within)

    cdef bint _set(self, list pieces, list domains, list room):
        """Take these pieces; False when the table of their ways would be too large."""
        cdef int kind, place
        self.pieces = pieces
        self.size = len(pieces)
        self.kinds = len(room)
        for place in range(self.size):
            self.piece[place], self.domain[place] = pieces[place], domains[place]
        alike = {}
        memset(self.most, 0, sizeof(self.most))
        memset(self.members, 0, sizeof(self.members))
        for kind in range(self.kinds):
            self.room[kind] = room[kind]
            of = tuple([domain >> kind & 1 for domain in domains])
            self.group[kind] = -1
            if self.room[kind] and any(of):
                place = alike.setdefault(of, len(alike))
                self.group[kind] = place
                self.members[place] |= <uint32_t>1 << kind
                self.most[place] = min(self.most[place] + self.room[kind], sum(of))
        self.groups = len(alike)
        self.table = 1
        for place in range(self.groups):
            self.radix[place] = self.table
            self.table *= self.most[place] + 1
            if self.table > MAX_TABLE:
                return False
        return True

    cdef void expect(self, const double *scale, double *expected) noexcept nogil:
        """Add how many of each kind there are on average, if each piece is a kind as often as its scale says."""
        cdef int place, kind
        cdef double total
        for place in range(self.size):
            total = 0
            for kind in range(self.kinds):
                if self.domain[place] >> kind & 1:
                    total += scale[kind]
            for kind in range(self.kinds):
                if self.domain[place] >> kind & 1 and total > 0:
                    expected[kind] += scale[kind] / total

    cdef void weigh(self, const double *scale):
        """Count the ways, each with the product of the scales of its kinds; the likeliest numbers get the chance 1."""
        cdef int kind, number, group, placed, best
        cdef int numbers[MAX_KINDS]
        cdef double mean[MAX_KINDS]
        cdef double top[MAX_KINDS][256]
        cdef double total, most, here, whole = 0
        cdef Py_ssize_t place
        self.limit = 0
        memset(top, 0, sizeof(top))
        for group in range(self.groups):
            total = 0
            for kind in range(self.kinds):
                if self.group[kind] == group:
                    total += scale[kind]
            self.within[group * 256] = 1
            for number in range(1, self.most[group] + 1):
                self.within[group * 256 + number] = self.within[group * 256 + number - 1] * number / self.most[group]
            for kind in range(self.kinds):
                if self.group[kind] == group:
                    mean[kind] = self.most[group] * scale[kind] / total if total > 0 else 0
                    self.share[kind][0] = 1
                    for number in range(1, self.room[kind] + 1):
                        self.share[kind][number] = self.share[kind][number - 1] * mean[kind] / number
            # The likeliest way to have so many, one more at a time.
            memset(numbers, 0, sizeof(numbers))
            top[group][0] = 1
            for placed in range(1, self.most[group] + 1):
                best, most = -1, 0
                for kind in range(self.kinds):
                    if self.group[kind] == group and numbers[kind] < self.room[kind]:
                        here = mean[kind] / (numbers[kind] + 1)
                        if here > most:
                            best, most = kind, here
                if best < 0:
                    break
                numbers[best] += 1
                top[group][placed] = top[group][placed - 1] * most * placed / self.most[group]
            self.total[group] = total
            whole += total
        for group in range(self.groups):
            self.total[group] /= whole
        memset(numbers, 0, sizeof(numbers))
        self.ways[0] = 1
        placed = 0
        for place in range(self.table):
            if place:
                group = 0
                while numbers[group] == self.most[group]:
                    placed -= numbers[group]
                    numbers[group] = 0
                    group += 1
                numbers[group] += 1
                placed += 1
                self.ways[place] = 0
                if placed <= self.size:
                    for group in range(self.groups):
                        if numbers[group] and self.members[group] & self.domain[placed - 1]:
                            self.ways[place] += self.total[group] * self.ways[place - self.radix[group]]
            if placed == self.size:
                here = self.ways[place]
                for group in range(self.groups):
                    here *= top[group][numbers[group]]
                self.limit = max(self.limit, here)

    cdef double chance(self, const uint8_t *left) noexcept nogil:
        """How likely a draw is kept that leaves so many of each kind: all ways to take them are as likely."""
        cdef int kind, group
        cdef int numbers[MAX_KINDS]
        cdef double found = 1
        cdef Py_ssize_t place = 0
        memset(numbers, 0, sizeof(numbers))
        for kind in range(self.kinds):
            if left[kind] == 0:
                continue
            if self.group[kind] < 0:
                return 0
            numbers[self.group[kind]] += left[kind]
            found *= self.share[kind][left[kind]]
        for group in range(self.groups):
            if numbers[group] > self.most[group]:
                return 0
            found *= self.within[group * 256 + numbers[group]]
            place += numbers[group] * self.radix[group]
        return found * self.ways[place] / self.limit if self.limit > 0 else 0

    cdef void fill(self, uint64_t *seed, const uint8_t *left, uint8_t *kinds) noexcept nogil:
        """Write a kind, from 1, for each piece, so many of each; all ways are as likely. There must be one."""
        cdef uint8_t order[MAX_KINDS][256]
        cdef int numbers[MAX_KINDS]
        cdef int kind, group, piece, other
        cdef double pick, part
        cdef Py_ssize_t place = 0
        memset(numbers, 0, sizeof(numbers))
        for kind in range(self.kinds):
            group = self.group[kind]
            for _ in range(left[kind]):
                order[group][numbers[group]] = <uint8_t>(kind + 1)
                numbers[group] += 1
                place += self.radix[group]
        for piece in range(self.size - 1, -1, -1):
            pick = random_share(seed) * self.ways[place]
            group = -1
            for other in range(self.groups):
                if numbers[other] and self.members[other] & self.domain[piece]:
                    part = self.total[other] * self.ways[place - self.radix[other]]
                    if part == 0:
                        continue
                    group = other
                    pick -= part
                    if pick < 0:
                        break
            other = random_below(seed, numbers[group])
            kinds[self.piece[piece]] = order[group][other]
            numbers[group] -= 1
            order[group][other] = order[group][numbers[group]]
            place -= self.radix[group]
