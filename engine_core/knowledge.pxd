"""What one viewer may know of a match, as a value."""

from libc.stdint cimport uint8_t

from engine_core.match cimport State
from engine_core.notation cimport MoveTable
from engine_core.state cimport Evidence, Header, History, Position
from engine_core.tables cimport MAX_KINDS, MAX_SEATS, Tables

cdef class Knowledge:
    cdef Position position  # kinds that the viewer may not know are 0; before play others' pieces are not there
    cdef Evidence evidence
    cdef Header header
    cdef bytes history
    cdef uint8_t roster[MAX_SEATS + 1][MAX_KINDS + 1]
    cdef readonly int viewer
    cdef readonly bytes match_id
    cdef readonly object game
    cdef Tables tables
    cdef MoveTable moves
    cdef object deduced  # what judging the bytes has found, for who asks first

    cdef tuple battle(self, int index)
    cdef State filled(self, const uint8_t *kinds)
    cdef void read_history(self, History *history) noexcept

cdef Knowledge blank_knowledge(object game, bytes match_id, int viewer)
cdef Knowledge knowledge_of(State state, int viewer)
