"""Custodial capture."""

from libc.stdint cimport uint8_t

from engine_core.state cimport Position
from engine_core.tables cimport Rules

cdef int captures_around(
    const Rules *rules, const Position *position, uint8_t seat, uint8_t target, uint8_t *taken
) noexcept nogil
