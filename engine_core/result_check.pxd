"""Whether a state's result, or that it has none, fits its position."""

from engine_core.state cimport Evidence, History, Position
from engine_core.tables cimport Rules

cdef const char *result_fault(
    const Rules *rules, Position *position, const Evidence *evidence, const History *history, bint kinds_known
) noexcept nogil
