"""Which kinds a piece can still be, as a mask with bit 1 << (kind - 1): its domain."""

from libc.stdint cimport uint8_t, uint32_t

from engine_core.state cimport Evidence, Position
from engine_core.tables cimport MAX_KINDS, Rules

ctypedef uint8_t Roster[MAX_KINDS + 1]  # of a seat: pieces of each kind

cdef void first_domains(
    const Rules *rules,
    bint loaded,
    const Position *position,
    const Evidence *evidence,
    const Roster *roster,
    uint32_t *domain,
) noexcept nogil
cdef bint narrow(const Rules *rules, const Evidence *evidence, uint32_t *domain) noexcept nogil
