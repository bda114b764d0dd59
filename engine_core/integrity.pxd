"""Whether a match that was read from bytes is one that play can have brought about."""

from engine_core.state cimport Evidence, Header, History, Position
from engine_core.tables cimport Rules

cdef const char *fault_of(
    const Rules *rules, const Header *header, Position *position, Evidence *evidence, const History *history
) noexcept nogil
