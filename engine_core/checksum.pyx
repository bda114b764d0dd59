# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False
"""CRC-32, the one of zlib, for bytes that no Python object holds: sixteen at a time, by tables.

Every call reads and writes a state; what zlib's own needs around it, an object to read from and a call from Python,
costs more than the sum.
"""

cdef enum:
    POLYNOMIAL = 0xEDB88320

cdef uint32_t[16][256] table  # of a byte that has so many more behind it


def _fill_table():
    cdef uint32_t rest
    cdef int byte, behind, _
    for byte in range(256):
        rest = byte
        for _ in range(8):
            rest = rest >> 1 ^ (<uint32_t>POLYNOMIAL if rest & 1 else 0)
        table[0][byte] = rest
    for behind in range(1, 16):
        for byte in range(256):
            rest = table[behind - 1][byte]
            table[behind][byte] = rest >> 8 ^ table[0][rest & 255]


_fill_table()


cdef uint32_t crc32(const uint8_t *data, size_t size) noexcept nogil:
    """The CRC-32 of some bytes."""
    cdef const uint8_t *end = data + size
    cdef uint32_t ahead, rest = <uint32_t>0xFFFFFFFF
    while end - data >= 16:
        rest ^= data[0] | <uint32_t>data[1] << 8 | <uint32_t>data[2] << 16 | <uint32_t>data[3] << 24
        # What does not wait for the rest comes first.
        ahead = (
            table[11][data[4]]
            ^ table[10][data[5]]
            ^ table[9][data[6]]
            ^ table[8][data[7]]
            ^ table[7][data[8]]
            ^ table[6][data[9]]
            ^ table[5][data[10]]
            ^ table[4][data[11]]
            ^ table[3][data[12]]
            ^ table[2][data[13]]
            ^ table[1][data[14]]
            ^ table[0][data[15]]
        )
        rest = (
            ahead
            ^ table[15][rest & 255]
            ^ table[14][rest >> 8 & 255]
            ^ table[13][rest >> 16 & 255]
            ^ table[12][rest >> 24]
        )
        data += 16
    while data != end:
        rest = rest >> 8 ^ table[0][(rest ^ data[0]) & 255]
        data += 1
    return ~rest


def crc32_of(const uint8_t[::1] data not None):
    """The CRC-32 of bytes, as `zlib.crc32` has it."""
    return crc32(&data[0], data.shape[0]) if data.shape[0] else 0
