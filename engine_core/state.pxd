"""A match as C structs: the position, the public evidence about its pieces, and the moves that repetition looks at."""

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t

from engine_core.tables cimport MAX_HISTORY, MAX_SEATS, Rules

cdef enum:
    OFF = 255  # the square of a piece that is off the board

cdef enum Phase:
    ARRANGEMENT = 0
    PLAY = 1
    ENDED = 2

cdef struct Position:
    # What the rules look at. Pieces are numbered by seat, and within a seat by start square.
    uint8_t seat_at[256]  # seat on a square, or 0
    uint8_t piece_at[256]  # its piece; only where seat_at is not 0
    uint8_t square[256]  # square of a piece, or OFF
    uint8_t kind[256]
    uint8_t first[MAX_SEATS + 2]  # pieces of seat s are first[s] to first[s + 1] - 1
    uint8_t alive[MAX_SEATS + 1]  # pieces on the board
    uint8_t phase
    uint8_t begun  # whether play has begun: a match can end before it has
    uint8_t first_seat
    uint8_t to_move
    uint8_t last_source  # of the last move, NONE before it
    uint8_t last_target
    uint8_t arranged  # masks of seats, bit 1 << seat
    uint8_t out
    uint8_t agreed  # to the draw that is on offer
    uint8_t claims
    uint8_t reason  # 0 until the match has ended
    uint8_t winners  # mask
    uint8_t recent_count[MAX_SEATS + 1]
    uint16_t recent[MAX_SEATS + 1][5]  # own last moves, oldest first, where two_squares counts
    int16_t chase[MAX_SEATS + 1]  # how many moves of the history came before a seat's first threat, or -1
    uint8_t able[MAX_SEATS + 1]  # a piece of a seat that could move when it was looked at last: the first to try
    uint32_t ply
    uint32_t quiet  # plies since the last capture or battle

cdef enum Mark:
    MARK_MOVED = 1
    MARK_ENTERED = 2  # ended a move on an enemy headquarters, and the match went on
    MARK_ARRIVED = 4  # ended a move on its seat's goal
    MARK_UNOPPOSED = 8  # arrived there with no enemy beside it
    MARK_NAMED = 16  # an event has named its kind; follows from the battles
    MARK_SHOWN = 32  # its kind is on every board; follows from the battles
    MARK_UNCLAIMED = 64  # arrived, and its seat has had a turn since; or claimed nothing where claims are announced
    STORED_MARKS = 79
    STORED_MARKS_1 = 15  # by version 1 of the format

cdef enum BattleNote:
    # Beside the outcome in a battle of the evidence: the removal of this piece showed the heralded ones of its seat.
    HERALD_ATTACKER = 8
    HERALD_DEFENDER = 16

cdef struct Evidence:
    # Public facts about pieces, for every viewer alike. A piece is known by its start square.
    uint8_t battles
    uint8_t start[256]
    uint8_t marks[256]
    uint32_t movement[256]  # kinds that could have made all moves of a piece, bit 1 << (kind - 1)
    # Attacker, defender, outcome and notes, and what stood behind the defender where kinds borrow. Last, for a copy
    # needs only the battles that were.
    uint8_t battle[255][4]

cdef struct History:
    # The moves since the last capture (repetition) or since a chase began; packed, oldest first.
    uint16_t moves[MAX_HISTORY + 1]
    int length

cdef enum:
    CODEC_VERSION = 2
    OLDEST_VERSION = 1  # that is still read
    MAX_MATCH_ID = 32
    MAX_REVISION = 0x7FFFFFFF  # actions that a match can have

cdef struct Header:
    # What the codec needs besides; `loaded` is set for positions that were not played from the start, `hypothetical`
    # for samples and for all that follows from them.
    bint loaded
    bint hypothetical
    uint32_t revision

cdef void clear_position(Position *position, Evidence *evidence) noexcept nogil
cdef void copy_position(
    Position *position, const Position *other, Evidence *evidence, const Evidence *others
) noexcept nogil
cdef void add_piece(
    Position *position, Evidence *evidence, uint8_t seat, uint8_t start, uint8_t square, uint8_t kind
) noexcept nogil
cdef size_t enclosed_size(
    bytes head,
    bytes match_id,
    bytes more,
    const Rules *rules,
    const Position *position,
    const Evidence *evidence,
    const History *history,
) noexcept
cdef void enclose(
    uint8_t *out,
    size_t size,
    uint8_t first,
    uint8_t version,
    bytes head,
    bytes match_id,
    bytes more,
    const Rules *rules,
    const Header *header,
    const Position *position,
    const Evidence *evidence,
    const History *history,
) noexcept
cdef const char *read_body(
    const uint8_t *data,
    size_t size,
    uint8_t version,
    bint kinds_hidden,
    const Rules *rules,
    Header *header,
    Position *position,
    Evidence *evidence,
    History *history,
) noexcept nogil
