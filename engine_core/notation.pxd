"""Moves as values."""

cdef class Move:
    cdef readonly int source
    cdef readonly int target
    cdef tuple names

cdef class MoveTable:
    cdef tuple names
    cdef dict squares
    cdef list known

    cdef Move of(self, int packed)
    cdef int parse(self, object move) except -1
