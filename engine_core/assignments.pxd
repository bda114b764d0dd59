"""The assignments of kinds to the pieces of one seat."""

from libc.stdint cimport uint8_t, uint64_t

from engine_core.contingency cimport Tables

cdef class Assignments:
    cdef tuple domains
    cdef tuple numbers
    cdef list pieces
    cdef list kinds
    cdef Tables tables
    cdef object alike
    cdef list found

    cdef void draw(self, uint64_t *seed, uint8_t *kinds) noexcept
