"""Draws of kinds for all pieces."""

from libc.stdint cimport uint8_t, uint64_t

from engine_core.forest cimport Forest

cdef class Sampler:
    cdef list worlds
    cdef list upto
    cdef Forest forest
    cdef uint64_t seed
    cdef int left  # draws that may still be made

    cdef bint draw(self, uint8_t *kinds) except -1
