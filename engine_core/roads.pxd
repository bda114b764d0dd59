"""Hops, branching roads and rails with turns."""

from libc.stdint cimport uint8_t

from engine_core.state cimport Position
from engine_core.tables cimport Rules

cdef int beyond_rays(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t piece, const uint8_t *reach, uint8_t *targets
) noexcept nogil
cdef bint reaches_beyond_rays(
    const Rules *rules,
    const Position *position,
    uint8_t pattern,
    uint8_t seat,
    uint8_t source,
    uint8_t target,
    const uint8_t *reach,
) noexcept nogil
