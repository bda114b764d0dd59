"""Pieces of a seat that no battle ties, which take what is left of its roster."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from engine_core.tables cimport MAX_KINDS

cdef class Rest:
    cdef readonly list pieces
    cdef int size
    cdef uint8_t piece[256]
    cdef uint32_t domain[256]
    cdef int kinds
    cdef uint8_t room[MAX_KINDS]
    cdef int group[MAX_KINDS]  # of a kind: those that the same pieces can be; -1 when none can
    cdef int groups
    cdef uint32_t members[MAX_KINDS]  # kinds of a group
    cdef int most[MAX_KINDS]  # of a group
    cdef Py_ssize_t radix[MAX_KINDS]
    cdef Py_ssize_t table
    cdef double total[MAX_KINDS]  # scales of a group
    cdef double *ways  # by the numbers of all groups: those to fill the first pieces, as many as there are numbers
    cdef double *within  # by group and number: the orders of so many
    cdef double share[MAX_KINDS][256]  # what so many of a kind add to the chance
    cdef double limit

    cdef void expect(self, const double *scale, double *expected) noexcept nogil
    cdef void weigh(self, const double *scale)
    cdef bint _set(self, list pieces, list domains, list room)
    cdef double chance(self, const uint8_t *left) noexcept nogil
    cdef void fill(self, uint64_t *seed, const uint8_t *left, uint8_t *kinds) noexcept nogil
