# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False
"""CRC-32, the one of zlib, for bytes that no Python object holds: eight at a time, by tables.

Every call reads and writes a state; what zlib's own needs around it, an object to read from and a call from Python,
costs more than the sum.
"""

cdef enum:
    POLYNOMIAL = 0xEDB88320

cdef uint32_t[8][256] table  # of a byte that has so many more behind it


def _fill_table():
    cdef uint32_t rest
    cdef int byte, behind, _
    for byte in range(256):
        rest = byte
        for _ in range(8):
            rest = rest >> 1 ^ (<uint32_t>POLYNOMIAL if rest & 1 else 0)
        table[0][byte] = rest
    for behind in range(1, 8):
        for byte in range(256):
            rest = table[behind - 1][byte]
            table[behind][byte] = rest >> 8 ^ table[0][rest & 255]


_fill_table()


cdef uint32_t crc32(const uint8_t *data, size_t size) noexcept nogil:
    """The CRC-32 of some bytes."""
    cdef const uint8_t *end = data + size
    cdef uint32_t rest = <uint32_t>0xFFFFFFFF
    while end - data >= 8:
        rest ^= data[0] | <uint32_t>data[1] << 8 | <uint32_t>data[2] << 16 | <uint32_t>data[3] << 24
        rest = (
            table[7][rest & 255]
            ^ table[6][rest >> 8 & 255]
            ^ table[5][rest >> 16 & 255]
            ^ table[4][rest >> 24]
            ^ table[3][data[4]]
            ^ table[2][data[5]]
            ^ table[1][data[6]]
            ^ table[0][data[7]]
        )
        data += 8
    while data != end:
        rest = rest >> 8 ^ table[0][(rest ^ data[0]) & 255]
        data += 1
    return ~rest


def crc32_of(const uint8_t[::1] data not None):
    """The CRC-32 of bytes, as `zlib.crc32` has it."""
    return crc32(&data[0], data.shape[0]) if data.shape[0] else 0
