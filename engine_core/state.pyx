# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""The canonical layout of a match in bytes: little-endian, its length a function of public facts.

In its envelope (see `engine_core.envelope`) a body has, in this order:
flags (1 loaded, 2 begun, 4 hypothetical) · phase · first seat · seat to move · source and target of the last move ·
masks of seats: arranged, out, agreed to a draw, claims · reason · winners · ply, quiet plies and revision, 4 bytes each
· the mask of the seats that have pieces, then for each a bitmap of start squares, the kinds and the squares of its
pieces in that order · a bitmap of the pieces that have moved, then for each of them its marks and the kinds that could
have made its moves · battles, 3 bytes each, or 4 where kinds borrow strength · last moves, chases and history where the
rules look at them.

Version 1 has no hypothetical states, no mark of a piece that moves on after an arrival, and battles without notes on
heralds. Where `kinds_hidden`, 0 stands for a kind that is not known.
"""

from libc.string cimport memcpy, memset
from cpython.bytes cimport PyBytes_AS_STRING

from engine_core.bitboard cimport lowest
from engine_core.checksum cimport crc32
from engine_core.tables cimport NONE

# Constants would make compilers copy and clear with string instructions, which take several times as long.
cdef size_t position_size = 0
cdef size_t evidence_size = 0
position_size, evidence_size = sizeof(Position), sizeof(Evidence)


cdef inline int _pieces(const Position *position) noexcept nogil:
    return position.first[MAX_SEATS + 1]


cdef void clear_position(Position *position, Evidence *evidence) noexcept nogil:
    """An empty board in the arrangement phase, without pieces and evidence; play will begin with seat 1."""
    cdef int seat
    memset(position, 0, position_size)
    evidence.battles = 0
    position.first_seat = 1
    position.last_source = position.last_target = NONE
    for seat in range(MAX_SEATS + 1):
        position.chase[seat] = -1


cdef void copy_position(
    Position *position, const Position *other, Evidence *evidence, const Evidence *others
) noexcept nogil:
    """Copy a board and its evidence, but for the battles that have not been."""
    memcpy(position, other, position_size)
    memcpy(evidence, others, evidence_size - (255 - others.battles) * sizeof(others.battle[0]))


cdef void add_piece(
    Position *position, Evidence *evidence, uint8_t seat, uint8_t start, uint8_t square, uint8_t kind
) noexcept nogil:
    """Add a piece. Pieces must come by seat, and within a seat by start square, for that is how they are numbered."""
    cdef uint8_t piece = position.first[seat + 1]
    cdef int later
    position.kind[piece] = kind
    position.square[piece] = square
    evidence.start[piece] = start
    evidence.marks[piece] = 0
    evidence.movement[piece] = <uint32_t>0xFFFFFFFF
    if square != OFF:
        position.seat_at[square] = seat
        position.piece_at[square] = piece
        position.alive[seat] += 1
    for later in range(seat + 1, MAX_SEATS + 2):
        position.first[later] += 1


cdef inline int _mask_size(const Rules *rules) noexcept nogil:
    return (rules.kinds + 7) // 8


cdef inline int _battle_size(const Rules *rules) noexcept nogil:
    return 4 if rules.borrowers else 3


cdef inline int _stored_marks(uint8_t version) noexcept nogil:
    return STORED_MARKS_1 if version == 1 else STORED_MARKS


cdef inline int _bitmap_size(int bits) noexcept nogil:
    return (bits + 7) // 8


cdef size_t body_size(
    const Rules *rules, const Position *position, const Evidence *evidence, const History *history
) noexcept nogil:
    """How many bytes `write_body` will write."""
    cdef size_t size = 12 + 12 + 1
    cdef int seat, piece, moved = 0
    for seat in range(1, rules.seats + 1):
        if position.first[seat + 1] > position.first[seat]:
            size += _bitmap_size(rules.squares) + 2 * (position.first[seat + 1] - position.first[seat])
        if rules.two_squares:
            size += 1 + 2 * position.recent_count[seat]
        if rules.more_squares:
            size += 2
    size += _bitmap_size(_pieces(position))
    for piece in range(_pieces(position)):
        moved += evidence.marks[piece] & MARK_MOVED
    size += moved * (1 + _mask_size(rules))
    if rules.displacement:
        size += 1 + _battle_size(rules) * evidence.battles
    if rules.keeps_history:
        size += 2 + 2 * history.length
    return size


cdef inline uint8_t *_put16(uint8_t *out, uint16_t value) noexcept nogil:
    out[0], out[1] = value & 255, value >> 8
    return out + 2


cdef inline uint8_t *_put32(uint8_t *out, uint32_t value) noexcept nogil:
    return _put16(_put16(out, value & 0xFFFF), value >> 16)


cdef uint8_t *write_body(
    uint8_t *out,
    const Rules *rules,
    const Header *header,
    const Position *position,
    const Evidence *evidence,
    const History *history,
    uint8_t version,
) noexcept nogil:
    """Write a match; returns the end of what was written."""
    cdef int seat, piece, index
    # Kept here, for what is written through `out` could be anything that the compiler knows.
    cdef int pieces = _pieces(position), mask_size = _mask_size(rules), battle_size = _battle_size(rules)
    cdef int map_size = _bitmap_size(rules.squares), seats = rules.seats, battles = evidence.battles
    cdef int length = history.length
    cdef uint8_t stored = <uint8_t>_stored_marks(version), marks
    cdef uint8_t *bitmap
    cdef uint32_t movement
    cdef uint8_t owners = 0
    out[0] = <uint8_t>(header.loaded | (position.begun << 1) | (header.hypothetical << 2))
    out[1], out[2], out[3] = position.phase, position.first_seat, position.to_move
    out[4], out[5] = position.last_source, position.last_target
    out[6], out[7], out[8], out[9] = position.arranged, position.out, position.agreed, position.claims
    out[10], out[11] = position.reason, position.winners
    out = _put32(_put32(_put32(out + 12, position.ply), position.quiet), header.revision)
    for seat in range(1, seats + 1):
        if position.first[seat + 1] > position.first[seat]:
            owners |= <uint8_t>(1 << seat)
    out[0] = owners
    out += 1
    for seat in range(1, seats + 1):
        if not owners >> seat & 1:
            continue
        memset(out, 0, map_size)
        for piece in range(position.first[seat], position.first[seat + 1]):
            out[evidence.start[piece] >> 3] |= <uint8_t>(1 << (evidence.start[piece] & 7))
        out += map_size
        index = position.first[seat + 1] - position.first[seat]
        memcpy(out, &position.kind[position.first[seat]], index)
        memcpy(out + index, &position.square[position.first[seat]], index)
        out += 2 * index
    bitmap = out
    memset(out, 0, _bitmap_size(pieces))
    out += _bitmap_size(pieces)
    for piece in range(pieces):
        marks = evidence.marks[piece]
        if marks & MARK_MOVED:
            bitmap[piece >> 3] |= <uint8_t>(1 << (piece & 7))
            movement = evidence.movement[piece]
            out[0] = marks & stored
            for index in range(mask_size):
                out[1 + index] = <uint8_t>(movement >> (8 * index))
            out += 1 + mask_size
    if rules.displacement:
        out[0] = <uint8_t>battles
        out += 1
        for index in range(battles):
            out[0], out[1] = evidence.battle[index][0], evidence.battle[index][1]
            out[2] = evidence.battle[index][2]
            if version == 1:
                out[2] &= ~(HERALD_ATTACKER | HERALD_DEFENDER)
            if battle_size == 4:
                out[3] = evidence.battle[index][3]
            out += battle_size
    for seat in range(1, seats + 1):
        if rules.two_squares:
            out[0] = position.recent_count[seat]
            out += 1
            for index in range(position.recent_count[seat]):
                out = _put16(out, position.recent[seat][index])
        if rules.more_squares:
            out = _put16(out, <uint16_t>position.chase[seat])
    if rules.keeps_history:
        out = _put16(out, <uint16_t>length)
        for index in range(length):
            out = _put16(out, history.moves[index])
    return out


cdef size_t enclosed_size(
    bytes head,
    bytes match_id,
    bytes more,
    const Rules *rules,
    const Position *position,
    const Evidence *evidence,
    const History *history,
) noexcept:
    """How many bytes `enclose` will write."""
    cdef size_t around = 3 + len(head) + 1 + len(match_id) + len(more) + 4
    return around + body_size(rules, position, evidence, history)


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
) noexcept:
    """Write all bytes of a match: `first`, how many they are, head, match id, `more`, a body in a version of the
    format, and the checksum.
    """
    cdef const uint8_t *begin = out
    out[0], out[1], out[2] = first, size & 255, <uint8_t>(size >> 8)
    memcpy(out + 3, PyBytes_AS_STRING(head), len(head))
    out += 3 + len(head)
    out[0] = <uint8_t>len(match_id)
    memcpy(out + 1, PyBytes_AS_STRING(match_id), len(match_id))
    out += 1 + len(match_id)
    memcpy(out, PyBytes_AS_STRING(more), len(more))
    out = write_body(out + len(more), rules, header, position, evidence, history, version)
    _put32(out, crc32(begin, size - 4))


cdef struct Reader:
    const uint8_t *next
    const uint8_t *end


cdef inline uint32_t _take(Reader *reader, int size) noexcept nogil:
    """A little-endian number; past the end, 0 and a reader that stays past its end."""
    cdef uint32_t value = 0
    cdef int index
    if reader.end - reader.next < size:
        reader.next = reader.end + 1
        return 0
    for index in range(size):
        value |= <uint32_t>reader.next[index] << (8 * index)
    reader.next += size
    return value


cdef inline bint _short(const Reader *reader) noexcept nogil:
    return reader.next > reader.end


cdef inline int _places(uint8_t *places, const uint8_t *bitmap, int size) noexcept nogil:
    """The bits that are set in a bitmap of so many bytes, at most 32; returns how many."""
    cdef int byte, count = 0
    cdef uint32_t rest
    for byte in range(size):
        rest = bitmap[byte]
        while rest:
            places[count] = <uint8_t>(8 * byte + lowest(rest))
            count += 1
            rest &= rest - 1
    return count


cdef const char *_place(
    Position *position, uint8_t seat, int count, const uint8_t *content, const Rules *rules, uint8_t lowest_kind
) noexcept nogil:
    """Place a seat's pieces: as many kinds, and then squares. NULL, or what is wrong with them."""
    cdef const uint8_t *squares = content + count
    cdef uint8_t first = position.first[seat], kinds = rules.kinds - lowest_kind, end = rules.squares
    cdef uint8_t unknown = 0, outside = 0, shared = 0, alive = 0
    cdef int index
    memcpy(&position.kind[first], content, count)
    memcpy(&position.square[first], squares, count)
    # Without branches: which pieces are gone is hard to predict. What is off the board goes to a square that is none.
    for index in range(count):
        unknown |= <uint8_t>(content[index] - lowest_kind) > kinds
    for index in range(count):
        outside |= <uint8_t>(squares[index] >= end) & <uint8_t>(squares[index] != OFF)
        alive += squares[index] != OFF
    for index in range(count):
        shared |= position.seat_at[squares[index]] & -<uint8_t>(squares[index] != OFF)
        position.seat_at[squares[index]] = seat
        position.piece_at[squares[index]] = <uint8_t>(first + index)
    position.seat_at[OFF] = position.piece_at[OFF] = 0
    position.alive[seat] = alive
    if unknown:
        return b"STATE_ROSTER: a piece is of no kind of the game"
    if outside:
        return b"STATE_OCCUPANCY: a piece stands off the board"
    if shared:
        return b"STATE_OCCUPANCY: two pieces stand on one square"
    return NULL


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
) noexcept nogil:
    """Read what `write_body` wrote. NULL, or "REASON: text" when the layout is broken.

    Indices are checked, so that whatever is read can be looked at safely; `engine_core.integrity` judges the rest. What
    is read is written again as the same bytes: nothing in them is passed over.
    """
    cdef Reader reader
    cdef int seat, index, place, count, bits, pieces
    cdef uint32_t flags, owners, rest, unknown
    cdef uint8_t start[256]
    cdef uint8_t moved[256]
    cdef const char *fault
    reader.next, reader.end = data, data + size
    clear_position(position, evidence)
    history.length = 0
    flags = _take(&reader, 1)
    if flags > (3 if version == 1 else 7):
        return b"STATE_HEADER: unknown flags"
    header.loaded = flags & 1
    position.begun = flags >> 1 & 1
    header.hypothetical = flags >> 2
    position.phase = <uint8_t>_take(&reader, 1)
    position.first_seat = <uint8_t>_take(&reader, 1)
    position.to_move = <uint8_t>_take(&reader, 1)
    position.last_source = <uint8_t>_take(&reader, 1)
    position.last_target = <uint8_t>_take(&reader, 1)
    if (position.last_source != NONE and position.last_source >= rules.squares) or (
        position.last_target != NONE and position.last_target >= rules.squares
    ):
        return b"STATE_OCCUPANCY: the last move is off the board"
    position.arranged = <uint8_t>_take(&reader, 1)
    position.out = <uint8_t>_take(&reader, 1)
    position.agreed = <uint8_t>_take(&reader, 1)
    position.claims = <uint8_t>_take(&reader, 1)
    position.reason = <uint8_t>_take(&reader, 1)
    position.winners = <uint8_t>_take(&reader, 1)
    position.ply = _take(&reader, 4)
    position.quiet = _take(&reader, 4)
    header.revision = _take(&reader, 4)
    owners = _take(&reader, 1)
    if owners & 1 or owners >> (rules.seats + 1):
        return b"STATE_HEADER: pieces of a seat that does not exist"
    for seat in range(1, rules.seats + 1):
        if not owners >> seat & 1:
            continue
        bits = _bitmap_size(rules.squares)
        if _short(&reader) or reader.end - reader.next < bits:
            return b"STATE_LENGTH: the pieces are cut short"
        count = _places(start, reader.next, bits)
        reader.next += bits
        if count == 0:
            return b"STATE_HEADER: a seat that has pieces has none"
        if start[count - 1] >= rules.squares:
            return b"STATE_ROSTER: a piece starts off the board"
        if reader.end - reader.next < 2 * count:
            return b"STATE_LENGTH: the pieces are cut short"
        if _pieces(position) + count > 255:
            return b"STATE_ROSTER: too many pieces"
        fault = _place(position, <uint8_t>seat, count, reader.next, rules, 0 if kinds_hidden else 1)
        if fault != NULL:
            return fault
        memcpy(&evidence.start[position.first[seat]], start, count)
        for index in range(seat + 1, MAX_SEATS + 2):
            position.first[index] += <uint8_t>count
        reader.next += 2 * count
    pieces = _pieces(position)
    bits = _bitmap_size(pieces)
    if _short(&reader) or reader.end - reader.next < bits:
        return b"STATE_LENGTH: the evidence is cut short"
    count = _places(moved, reader.next, bits)
    reader.next += bits
    if count and moved[count - 1] >= pieces:
        return b"STATE_HEADER: a piece that does not exist has moved"
    bits = _mask_size(rules)
    if reader.end - reader.next < count * (1 + bits):
        return b"STATE_LENGTH: the evidence is cut short"
    memset(evidence.marks, 0, pieces)
    for index in range(pieces):
        evidence.movement[index] = <uint32_t>0xFFFFFFFF
    unknown = 0
    for index in range(count):
        rest = 0
        for place in range(bits):
            rest |= <uint32_t>reader.next[1 + place] << (8 * place)
        evidence.marks[moved[index]] = reader.next[0]
        evidence.movement[moved[index]] = rest
        unknown |= reader.next[0] & ~_stored_marks(version) | (reader.next[0] & MARK_MOVED ^ MARK_MOVED)
        reader.next += 1 + bits
    if unknown:
        return b"STATE_EVIDENCE: a piece has marks that do not exist"
    if rules.displacement:
        evidence.battles = <uint8_t>_take(&reader, 1)
        bits = _battle_size(rules)
        if _short(&reader) or reader.end - reader.next < bits * evidence.battles:
            return b"STATE_LENGTH: the battles are cut short"
        for index in range(evidence.battles):
            evidence.battle[index][3] = NONE
            for place in range(bits):
                evidence.battle[index][place] = reader.next[place]
            reader.next += bits
            if evidence.battle[index][3] != NONE and evidence.battle[index][3] >= pieces:
                return b"STATE_EVIDENCE: a battle before a piece that does not exist"
            if evidence.battle[index][0] >= pieces or evidence.battle[index][1] >= pieces:
                return b"STATE_EVIDENCE: a battle of a piece that does not exist"
            if version == 1 and evidence.battle[index][2] & (HERALD_ATTACKER | HERALD_DEFENDER):
                return b"STATE_HEADER: a battle with notes that its version of the format does not have"
    for seat in range(1, rules.seats + 1):
        if rules.two_squares:
            position.recent_count[seat] = <uint8_t>_take(&reader, 1)
            if position.recent_count[seat] > rules.two_squares:
                return b"STATE_HISTORY: more last moves than are kept"
            for index in range(position.recent_count[seat]):
                position.recent[seat][index] = <uint16_t>_take(&reader, 2)
                if not _on_board(rules, position.recent[seat][index]):
                    return b"STATE_HISTORY: a last move is off the board"
        if rules.more_squares:
            position.chase[seat] = <int16_t>_take(&reader, 2)
    if rules.keeps_history:
        history.length = <int>_take(&reader, 2)
        if history.length > MAX_HISTORY:
            return b"STATE_HISTORY: longer than a history can be"
        if _short(&reader) or reader.end - reader.next < 2 * history.length:
            return b"STATE_LENGTH: the history is cut short"
        for index in range(history.length):
            history.moves[index] = reader.next[0] | <uint16_t>(reader.next[1] << 8)
            reader.next += 2
            if not _on_board(rules, history.moves[index]):
                return b"STATE_HISTORY: a move is off the board"
    for seat in range(1, rules.seats + 1):
        if not -1 <= position.chase[seat] <= history.length:
            return b"STATE_HISTORY: a chase began before or after the moves that are kept"
    if reader.next != reader.end:
        return b"STATE_LENGTH: shorter or longer than its contents"
    return NULL


cdef inline bint _on_board(const Rules *rules, uint16_t move) noexcept nogil:
    return (move >> 8) < rules.squares and (move & 255) < rules.squares and (move >> 8) != (move & 255)
