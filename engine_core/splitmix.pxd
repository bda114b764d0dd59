"""SplitMix64 (Steele, Lea and Flood 2014): random numbers from a seed, in C."""

from libc.stdint cimport uint32_t, uint64_t


cdef inline uint64_t next_random(uint64_t *seed) noexcept nogil:
    """64 random bits; the seed is what the next call begins with."""
    cdef uint64_t value
    seed[0] += <uint64_t>0x9E3779B97F4A7C15
    value = seed[0]
    value = (value ^ (value >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    value = (value ^ (value >> 27)) * <uint64_t>0x94D049BB133111EB
    return value ^ (value >> 31)


cdef inline uint32_t random_below(uint64_t *seed, uint32_t bound) noexcept nogil:
    """A number from 0 to bound - 1; the bias is below 2**-32 * bound."""
    return <uint32_t>(((next_random(seed) >> 32) * bound) >> 32)


cdef inline double random_share(uint64_t *seed) noexcept nogil:
    """A number from 0 to less than 1, one of 2**53."""
    return (next_random(seed) >> 11) * (1.0 / <double>(<uint64_t>1 << 53))
