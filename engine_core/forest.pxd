"""Draws of kinds for pieces that battles tie together."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from engine_core.rest cimport Rest
from engine_core.tables cimport MAX_KINDS, MAX_SEATS

cdef struct Node:
    # A piece of a tree of ties; its parent comes before it.
    uint8_t piece
    uint8_t seat
    int parent  # -1 for a root
    uint32_t fits[MAX_KINDS]  # kinds, as a mask, that fit a kind of the parent; a root's are all at 0
    double weight[MAX_KINDS]  # of a kind, together with all that hangs from the piece
    double total[MAX_KINDS]  # of the kinds that fit a kind of the parent

cdef struct Check:
    # A tie that is in no tree. A defender of a borrowing kind fights as what supports it.
    uint8_t attacker
    uint8_t defender
    uint8_t support
    uint32_t borrowing
    uint32_t fits[MAX_KINDS]  # kinds of the defender, for each of the attacker
    uint32_t behind[MAX_KINDS]  # and of the support

cdef class Forest:
    cdef Node *nodes
    cdef int size
    cdef Check *checks
    cdef int checked
    cdef Rest one, two, three, four  # of each seat
    cdef int kinds
    cdef int pieces
    cdef uint8_t fixed[256]  # the kind, from 1, of a piece whose kind is certain
    cdef uint8_t room[MAX_SEATS + 1][MAX_KINDS]  # what is left of a roster beside those
    cdef double scale[MAX_SEATS + 1][MAX_KINDS]

    cdef void _weigh(self) noexcept nogil
    cdef void _fit_rosters(self)
    cdef bint _draw_trees(self, uint64_t *seed, uint8_t *kinds, uint8_t *left) noexcept nogil
    cdef bint _fits(self, const uint8_t *kinds) noexcept nogil
    cdef int draw(self, uint64_t *seed, uint8_t *kinds, int most) noexcept nogil
