"""Moves as values."""

from libc.stdint cimport uint16_t

cdef class Move:
    cdef readonly int source
    cdef readonly int target
    cdef tuple names

cdef class MoveTable:
    cdef tuple names
    cdef dict squares
    cdef list known

    cdef Move of(self, int packed)
    cdef list listed(self, const uint16_t *packed, int count)
    cdef int parse(self, object move) except -1
