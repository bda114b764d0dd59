# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False
"""The messages of an update as protocol buffer bytes, written straight from the engine's structs.

Building them as messages costs more than refereeing the move. The bytes are those that protobuf itself writes; a test
compares them. Field numbers are those of `proto/shinpan/v1`.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memmove
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize

from engine_core.match cimport State
from engine_core.state cimport ARRANGEMENT, ENDED, PLAY, Position
from engine_core.tables cimport FLAG_FALLS, NONE, OUTCOME_MASK, REVEAL_NONE
from engine_core.turn cimport Turn
from engine_core.view cimport Columns, look_at_board, look_at_kinds

cdef enum:
    VARINT = 0
    BYTES = 2
    FLAG_OUTCOMES = 3  # BattleOutcome: the outcomes with a fallen flag follow those without in the same order
    KINDS_OF_ACTION = 6
    MAX_LENGTH = 5  # bytes of the longest varint
    MAX_STATUS = 160
    MAX_BOARD = 4 * (256 + 3) + 2
    MAX_CAPTURED = 3 * (255 + 3)
    MAX_MOVED = 5 * 8 + 255 * 2
    MAX_HEADS = 64  # tags and lengths of the messages in an update


# Values into bytes: each function writes at `out` and returns the end of what it has written.

cdef inline uint8_t *_varint(uint8_t *out, uint32_t value) noexcept nogil:
    while value > 127:
        out[0] = <uint8_t>(value & 127 | 128)
        value >>= 7
        out += 1
    out[0] = <uint8_t>value
    return out + 1


cdef inline uint8_t *_number(uint8_t *out, int field, uint32_t value) noexcept nogil:
    """A number that is left out when it is 0."""
    if value == 0:
        return out
    out[0] = <uint8_t>(field << 3 | VARINT)
    return _varint(out + 1, value)


cdef inline uint8_t *_bytes(uint8_t *out, int field, const void *data, size_t size) noexcept nogil:
    """Bytes, or a packed list, that are left out when they are empty."""
    if size == 0:
        return out
    out[0] = <uint8_t>(field << 3 | BYTES)
    out = _varint(out + 1, <uint32_t>size)
    memcpy(out, data, size)
    return out + size


cdef inline uint8_t *_opened(uint8_t *out, int field) noexcept nogil:
    """The tag of a message whose contents come next; `_closed` needs what this returns."""
    out[0] = <uint8_t>(field << 3 | BYTES)
    return out + 2  # most lengths have one byte


cdef inline uint8_t *_closed(uint8_t *contents, uint8_t *end) noexcept nogil:
    """Put the length of a message before its contents, which move up when it takes more than a byte."""
    cdef uint8_t length[MAX_LENGTH]
    cdef size_t size = end - contents
    cdef size_t shift = _varint(length, <uint32_t>size) - length - 1
    if shift:
        memmove(contents + shift, contents, size)
    memcpy(contents - 1, length, shift + 1)
    return end + shift


cdef inline uint8_t *_seats(uint8_t *out, int field, uint8_t mask) noexcept nogil:
    """The seats of a mask as a packed list."""
    cdef uint8_t seats[8]
    cdef uint32_t count = 0
    cdef uint8_t seat
    for seat in range(1, 8):
        if mask >> seat & 1:
            seats[count] = seat
            count += 1
    return _bytes(out, field, seats, count)


cdef uint8_t *_status(uint8_t *out, State state) noexcept:
    """The contents of a Status."""
    cdef uint8_t *result
    out = _number(out, 1, state.position.phase + 1)
    out = _seats(out, 2, state.position.arranged)
    out = _number(out, 3, state.position.to_move)
    out = _number(out, 4, state.position.ply)
    out = _number(out, 5, state.header.revision)
    out = _seats(out, 6, state.position.agreed)
    out = _seats(out, 7, state.position.out)
    if state.position.last_source != NONE:
        out[0] = 8 << 3 | VARINT
        out = _varint(out + 1, state.position.last_source << 8 | state.position.last_target)
    if state.position.phase == ENDED:
        result = _opened(out, 9)
        out = _seats(result, 1, state.position.winners)
        out = _number(out, 2, state.position.reason)
        out = _closed(result, out)
    return _number(out, 10, state.header.hypothetical)


cdef uint8_t *_board(uint8_t *out, State state, const Columns *columns) noexcept nogil:
    """The contents of a View, but for its diagram."""
    cdef size_t squares = state.tables.rules.squares
    out = _bytes(out, 1, columns.board.seats, squares)
    out = _bytes(out, 2, columns.board.kinds, squares)
    out = _bytes(out, 3, columns.board.origins, squares)
    out = _bytes(out, 4, columns.board.flags, squares)
    return _number(out, 5, columns.claim_pending)


cdef uint8_t *_captured(uint8_t *out, const Columns *columns) noexcept nogil:
    """The contents of CapturedPieces."""
    out = _bytes(out, 1, columns.captured_seats, columns.captured)
    out = _bytes(out, 2, columns.captured_origins, columns.captured)
    return _bytes(out, 3, columns.captured_kinds, columns.captured)


cdef inline const uint16_t *_moves_of(State state, int seat, int *count) noexcept:
    """The moves that a seat may make now, and how many; good until the next call. NULL for none."""
    return state.list_moves(count) if state.position.to_move == seat else NULL


cdef inline size_t _most_actions(int count) noexcept nogil:
    """How many bytes LegalActions with so many moves have at most."""
    return 3 * count + KINDS_OF_ACTION + 2 * (1 + MAX_LENGTH)


cdef uint8_t *_legal_actions(uint8_t *out, State state, int seat, const uint16_t *moves, int count) noexcept:
    """The contents of LegalActions: these moves, and what else the seat may do."""
    cdef uint8_t kinds[KINDS_OF_ACTION]
    cdef uint8_t *packed
    cdef int index, open_count = 0, open_actions = state.open_actions(seat)
    if count:
        packed = _opened(out, 1)
        out = packed
        for index in range(count):
            out = _varint(out, moves[index])
        out = _closed(packed, out)
    for index in range(KINDS_OF_ACTION):
        if open_actions >> index & 1:
            kinds[open_count] = <uint8_t>(index + 1)
            open_count += 1
    return _bytes(out, 2, kinds, open_count)


# Messages into a buffer that grows.

cdef int reserve(Writer *writer, size_t more) except -1:
    """Make room for so many bytes more."""
    cdef size_t capacity
    cdef uint8_t *data
    if writer.capacity - writer.size >= more:
        return 0
    capacity = 2 * writer.capacity + more
    data = <uint8_t *>realloc(writer.data, capacity)
    if data == NULL:
        raise MemoryError
    writer.data, writer.capacity = data, capacity
    return 0


cdef void release(Writer *writer) noexcept nogil:
    """Free the buffer."""
    free(writer.data)
    writer.data = NULL
    writer.size = writer.capacity = 0


cdef size_t open_field(Writer *writer, int field) except? 0:
    """Begin a message in a field; `close_field` needs what this returns."""
    reserve(writer, 2)
    writer.size = _opened(writer.data + writer.size, field) - writer.data
    return writer.size


cdef int close_field(Writer *writer, size_t mark) except -1:
    """End a message that `open_field` has begun."""
    reserve(writer, MAX_LENGTH)
    writer.size = _closed(writer.data + mark, writer.data + writer.size) - writer.data
    return 0


cdef int put_bytes(Writer *writer, int field, const void *data, size_t size) except -1:
    """A field that holds bytes or a message, the empty one too."""
    memcpy(room_for_bytes(writer, field, size), data, size)
    return 0


cdef uint8_t *room_for_bytes(Writer *writer, int field, size_t size) except NULL:
    """A field that holds bytes which the caller writes, all of them, where this says."""
    cdef uint8_t *out
    reserve(writer, 1 + MAX_LENGTH + size)
    out = writer.data + writer.size
    out[0] = <uint8_t>(field << 3 | BYTES)
    out = _varint(out + 1, <uint32_t>size)
    writer.size = out + size - writer.data
    return out


cdef int put_raw(Writer *writer, bytes data) except -1:
    """Whole fields that are written already."""
    reserve(writer, len(data))
    memcpy(writer.data + writer.size, PyBytes_AS_STRING(data), len(data))
    writer.size += len(data)
    return 0


cdef inline bint _has_to_decide(State state, int viewer) noexcept:
    cdef const Position *position = state.position
    if position.phase == PLAY:
        return viewer == position.to_move
    if position.phase != ARRANGEMENT or not 1 <= viewer <= state.tables.rules.seats:
        return False
    return not (position.arranged | position.out) >> viewer & 1


cdef int put_update(
    Writer *writer,
    int number,
    int viewer,
    State state,
    Columns *columns,
    bint board_seen,
    const uint8_t *diagram,
    size_t diagram_size,
    bytes events,
) except -1:
    """The contents of an Update, but for knowledge, for a viewer that exists (its number in the API and the engine).

    `columns` are filled in; with `board_seen` they hold the board already, from another viewer of the state. `events`
    are the fields of its events, `diagram` is NULL for none.
    """
    cdef uint8_t *out
    cdef uint8_t *contents
    cdef size_t more = MAX_STATUS + MAX_BOARD + MAX_CAPTURED + MAX_HEADS + diagram_size + len(events)
    cdef const uint16_t *moves = NULL
    cdef int count = 0
    cdef bint decides = _has_to_decide(state, viewer)
    if decides:
        moves = _moves_of(state, viewer, &count)
        more += _most_actions(count)
    reserve(writer, more)
    # Before play begins each sees another board; and who claims is marked on it for those alone that may know.
    if not board_seen or not state.position.begun or state.position.claims:
        look_at_board(&state.tables.rules, state.position, state.evidence, viewer, columns)
    look_at_kinds(&state.tables.rules, state.position, state.evidence, viewer, columns)
    out = _number(writer.data + writer.size, 1, number)
    contents = _opened(out, 2)
    out = _closed(contents, _status(contents, state))
    contents = _opened(out, 3)
    out = _board(contents, state, columns)
    if diagram != NULL:
        out[0] = 6 << 3 | BYTES
        out = _varint(out + 1, <uint32_t>diagram_size)
        memcpy(out, diagram, diagram_size)
        out += diagram_size
    out = _closed(contents, out)
    memcpy(out, PyBytes_AS_STRING(events), len(events))
    out += len(events)
    contents = _opened(out, 5)
    out = _closed(contents, _captured(contents, columns))
    if decides:
        contents = _opened(out, 6)
        out = _closed(contents, _legal_actions(contents, state, viewer, moves, count))
    writer.size = out - writer.data
    return 0


# The same for Python.

def field(int number, bytes body not None):
    """A field that holds bytes or a message, the empty one too."""
    cdef uint8_t head[1 + MAX_LENGTH]
    cdef uint8_t *end
    head[0] = <uint8_t>(number << 3 | BYTES)
    end = _varint(head + 1, <uint32_t>len(body))
    return head[:end - head] + body


def status(State state not None):
    """A Status."""
    cdef uint8_t out[MAX_STATUS]
    cdef uint8_t *end = _status(out, state)
    return out[:end - out]


def legal_actions(State state not None, int seat):
    """The LegalActions of a seat that exists, for that seat alone."""
    cdef int count = 0
    cdef const uint16_t *moves = _moves_of(state, seat, &count)
    cdef bytes out = PyBytes_FromStringAndSize(NULL, _most_actions(count))
    cdef uint8_t *start = <uint8_t *>PyBytes_AS_STRING(out)
    cdef uint8_t *end = _legal_actions(start, state, seat, moves, count)
    return start[:end - start]


cpdef bytes moved(Turn turn):
    """The field of an Update with the event of a turn that is a move, the same for every viewer.

    None unless this event is all that happened.
    """
    cdef uint8_t out[MAX_MOVED + MAX_HEADS]
    cdef uint8_t squares[255 * 2]
    cdef uint8_t *end_of_squares = squares
    cdef uint8_t *event
    cdef uint8_t *contents
    cdef uint8_t *end
    cdef State before = turn.before, after = turn.state
    cdef int battle = turn.outcome.battle & OUTCOME_MASK
    if turn.opening is not None or after.position.phase == ENDED or battle and turn.shows_pieces():
        return None
    if turn.outcome.lapsed or turn.outcome.claimed or turn.outcome.passes or turn.outcome.eliminations:
        return None
    if turn.outcome.battle & FLAG_FALLS:
        battle += FLAG_OUTCOMES
    if turn.outcome.captured:
        for square in turn.captured_squares():
            end_of_squares = _varint(end_of_squares, square)
    event = _opened(out, 4)
    contents = _opened(event, 3)
    end = _number(contents, 1, after.position.ply)
    end = _number(end, 2, before.position.to_move)
    end = _number(end, 3, after.position.last_source << 8 | after.position.last_target)
    end = _number(end, 4, battle)
    end = _bytes(end, 5, squares, end_of_squares - squares)
    if battle and after.tables.rules.reveal != REVEAL_NONE:
        end = _number(end, 6, before.position.kind[turn.outcome.attacker])
        end = _number(end, 7, before.position.kind[turn.outcome.defender])
    end = _closed(event, _closed(contents, end))
    return out[:end - out]


def updates(State state not None, list told not None):
    """An Update, but for knowledge, for each of some viewers, as a list.

    `told` has for each viewer, which exists, its number in the API and in the engine, its diagram or None, and the
    fields of its events.
    """
    cdef Writer writer = [NULL, 0, 0]
    cdef Columns columns
    cdef bytes diagram, events
    cdef const uint8_t *drawn
    cdef size_t size
    cdef bint board_seen = False
    cdef list written = []
    try:
        for number, viewer, diagram, events in told:
            drawn, size = NULL, 0
            if diagram is not None:
                drawn, size = <const uint8_t *>PyBytes_AS_STRING(diagram), len(diagram)
            writer.size = 0
            put_update(&writer, number, viewer, state, &columns, board_seen, drawn, size, events)
            board_seen = True
            written.append(writer.data[:writer.size])
        return written
    finally:
        release(&writer)
