"""Draws of kinds for all pieces."""

from libc.stdint cimport uint8_t, uint64_t

cdef class Sampler:
    cdef list worlds
    cdef list upto
    cdef object ties
    cdef uint64_t seed
    cdef int pieces

    cdef bint draw(self, uint8_t *kinds) except -1
