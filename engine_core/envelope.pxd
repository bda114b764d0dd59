"""What states and knowledge have around them in bytes."""

from libc.stdint cimport uint8_t

cdef struct Envelope:
    int version  # of the format
    Py_ssize_t match_id  # where it begins
    Py_ssize_t match_id_size
    Py_ssize_t body  # where it begins
    Py_ssize_t end  # and ends

cdef object opened(const uint8_t *data, Py_ssize_t size, str what, Envelope *envelope)
