"""Whether the public evidence of a state fits its pieces."""

from engine_core.state cimport Evidence, Position
from engine_core.tables cimport Rules

cdef const char *evidence_fault(
    const Rules *rules, Position *position, Evidence *evidence, bint kinds_known
) noexcept nogil
cdef const char *movement_fault(const Rules *rules, const Position *position, const Evidence *evidence) noexcept nogil
