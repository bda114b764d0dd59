"""The restrictions on repeated moves."""

from libc.stdint cimport uint16_t

from engine_core.state cimport History, Position
from engine_core.tables cimport Rules

cdef int drop_barred(
    const Rules *rules, const Position *position, const History *history, uint16_t *moves, int count
) noexcept nogil
