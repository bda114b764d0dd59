"""What states and knowledge have around them in bytes."""

cdef class Envelope:
    cdef readonly object game
    cdef readonly bytes match_id
    cdef readonly int version
    cdef readonly Py_ssize_t body  # where it begins

cdef Envelope opened(bytes data, str what)
