# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False
"""What metrics count, as C numbers: every call moves some of them.

Those of `prometheus_client` take a lock and box a number each time, which costs as much as refereeing a move. These
rely on the GIL: within `add` no other thread runs.
"""

cimport cython

from libc.stdint cimport uint64_t

BOUNDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

cdef uint64_t[BUCKETS - 1] bound  # in nanoseconds


def _set_bounds():
    for bucket in range(BUCKETS - 1):
        bound[bucket] = round(BOUNDS[bucket] * 1e9)


_set_bounds()


@cython.final
cdef class Count:
    """A number that grows."""

    def add(self, uint64_t more=1):
        """Count so many more."""
        self.total += more

    @property
    def value(self):
        """How many there have been."""
        return self.total


@cython.final
cdef class Durations:
    """Times in buckets, whose upper bounds in seconds are BOUNDS; the last bucket has none."""

    cdef void note(self, uint64_t nanos) noexcept:
        """The same as `add`, for C."""
        cdef int bucket = 0
        while bucket < BUCKETS - 1 and nanos > bound[bucket]:
            bucket += 1
        self.counts[bucket] += 1
        self.nanos += nanos

    def add(self, uint64_t nanos):
        """Count something that took so many nanoseconds."""
        self.note(nanos)

    @property
    def buckets(self):
        """How many times there are in each bucket."""
        return tuple([self.counts[bucket] for bucket in range(BUCKETS)])

    @property
    def seconds(self):
        """All times together."""
        return self.nanos / 1e9
