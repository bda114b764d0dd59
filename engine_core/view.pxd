"""Views: what one viewer may see of a match."""

from libc.stdint cimport uint8_t

from engine_core.state cimport Evidence, Position
from engine_core.tables cimport Rules

cdef struct Board:
    uint8_t seats[256]
    uint8_t kinds[256]
    uint8_t origins[256]
    uint8_t flags[256]

cdef struct Columns:
    # What a view holds: a byte a square, and a byte for each piece that has left the board. Nothing beyond is read.
    Board board
    int captured
    uint8_t captured_pieces[256]  # their numbers
    uint8_t captured_seats[255]
    uint8_t captured_origins[255]
    uint8_t captured_kinds[255]
    bint claim_pending

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

cdef void look_at_board(
    const Rules *rules, const Position *position, const Evidence *evidence, int viewer, Columns *columns
) noexcept nogil
cdef void look_at_kinds(
    const Rules *rules, const Position *position, const Evidence *evidence, int viewer, Columns *columns
) noexcept nogil
cdef View build_view(object game, const Rules *rules, const Position *position, const Evidence *evidence, int viewer)
cdef bint knows_seat(const Rules *rules, const Position *position, int viewer, int seat) noexcept nogil
cdef bint knows_claim(const Rules *rules, int viewer, int seat) noexcept nogil
