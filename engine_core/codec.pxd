"""Reading states."""

from libc.stdint cimport uint8_t

cdef object decoded(const uint8_t *data, Py_ssize_t size)
