"""Moves as values."""

from libc.stdint cimport uint16_t

cdef enum:
    FEW = 96

cdef class Move:
    cdef readonly int source
    cdef readonly int target
    cdef tuple names

cdef class MoveTable
cdef class Moves

cdef class MoveTable:
    cdef tuple names
    cdef dict squares
    cdef list known

    cdef Move of(self, int packed)
    cdef Moves listed(self, const uint16_t *packed, int count)
    cdef int parse(self, object move) except -1

cdef class Moves:
    cdef Py_ssize_t size
    cdef uint16_t few[FEW]  # their numbers, unless they are more
    cdef bytes many
    cdef MoveTable table

    cdef const uint16_t *_numbers(self) noexcept
    cdef list _all(self)
