# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False
"""Requests of ApplyAction as every protocol buffer library writes them, read in one pass without a message.

Read is only what is plain: a packed move, fields that are known, in ascending order, each once, and numbers of at most
32 bits. Anything else is for protobuf itself, malformed bytes included; a test compares what is read with what protobuf
reads. Field numbers are those of `proto/shinpan/v1`.
"""

from libc.string cimport memset

cdef enum:
    VARINT = 0
    BYTES = 2

# ApplyActionRequest
cdef enum:
    STATE = 1 << 3 | BYTES
    ACTION = 2 << 3 | BYTES
    EXPECTED_REVISION = 3 << 3 | VARINT
    VIEWERS = 4 << 3 | BYTES
    INCLUDE_DIAGRAMS = 5 << 3 | VARINT
    INCLUDE_KNOWLEDGE = 6 << 3 | VARINT
    EXPECT_HYPOTHETICAL = 7 << 3 | VARINT

# The messages in it, and BatchApplyActionsRequest
cdef enum:
    STATE_TOKEN = 1 << 3 | BYTES
    ACTION_SEAT = 1 << 3 | VARINT
    ACTION_MOVE = 3 << 3 | BYTES
    MOVE_PACKED = 1 << 3 | VARINT
    BATCH_ITEM = 1 << 3 | BYTES

cdef struct Reader:
    const uint8_t *next  # NULL once something was not plain
    const uint8_t *end


cdef inline uint32_t _number(Reader *reader) noexcept nogil:
    """A varint of at most 32 bits; 0 when there is none."""
    cdef uint32_t value = 0
    cdef uint32_t byte
    cdef int shift
    for shift in range(0, 35, 7):
        if reader.next == NULL or reader.next == reader.end:
            break
        byte = reader.next[0]
        reader.next += 1
        if shift == 28 and byte > 15:
            break
        value |= (byte & 127) << shift
        if byte < 128:
            if byte == 0 and shift:
                break  # longer than it has to be
            return value
    reader.next = NULL
    return 0


cdef inline bint _bool(Reader *reader) noexcept nogil:
    cdef uint32_t value = _number(reader)
    if value > 1:
        reader.next = NULL
    return value == 1


cdef inline Reader _contents(Reader *reader) noexcept nogil:
    """The contents of a field that holds bytes; it is read by them."""
    cdef Reader contents
    cdef size_t size = _number(reader)
    if reader.next == NULL or <size_t>(reader.end - reader.next) < size:
        reader.next = NULL
        contents.next = contents.end = NULL
        return contents
    contents.next, contents.end = reader.next, reader.next + size
    reader.next += size
    return contents


cdef inline bint _rest(const Reader *reader) noexcept nogil:
    """Whether everything was plain, and there is more."""
    return reader.next != NULL and reader.next != reader.end


cdef inline bint _takes(Reader *reader, uint8_t tag) noexcept nogil:
    """Read this tag if it comes next."""
    if not _rest(reader) or reader.next[0] != tag:
        return False
    reader.next += 1
    return True


cdef bint _read_action(Reader action, MoveRequest *request) noexcept nogil:
    cdef Reader move
    if _takes(&action, ACTION_SEAT):
        request.seat = _number(&action)
    if not _takes(&action, ACTION_MOVE):
        return False
    move = _contents(&action)
    if not _takes(&move, MOVE_PACKED):
        return False
    request.move = _number(&move)
    return move.next != NULL and move.next == move.end and action.next == action.end


cdef bint read_move(const uint8_t *data, size_t size, MoveRequest *request) noexcept nogil:
    """Read a request; False when it is not plain."""
    cdef Reader reader = [data, data + size]
    cdef Reader part
    cdef uint32_t viewer
    memset(request, 0, sizeof(MoveRequest))
    if not _takes(&reader, STATE):
        return False
    part = _contents(&reader)
    if not _takes(&part, STATE_TOKEN):
        return False
    part = _contents(&part)
    if part.next == NULL or part.end != reader.next:
        return False
    request.token, request.token_size = part.next, part.end - part.next
    if not _takes(&reader, ACTION):
        return False
    part = _contents(&reader)
    if reader.next == NULL or not _read_action(part, request):
        return False
    if _takes(&reader, EXPECTED_REVISION):
        request.revision_expected = True
        request.expected_revision = _number(&reader)
    if _takes(&reader, VIEWERS):
        part = _contents(&reader)
        while _rest(&part):
            viewer = _number(&part)
            if request.viewer_count == MAX_VIEWERS or viewer > 127:
                return False
            request.viewers[request.viewer_count] = <uint8_t>viewer
            request.viewer_count += 1
        if part.next == NULL:
            return False
    if _takes(&reader, INCLUDE_DIAGRAMS):
        request.include_diagrams = _bool(&reader)
    if _takes(&reader, INCLUDE_KNOWLEDGE):
        request.include_knowledge = _bool(&reader)
    if _takes(&reader, EXPECT_HYPOTHETICAL):
        request.expect_hypothetical = _bool(&reader)
    return reader.next != NULL and reader.next == reader.end


cdef const uint8_t *read_item(const uint8_t *data, const uint8_t *end, size_t *size) noexcept nogil:
    """The next item of a batch, between `data` and the end of the batch, and its size; NULL when it is not plain."""
    cdef Reader reader = [data, end]
    if not _takes(&reader, BATCH_ITEM):
        return NULL
    cdef Reader item = _contents(&reader)
    size[0] = item.end - item.next
    return item.next


def read(bytes data not None):
    """What a request says, by the names of its fields; None when it is not plain. Tests and benchmarks ask."""
    cdef MoveRequest request
    if not read_move(<const uint8_t *><char *>data, len(data), &request):
        return None
    return {
        "token": (<const char *>request.token)[:request.token_size],
        "seat": request.seat,
        "packed": request.move,
        "expected_revision": request.expected_revision if request.revision_expected else None,
        "viewers": [request.viewers[index] for index in range(request.viewer_count)],
        "include_diagrams": bool(request.include_diagrams),
        "include_knowledge": bool(request.include_knowledge),
        "expect_hypothetical": bool(request.expect_hypothetical),
    }
