# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False
"""ApplyAction for plain moves, from the bytes of the request to the bytes of the answer without a message in between.

This path answers or declines, it never refuses: whatever is unusual, and whatever is wrong, is declined before
anything was counted, and `service.referee` answers it from messages. What is answered here are the same bytes.
"""

cimport cython

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp, memcpy
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE

from google.protobuf.message import DecodeError
from shinpan.v1.referee_service_pb2 import ApplyActionRequest, BatchApplyActionsRequest

from engine_core import RefereeError, decode
from service.tokens import HEADER, PLAIN, TokenError
from service.updates import happened

from engine_core.codec cimport decoded
from engine_core.match cimport State
from engine_core.state cimport CODEC_VERSION, MAX_REVISION, PLAY
from engine_core.turn cimport Turn
from engine_core.view cimport Columns
from service.action_reader cimport MoveRequest, read_item, read_move
from service.call cimport Call
from service.digest cimport DIGEST_BYTES, put_digest
from service.wire cimport (
    Writer, close_field, moved, open_field, put_bytes, put_raw, put_update, release, reserve, room_for_bytes,
)

cdef enum:
    MAX_SEATS = 4
    VIEWER_SPECTATOR = 14  # in the API
    SPECTATOR = 0  # in the engine
    USUAL_ANSWER = 2048
    CHECK_EVERY = 6  # plain items of a batch; a look at the deadline takes microseconds, and so do they

cdef bytes header = HEADER  # of an unsealed token


@cython.final
cdef class PlainMoves:
    """Answers plain moves of callers that may play, and counts them in the metrics."""

    cdef object metrics
    cdef Py_ssize_t max_items
    cdef object outcome

    def __init__(self, metrics, max_items, outcome):
        """At most `max_items` make a batch; `outcome` gives the one of an item that is declined, as bytes."""
        self.metrics = metrics
        self.max_items = max_items
        self.outcome = outcome

    def apply(self, bytes request not None, Call call not None):
        """The ApplyActionResponse to an ApplyActionRequest; None when it is declined."""
        cdef MoveRequest wanted
        cdef Writer writer = [NULL, 0, 0]
        cdef State after
        if not read_move(<const uint8_t *>PyBytes_AS_STRING(request), PyBytes_GET_SIZE(request), &wanted):
            return None
        if not _may_play(call):
            return None
        try:
            reserve(&writer, USUAL_ANSWER)
            after = _apply(&writer, &wanted, call.tokens)
            if after is None:
                return None
            if not after.header.hypothetical:
                self._count(after, 1)
            return PyBytes_FromStringAndSize(<const char *>writer.data, writer.size)
        finally:
            release(&writer)

    def apply_batch(self, bytes request not None, Call call not None):
        """The BatchApplyActionsResponse to a BatchApplyActionsRequest; None when it is declined as a whole."""
        cdef const uint8_t *end = <const uint8_t *>PyBytes_AS_STRING(request) + PyBytes_GET_SIZE(request)
        cdef const uint8_t *item = end - PyBytes_GET_SIZE(request)
        cdef Writer writer = [NULL, 0, 0]
        cdef MoveRequest wanted
        cdef size_t outcome, result, size = 0
        cdef int index, count = 0, unchecked = 0
        cdef bint plain = True
        cdef State after, counted = None  # the last that has been applied, and how many of its game in a row
        cdef uint32_t applied = 0
        while item != end:
            item = read_item(item, end, &size)
            if item == NULL:
                return None
            plain = read_move(item, size, &wanted) and plain
            item += size
            count += 1
        if not 1 <= count <= self.max_items or not _may_play(call):
            return None
        try:
            messages = None if plain else BatchApplyActionsRequest.FromString(request).items
        except DecodeError:
            return None
        self.metrics.batch("BatchApplyActions", count)
        tokens = call.tokens
        item = end - PyBytes_GET_SIZE(request)
        try:
            reserve(&writer, count * USUAL_ANSWER)
            for index in range(count):
                if unchecked == 0:
                    call.check()
                    unchecked = CHECK_EVERY
                unchecked -= 1
                item = read_item(item, end, &size)
                outcome = open_field(&writer, 1)
                result = open_field(&writer, 1)
                after = _apply(&writer, &wanted, tokens) if read_move(item, size, &wanted) else None
                if after is not None:
                    close_field(&writer, result)
                    if not after.header.hypothetical:
                        if applied and after.game is not counted.game:
                            applied = self._count(counted, applied)
                        counted = after
                        applied += 1
                        if after.position.phase != PLAY:
                            applied = self._count(counted, applied)
                else:
                    unchecked = 0
                    writer.size = outcome
                    message = messages[index] if messages is not None else _message(item, size)
                    put_raw(&writer, self.outcome(message, call))
                call.answer_bytes += writer.size - outcome
                if call.answer_bytes > call.max_answer_bytes:
                    call.add_answer_bytes(0)
                close_field(&writer, outcome)
                item += size
            return PyBytes_FromStringAndSize(<const char *>writer.data, writer.size)
        finally:
            release(&writer)
            if applied:
                self._count(counted, applied)

    cdef int _count(self, State last, uint32_t applied) except -1:
        """Count so many applied actions of a game, and the end of the match after the last of them; returns 0."""
        self.metrics.actions_applied(last.game.id, applied)
        if last.position.phase != PLAY:
            self.metrics.match_ended(last.game.id, last.result.reason)
        return 0


