"""Endings that a position or its history shows."""

from libc.stdint cimport uint8_t, uint16_t

from engine_core.state cimport Position
from engine_core.tables cimport Rules

cdef bint target_reached(const Rules *rules, const Position *position, uint8_t seat) noexcept nogil
cdef bint lead_reached(const Rules *rules, const Position *position, uint8_t seat) noexcept nogil
cdef bint completes_line(const Rules *rules, const Position *position, uint8_t seat, uint8_t target) noexcept nogil
cdef int occurrences(const Position *position, const uint16_t *moves, int count) noexcept nogil
