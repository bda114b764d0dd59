# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False
"""Room for what states hold, some kept for the next: states come and go with every ply, and are too large to be cleared
for each.

All of this relies on the GIL.
"""

from libc.stdlib cimport free, malloc

cdef enum:
    MOST_IDLE = 16

cdef Contents *idle[MOST_IDLE]
cdef int idle_count = 0


cdef Contents *take_contents() except NULL:
    """Room for a state, with anything in it."""
    global idle_count
    cdef Contents *contents
    if idle_count:
        idle_count -= 1
        return idle[idle_count]
    contents = <Contents *>malloc(sizeof(Contents))
    if contents == NULL:
        raise MemoryError
    return contents


cdef void give_back_contents(Contents *contents) noexcept:
    """The state is gone."""
    global idle_count
    if idle_count == MOST_IDLE:
        free(contents)
        return
    idle[idle_count] = contents
    idle_count += 1
