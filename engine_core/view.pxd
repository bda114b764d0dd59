"""Views: what one viewer may see of a match."""

from engine_core.state cimport Evidence, Position
from engine_core.tables cimport Rules

cdef class View:
    cdef readonly object game
    cdef readonly int viewer
    cdef readonly bytes seats
    cdef readonly bytes kinds
    cdef readonly bytes origins
    cdef readonly bytes flags
    cdef readonly bytes captured_seats
    cdef readonly bytes captured_origins
    cdef readonly bytes captured_kinds
    cdef readonly bint claim_pending

cdef View build_view(object game, const Rules *rules, const Position *position, const Evidence *evidence, int viewer)
cdef bint knows_seat(const Rules *rules, const Position *position, int viewer, int seat) noexcept nogil
cdef bint knows_claim(const Rules *rules, int viewer, int seat) noexcept nogil
