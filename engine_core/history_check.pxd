"""Whether the moves that a state carries lead to its position."""

from engine_core.state cimport Evidence, History, Position
from engine_core.tables cimport Rules

cdef const char *history_fault(
    const Rules *rules, const Position *position, const Evidence *evidence, const History *history
) noexcept nogil
