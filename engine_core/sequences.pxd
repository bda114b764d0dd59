"""Counting move sequences."""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t

from engine_core.state cimport History, Position
from engine_core.tables cimport Rules

cdef uint64_t count_sequences(
    const Rules *rules, Position *position, const History *history, int depth, uint16_t *moves, int64_t *budget
) noexcept nogil
