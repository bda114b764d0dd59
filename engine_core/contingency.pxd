"""Tables with given sums, each weighed with the ways to fill it."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef struct Cell:
    # A place of a table, and whether it is the last one of its row or column to be filled.
    int row
    int column
    bint ends_row
    bint ends_column
    int refill  # what the next row holds, if this ends one

cdef struct Draw:
    # What can go into a cell from one state: up to this random number (of 64 bits) so many, and then that state.
    uint64_t upto
    uint32_t next
    uint8_t number

cdef class Tables:
    cdef list rows
    cdef list columns
    cdef bint turned
    cdef bint possible
    cdef Cell *cells
    cdef int size
    cdef list radix  # the weight of each column in a state
    cdef object whole  # that of the row
    cdef list forward  # before each cell and after the last: ways that lead to a state
    cdef list onward  # for the same states: ways from there to the end
    cdef list draws  # before each cell: bytes of Draw, and bytes of where those of a state begin
    cdef list starts
    cdef object total

    cdef void fill_forward(self)
    cdef void fill_onward(self)
    cdef void fill_draws(self)
    cdef void draw(self, uint64_t *seed, uint8_t *numbers) noexcept
    cdef int row_of(self, int cell) noexcept
    cdef int column_of(self, int cell) noexcept
