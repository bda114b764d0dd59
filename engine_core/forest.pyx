# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""Draws of kinds for pieces that battles tie together, all consistent assignments as likely as each other.

Ties mostly form trees, for every battle removes a piece; draws that do not fit the others are dropped. A tree is drawn
from its root on, each kind as often as its scale says and what hangs from the piece can follow. The kinds of a seat
have one scale each, whatever the piece: so all draws that use a seat's roster up are equally likely, and those that do
not are dropped. The scales are such that rosters are used up on average. Pieces that no battle ties take what the
others leave (see `engine_core.rest`). Chances are floating-point numbers, so equal but for about a part in 2**48.
"""

cimport cython

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from engine_core.splitmix cimport random_share
from engine_core.tables cimport NONE

cdef enum:
    ROUNDS = 60  # of fitting the scales

# What a scale can be; a roster that cannot be met on average would have it run away.
cdef double LEAST = 1e-9
cdef double MOST = 1e9


@cython.final
cdef class Forest:
    """`owners`, `domains`: of each piece its seat and a mask of kinds from 0; `rosters`: of each seat from 1.

    `ties`: (piece, piece, fits, fits back) with a mask of what the second can be for each kind of the first, and the
    other way round. `borrowed`: (attacker, defender, support, fits, borrowing, fits support): when the defender is of a
    borrowing kind, what stood behind it has to fit the attacker in its place.
    """

    def __init__(self, list owners, list domains, list rosters, list ties, list borrowed):
        cdef int piece, kind
        for seat, roster in enumerate(rosters, 1):
            for kind, count in enumerate(roster):
                self.room[seat][kind] = count
        self.kinds = len(rosters[0])
        certain = []
        for piece, domain in enumerate(domains):
            self.fixed[piece] = 0
            if domain & (domain - 1) == 0:
                self.fixed[piece] = domain.bit_length()
                self.room[<int>owners[piece]][<int>domain.bit_length() - 1] -= 1
                certain.append(piece)
        self.pieces = len(domains)
        near, circles = _trees(len(domains), ties)
        self._set_checks([(one, two, NONE, fits, 0, fits) for one, two, fits, _ in circles] + borrowed)
        untied = [[] for _ in range(MAX_SEATS + 1)]
        for piece, seat in enumerate(owners):
            if not near[piece] and not self.fixed[piece]:
                untied[seat].append(piece)
        self.one, self.two, self.three, self.four = [
            Rest(pieces, [domains[piece] for piece in pieces], [self.room[seat][kind] for kind in range(self.kinds)])
            for seat, pieces in enumerate(untied) if seat
        ]
        placed = set(certain).union(self.one.pieces, self.two.pieces, self.three.pieces, self.four.pieces)
        self._set_nodes(owners, domains, near, placed)
        self._fit_rosters()
        self.one.weigh(self.scale[1])
        self.two.weigh(self.scale[2])
        self.three.weigh(self.scale[3])
        self.four.weigh(self.scale[4])

    def _set_nodes(self, list owners, list domains, list near, set placed):
        """A node for each piece that is not placed otherwise, parents first."""
        cdef int place, kind
        cdef Node *node
        free(self.nodes)
        self.nodes = <Node *>calloc(max(1, len(domains)), sizeof(Node))
        if self.nodes == NULL:
            raise MemoryError
        for root in range(len(domains)):
            waiting = [] if root in placed else [(root, -1, [domains[root]])]
            for piece, above, fits in waiting:
                placed.add(piece)
                place = self.size
                self.size += 1
                node = &self.nodes[place]
                node.piece, node.seat, node.parent = piece, owners[piece], above
                for kind, mask in enumerate(fits):
                    node.fits[kind] = mask & domains[piece]
                waiting += [(other, place, fits) for other, fits in near[piece] if other not in placed]

    def _set_checks(self, list checks):
        cdef int place, kind
        cdef Check *check
        free(self.checks)
        self.checks = <Check *>calloc(max(1, len(checks)), sizeof(Check))
        if self.checks == NULL:
            raise MemoryError
        self.checked = len(checks)
        for place, (attacker, defender, support, fits, borrowing, behind) in enumerate(checks):
            check = &self.checks[place]
            check.attacker, check.defender, check.support = attacker, defender, support
            check.borrowing = borrowing
            for kind in range(self.kinds):
                check.fits[kind], check.behind[kind] = fits[kind], behind[kind]

    def __dealloc__(self):
        free(self.nodes)
        free(self.checks)

    cdef void _weigh(self) noexcept nogil:
        """Of every node the weights of its kinds, from the leaves to the roots; the largest total of each is 1."""
        cdef int place, kind, above
        cdef Node *node
        cdef double most
        for place in range(self.size):
            for kind in range(self.kinds):
                self.nodes[place].weight[kind] = self.scale[self.nodes[place].seat][kind]
        for place in range(self.size - 1, -1, -1):
            node = &self.nodes[place]
            most = 0
            for above in range(self.kinds if node.parent >= 0 else 1):
                node.total[above] = 0
                for kind in range(self.kinds):
                    if node.fits[above] >> kind & 1:
                        node.total[above] += node.weight[kind]
                most = max(most, node.total[above])
            if most == 0:
                continue
            for kind in range(self.kinds):
                node.weight[kind] /= most
            for above in range(self.kinds if node.parent >= 0 else 1):
                node.total[above] /= most
                if node.parent >= 0:
                    self.nodes[node.parent].weight[above] *= node.total[above]

    cdef void _fit_rosters(self):
        """Scale the kinds of each seat until its pieces use the roster up on average, as far as that can be."""
        cdef double chance[256][MAX_KINDS]
        cdef double expected[MAX_SEATS + 1][MAX_KINDS]
        cdef double part
        cdef int seat, kind, above, place
        cdef Node *node
        for seat in range(MAX_SEATS + 1):
            for kind in range(self.kinds):
                self.scale[seat][kind] = self.room[seat][kind]
        self._weigh()
        for _ in range(ROUNDS):
            memset(expected, 0, sizeof(expected))
            for place in range(self.size):
                node = &self.nodes[place]
                memset(chance[place], 0, sizeof(chance[place]))
                for above in range(self.kinds if node.parent >= 0 else 1):
                    part = 1.0 if node.parent < 0 else chance[node.parent][above]
                    if part == 0 or node.total[above] == 0:
                        continue
                    part /= node.total[above]
                    for kind in range(self.kinds):
                        if node.fits[above] >> kind & 1:
                            chance[place][kind] += part * node.weight[kind]
                for kind in range(self.kinds):
                    expected[node.seat][kind] += chance[place][kind]
            self.one.expect(self.scale[1], expected[1])
            self.two.expect(self.scale[2], expected[2])
            self.three.expect(self.scale[3], expected[3])
            self.four.expect(self.scale[4], expected[4])
            for seat in range(1, MAX_SEATS + 1):
                for kind in range(self.kinds):
                    if expected[seat][kind] > 0:
                        part = self.scale[seat][kind] * self.room[seat][kind] / expected[seat][kind]
                        self.scale[seat][kind] = min(max(part, LEAST), MOST) if self.room[seat][kind] else 0
            self._weigh()

    cdef bint _draw_trees(self, uint64_t *seed, uint8_t *kinds, uint8_t *left) noexcept nogil:
        """Write the kinds of all trees, and of each seat what is left. False when the draw is to be dropped."""
        cdef uint8_t drawn[256]
        cdef int place, kind, seat, above, other
        cdef double pick, kept
        cdef const Node *node
        memcpy(left, self.room, sizeof(self.room))
        for place in range(self.size):
            node = &self.nodes[place]
            above = drawn[node.parent] if node.parent >= 0 else 0
            pick = random_share(seed) * node.total[above]
            kind = 0
            for other in range(self.kinds):
                if node.fits[above] >> other & 1 and node.weight[other] > 0:
                    kind = other
                    pick -= node.weight[kind]
                    if pick < 0:
                        break
            drawn[place] = <uint8_t>kind
            kinds[node.piece] = <uint8_t>(kind + 1)
            seat = node.seat
            if left[seat * MAX_KINDS + kind] == 0:
                return False
            left[seat * MAX_KINDS + kind] -= 1
        kept = self.one.chance(left + MAX_KINDS)
        if kept:
            kept *= self.two.chance(left + 2 * MAX_KINDS)
        if kept:
            kept *= self.three.chance(left + 3 * MAX_KINDS)
        if kept:
            kept *= self.four.chance(left + 4 * MAX_KINDS)
        return random_share(seed) < kept

    cdef bint _fits(self, const uint8_t *kinds) noexcept nogil:
        """Whether kinds fit the ties that no tree has."""
        cdef int place
        cdef uint8_t attacker, defender
        cdef const Check *check
        for place in range(self.checked):
            check = &self.checks[place]
            attacker, defender = kinds[check.attacker] - 1, kinds[check.defender] - 1
            if check.borrowing >> defender & 1:
                if not check.behind[attacker] >> (kinds[check.support] - 1) & 1:
                    return False
            elif not check.fits[attacker] >> defender & 1:
                return False
        return True

    cdef int draw(self, uint64_t *seed, uint8_t *kinds, int most) noexcept nogil:
        """Write a kind, from 1, for each piece. How many draws that took, or 0 when none of so many fitted."""
        cdef uint8_t left[(MAX_SEATS + 1) * MAX_KINDS]
        cdef int made
        memcpy(kinds, self.fixed, self.pieces)
        for made in range(1, most + 1):
            if self._draw_trees(seed, kinds, left):
                self.one.fill(seed, left + MAX_KINDS, kinds)
                self.two.fill(seed, left + 2 * MAX_KINDS, kinds)
                self.three.fill(seed, left + 3 * MAX_KINDS, kinds)
                self.four.fill(seed, left + 4 * MAX_KINDS, kinds)
                if self._fits(kinds):
                    return made
        return 0


def _trees(int pieces, list ties):
    """For each piece those it is tied to, each with what fits; and the ties that would close a circle."""
    root = list(range(pieces))
    near = [[] for _ in range(pieces)]
    circles = []
    for tie in ties:
        one, two, fits, back = tie
        for piece in (one, two):
            while root[root[piece]] != root[piece]:
                root[piece] = root[root[piece]]
        if root[one] == root[two]:
            circles.append(tie)
            continue
        root[root[one]] = root[two]
        near[one].append((two, fits))
        near[two].append((one, back))
    return near, circles
