"""States and turns: the immutable values of a match."""

from libc.stdint cimport uint8_t, uint32_t

from engine_core.moves cimport MoveTable
from engine_core.referee cimport Outcome
from engine_core.state cimport Evidence, Header, History, Position
from engine_core.tables cimport Rules, Tables

cdef class State:
    cdef Position position
    cdef Evidence evidence
    cdef Header header
    cdef bytes history
    cdef readonly bytes match_id
    cdef readonly object game
    cdef Tables tables
    cdef MoveTable moves

    cdef State successor(self)
    cdef void read_history(self, History *history) noexcept
    cdef void keep_history(self, const History *history)
    cdef object _refusal(self, int source, int target)

cdef class Turn:
    cdef readonly State state
    cdef State before
    cdef Outcome outcome
    cdef tuple opening  # the events that come first; None for a move

    cdef list _of_move(self, int viewer)

cdef State new_state(object game, bytes match_id)
cdef Turn turn_of(State before, State after, tuple opening, const Outcome *outcome)
