"""What metrics count, as C numbers."""

from libc.stdint cimport uint64_t

cdef enum:
    BUCKETS = 17

cdef class Count:
    cdef uint64_t total

cdef class Durations:
    cdef uint64_t counts[BUCKETS]
    cdef uint64_t nanos

    cdef void note(self, uint64_t nanos) noexcept
