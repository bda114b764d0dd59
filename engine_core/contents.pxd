"""The memory of states."""

from engine_core.referee cimport Outcome
from engine_core.state cimport Evidence, Position

cdef struct Contents:
    Position position
    Evidence evidence
    Outcome outcome

cdef Contents *take_contents() except NULL
cdef void give_back_contents(Contents *contents) noexcept
