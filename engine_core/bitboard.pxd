"""Sets of squares as bits, drawn from a position where many squares are looked at."""

from libc.stdint cimport uint8_t, uint64_t

from engine_core.state cimport Position
from engine_core.tables cimport BOARD_WORDS, Rules

cdef extern from *:
    """
    #ifdef __SSE2__
    #include <emmintrin.h>
    /* A bit for each of sixteen bytes: whether it has this value. */
    static inline unsigned sixteen_equal(const unsigned char *bytes, unsigned char value) {
        return (unsigned)_mm_movemask_epi8(
            _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)bytes), _mm_set1_epi8((char)value)));
    }
    #else
    static inline unsigned sixteen_equal(const unsigned char *bytes, unsigned char value) {
        unsigned equal = 0, place;
        for (place = 0; place < 16; ++place) equal |= (unsigned)(bytes[place] == value) << place;
        return equal;
    }
    #endif
    """
    unsigned int sixteen_equal(const uint8_t *bytes, uint8_t value) nogil
    int __builtin_ctzll(unsigned long long) nogil
    int __builtin_clzll(unsigned long long) nogil

cdef struct Survey:
    uint64_t own[BOARD_WORDS]  # where a seat's pieces stand
    uint64_t occupied[BOARD_WORDS]
    uint64_t open_to[BOARD_WORDS]  # where they may end a move


cdef inline int lowest(uint64_t bits) noexcept nogil:
    """The place of the lowest bit that is set; there is one."""
    return __builtin_ctzll(bits)


cdef inline void survey(const Rules *rules, const Position *position, uint8_t seat, Survey *survey) noexcept nogil:
    """Look at the board as a seat does."""
    cdef uint64_t own, side, empty, occupied
    cdef const uint8_t *seats
    cdef uint8_t other
    cdef int word, place
    for word in range(rules.words):
        own = empty = 0
        seats = position.seat_at + 64 * word
        for place in range(0, min(64, rules.squares - 64 * word), 16):
            own |= <uint64_t>sixteen_equal(seats + place, seat) << place
            empty |= <uint64_t>sixteen_equal(seats + place, 0) << place
        own &= rules.board[word]
        occupied = rules.board[word] & ~empty
        side = own
        if rules.seats > 2:
            for other in range(1, rules.seats + 1):
                if other == seat or rules.team[other] != rules.team[seat]:
                    continue
                for place in range(0, min(64, rules.squares - 64 * word), 16):
                    side |= <uint64_t>sixteen_equal(seats + place, other) << place
        survey.own[word] = own
        survey.occupied[word] = occupied
        survey.open_to[word] = rules.board[word] & ~(
            side | (occupied & rules.camps[word]) if rules.displacement else occupied
        )


cdef inline int movers(
    const Rules *rules, const Position *position, const Survey *board, uint8_t seat, bint beside_only, uint8_t *sources
) noexcept nogil:
    """The squares of a seat's pieces, in order, but for walkers that are shut in; how many. No branch depends on them.

    With `beside_only` all are passed over that have no room beside them.
    """
    cdef uint64_t left, near
    cdef int word, count = 0
    cdef uint8_t square
    for word in range(rules.words):
        left = board.own[word]
        while left:
            square = <uint8_t>(word << 6 | lowest(left))
            left &= left - 1
            near = rules.beside_bits[square][0] & board.open_to[0]
            near |= rules.beside_bits[square][1] & board.open_to[1]
            if rules.words > 2:
                near |= rules.beside_bits[square][2] & board.open_to[2]
                near |= rules.beside_bits[square][3] & board.open_to[3]
            sources[count] = square
            if beside_only:
                count += near != 0
            else:
                count += (near != 0) | (rules.walker[seat][position.kind[position.piece_at[square]]] == 0)
    return count


cdef inline void reached(
    const Rules *rules, const Survey *board, uint8_t pattern, uint8_t source, uint64_t *targets
) noexcept nogil:
    """The squares that a pattern with sets reaches by steps and rays.

    Word by word and without loops over words, which compilers turn into something slower.
    """
    cdef const uint64_t *ray = rules.sets + rules.sets_at[pattern][source]
    cdef int down = ray[0] & 255, up = <int>(ray[0] >> 8), _
    cdef uint64_t low = ray[1], high = ray[2], met_low, met_high
    ray += 1
    for _ in range(down):
        ray += 2
        met_low, met_high = ray[0] & board.occupied[0], ray[1] & board.occupied[1]
        # Down to the highest that is met, or all.
        high |= ray[1] & (~<uint64_t>0 << (63 - __builtin_clzll(met_high | 1)))
        low |= ray[0] & (~<uint64_t>0 << (63 - __builtin_clzll(met_low | 1))) & -<uint64_t>(met_high == 0)
    for _ in range(up):
        ray += 2
        met_low, met_high = ray[0] & board.occupied[0], ray[1] & board.occupied[1]
        # Up to the lowest that is met, or all.
        low |= ray[0] & (met_low ^ (met_low - 1))
        high |= ray[1] & (met_high ^ (met_high - 1)) & -<uint64_t>(met_low == 0)
    targets[0] = low & board.open_to[0]
    targets[1] = high & board.open_to[1]


cdef inline bint contains(const uint64_t *bits, uint8_t square) noexcept nogil:
    """Whether a square is in a set."""
    return bits[square >> 6] >> (square & 63) & 1


cdef inline void add(uint64_t *bits, uint8_t square) noexcept nogil:
    """Put a square into a set."""
    bits[square >> 6] |= <uint64_t>1 << (square & 63)
