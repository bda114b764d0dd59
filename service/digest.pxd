"""The names of tokens."""

from libc.stdint cimport uint8_t

cdef enum:
    DIGEST_BYTES = 16

cdef int put_digest(const uint8_t *token, Py_ssize_t size, uint8_t *digest) except -1
