"""States: one moment of a match each."""

from libc.stdint cimport uint8_t, uint16_t

from engine_core.notation cimport MoveTable
from engine_core.referee cimport Outcome
from engine_core.state cimport Evidence, Header, History, Position
from engine_core.tables cimport Tables

cdef enum OpenAction:
    # What a seat may do, as bits.
    OPEN_ARRANGE = 1
    OPEN_MOVE = 2
    OPEN_RESIGN = 4
    OPEN_OFFER_DRAW = 8
    OPEN_ACCEPT_DRAW = 16
    OPEN_DECLINE_DRAW = 32

cdef class State:
    cdef Position *position  # of its own, as what follows
    cdef Evidence *evidence
    cdef Outcome *outcome  # of the action that led here, where there was one
    cdef Header header
    cdef bytes history
    cdef readonly bytes match_id
    cdef readonly object game
    cdef Tables tables
    cdef MoveTable moves

    cdef State successor(self)
    cdef void read_history(self, History *history) noexcept
    cdef void keep_history(self, const History *history)
    cdef bytes written(self, uint8_t version)
    cdef size_t encoded_size(self) except 0
    cdef int write_to(self, uint8_t *out, size_t size, uint8_t version) except -1
    cdef int check_viewer(self, viewer) except -1
    cdef const uint16_t *list_moves(self, int *count) noexcept
    cdef int open_actions(self, int seat) noexcept
    cdef object played(self, uint8_t source, uint8_t target)
    cdef object _refusal(self, int source, int target)

cdef State blank_state()
cdef State new_state(object game, bytes match_id)