cdef State _apply(Writer *writer, const MoveRequest *wanted, tokens):
    """Write the contents of an ApplyActionResponse, and return the state after; None when the request is declined."""
    cdef State before
    cdef Turn turn
    if wanted.include_diagrams or wanted.include_knowledge or wanted.move > 0xFFFF:
        return None
    before = _state_of(wanted, tokens)
    if before is None or not _may_move(before, wanted) or not _can_look(before, wanted):
        return None
    turn = before.played(<uint8_t>(wanted.move >> 8), <uint8_t>(wanted.move & 255))
    if turn is None:
        return None
    _put_state(writer, turn.state, tokens)
    if wanted.viewer_count:
        _put_updates(writer, wanted, turn)
    return turn.state


cdef bint _may_play(Call call) except -1:
    return "play" in call.caller.permissions


cdef object _message(const uint8_t *item, size_t size):
    return ApplyActionRequest.FromString(PyBytes_FromStringAndSize(<const char *>item, size))


cdef State _state_of(const MoveRequest *wanted, tokens):
    """The state of a request, of the sort that it expects; None when there is none to be had."""
    cdef const char *token = <const char *>wanted.token
    cdef Py_ssize_t size = wanted.token_size, begin = PyBytes_GET_SIZE(header)
    try:
        if tokens is not PLAIN:
            held = decode(tokens.unseal(PyBytes_FromStringAndSize(token, size)))
        elif size > begin and memcmp(token, PyBytes_AS_STRING(header), begin) == 0:
            held = decoded(<const uint8_t *>token + begin, size - begin)
        else:
            return None
    except (RefereeError, TokenError):
        return None
    if not isinstance(held, State) or (<State>held).header.hypothetical != wanted.expect_hypothetical:
        return None
    return <State>held


cdef bint _may_move(State state, const MoveRequest *wanted) noexcept:
    """Whether the seat is to move, the revision is the expected one, and the move has two squares of the board."""
    return (
        state.position.phase == PLAY
        and state.position.to_move == wanted.seat
        and (not wanted.revision_expected or state.header.revision == wanted.expected_revision)
        and state.header.revision < MAX_REVISION
        and (wanted.move >> 8) < state.tables.rules.squares
        and (wanted.move & 255) < state.tables.rules.squares
    )


cdef bint _can_look(State state, const MoveRequest *wanted) noexcept:
    """Whether the viewers are seats of the game and the spectator, each named once."""
    cdef uint32_t seen = 0
    cdef int index
    cdef uint8_t viewer
    for index in range(wanted.viewer_count):
        viewer = wanted.viewers[index]
        if not (1 <= viewer <= state.tables.rules.seats or viewer == VIEWER_SPECTATOR) or seen >> viewer & 1:
            return False
        seen |= <uint32_t>1 << viewer
    return True


cdef int _put_state(Writer *writer, State state, tokens) except -1:
    """The token of a state, and its digest."""
    cdef uint8_t digest[DIGEST_BYTES]
    cdef size_t contents = open_field(writer, 1), begin = PyBytes_GET_SIZE(header), size
    cdef bytes sealed
    cdef uint8_t *token
    if tokens is PLAIN:
        size = begin + state.encoded_size()
        token = room_for_bytes(writer, 1, size)
        memcpy(token, PyBytes_AS_STRING(header), begin)
        state.write_to(token + begin, size - begin, CODEC_VERSION)
    else:
        sealed = tokens.seal(state.written(CODEC_VERSION))
        size = PyBytes_GET_SIZE(sealed)
        token = room_for_bytes(writer, 1, size)
        memcpy(token, PyBytes_AS_STRING(sealed), size)
    put_digest(token, size, digest)
    close_field(writer, contents)
    return put_bytes(writer, 2, digest, DIGEST_BYTES)


cdef int _put_updates(Writer *writer, const MoveRequest *wanted, Turn turn) except -1:
    cdef bytes events, for_all = moved(turn)
    cdef Columns columns
    cdef int index, viewer
    cdef size_t update
    for index in range(wanted.viewer_count):
        viewer = SPECTATOR if wanted.viewers[index] == VIEWER_SPECTATOR else wanted.viewers[index]
        events = for_all if for_all is not None else happened(turn, viewer)
        update = open_field(writer, 3)
        put_update(writer, wanted.viewers[index], viewer, turn.state, &columns, index > 0, NULL, 0, events)
        close_field(writer, update)
    return 0
