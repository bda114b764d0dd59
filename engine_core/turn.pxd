"""Turns: an accepted action and what came of it."""

from engine_core.match cimport State
from engine_core.referee cimport Outcome

cdef class Turn:
    cdef readonly State state
    cdef State before
    cdef Outcome *outcome  # the state has it
    cdef tuple opening  # the events that come first; None for a move

    cdef list _of_move(self, int viewer)
    cdef list captured_squares(self)
    cdef bint shows_pieces(self)

cdef Turn turn_of(State before, State after, tuple opening, const Outcome *outcome)
