"""Writing protocol buffer bytes into a buffer that grows."""

from libc.stdint cimport uint8_t, uint32_t

from engine_core.match cimport State
from engine_core.turn cimport Turn
from engine_core.view cimport Columns

cdef struct Writer:
    uint8_t *data
    size_t size
    size_t capacity

cdef int reserve(Writer *writer, size_t more) except -1
cdef void release(Writer *writer) noexcept nogil
cdef size_t open_field(Writer *writer, int field) except? 0
cdef int close_field(Writer *writer, size_t mark) except -1
cdef uint8_t *room_for_bytes(Writer *writer, int field, size_t size) except NULL
cdef int put_bytes(Writer *writer, int field, const void *data, size_t size) except -1
cdef int put_raw(Writer *writer, bytes data) except -1
cdef int put_update(
    Writer *writer,
    int number,
    int viewer,
    State state,
    Columns *columns,
    bint board_seen,
    const uint8_t *diagram,
    size_t diagram_size,
    bytes events,
) except -1
cpdef bytes moved(Turn turn)
