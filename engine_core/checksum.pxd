"""The checksum of states and knowledge."""

from libc.stdint cimport uint8_t, uint32_t

cdef uint32_t crc32(const uint8_t *data, size_t size) noexcept nogil
