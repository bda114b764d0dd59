"""Requests of ApplyAction, read from their bytes."""

from libc.stdint cimport uint8_t, uint32_t

cdef enum:
    MAX_VIEWERS = 6  # that there are, apart from those that are named twice

cdef struct MoveRequest:
    # An ApplyActionRequest with a state and a packed move.
    const uint8_t *token
    size_t token_size
    uint32_t seat
    uint32_t move
    bint revision_expected
    uint32_t expected_revision
    uint8_t viewers[MAX_VIEWERS]
    int viewer_count
    bint include_diagrams
    bint include_knowledge
    bint expect_hypothetical

cdef bint read_move(const uint8_t *data, size_t size, MoveRequest *request) noexcept nogil
cdef const uint8_t *read_item(const uint8_t *data, const uint8_t *end, size_t *size) noexcept nogil
