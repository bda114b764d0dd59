# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False
"""Moves as values, and what a move may be given as: a text such as "b3b4" or a packed number."""

cimport cython

import operator
from collections.abc import Sequence

from libc.string cimport memcpy
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize

from engine_core.errors import MalformedMove


@cython.final
@cython.no_gc
cdef class Move:
    """A move: the indices of its two squares. `str(move)` is "b3b4", `int(move)` is source << 8 | target."""

    def __str__(self):
        return self.names[self.source] + self.names[self.target]

    def __repr__(self):
        return f"<Move {self}>"

    def __int__(self):
        return self.source << 8 | self.target

    def __index__(self):
        return self.source << 8 | self.target

    def __hash__(self):
        return self.source << 8 | self.target

    def __eq__(self, other):
        if not isinstance(other, Move):
            return NotImplemented
        cdef Move move = other
        return self.source == move.source and self.target == move.target and self.names == move.names

    def __reduce__(self):
        return _move, (self.source, self.target, self.names)


def _move(source, target, names):
    cdef Move move = Move.__new__(Move)
    move.source, move.target, move.names = source, target, names
    return move


@cython.final
cdef class MoveTable:
    """The moves of a board, each made once; and what a move may be given as."""

    def __init__(self, names):
        self.names = names
        self.squares = {name: index for index, name in enumerate(names)}
        self.known = [None] * (len(names) << 8)

    cdef Move of(self, int packed):
        cdef object move = self.known[packed]
        if move is None:
            move = self.known[packed] = _move(packed >> 8, packed & 255, self.names)
        return <Move>move

    cdef Moves listed(self, const uint16_t *packed, int count):
        """The moves of some packed numbers."""
        cdef Moves moves = Moves.__new__(Moves)
        moves.size = count
        moves.table = self
        if count > FEW:
            moves.many = PyBytes_FromStringAndSize(<const char *>packed, 2 * count)
        else:
            memcpy(moves.few, packed, 2 * count)
        return moves

    cdef int parse(self, object move) except -1:
        """The packed number of a Move, a text such as "a9a10" or a packed number; MalformedMove for anything else."""
        cdef int source, target, count
        if isinstance(move, Move) and (<Move>move).names is self.names:
            return (<Move>move).source << 8 | (<Move>move).target
        count = len(self.names)
        if type(move) is int and 0 <= move < 65536:
            source, target = <int>move >> 8, <int>move & 255
            if source < count and target < count:
                return <int>move
        if isinstance(move, str):
            for length in (2, 3):
                if move[:length] in self.squares and move[length:] in self.squares:
                    return <int>self.squares[move[:length]] << 8 | <int>self.squares[move[length:]]
            raise MalformedMove(
                f"{move!r:.40} is not a move; a move is two squares of the board, like {self.names[0]}{self.names[1]}.",
                move=f"{move:.40}",
            )
        if isinstance(move, Move) and (<Move>move).names != self.names:
            raise MalformedMove(f"{move} is a move of another board.", move=str(move))
        try:
            number = operator.index(move)
        except TypeError:
            raise MalformedMove(f"A move is a Move, a text or a packed number, not {type(move).__name__}.") from None
        source, target = (number >> 8, number & 255) if 0 <= number < 65536 else (255, 255)
        if source >= count or target >= count:
            raise MalformedMove(
                f"{number} is not a move; a packed move is source << 8 | target, with squares from 0 to {count - 1}.",
                move=number,
            )
        return source << 8 | target


@cython.final
@cython.no_gc
@cython.freelist(8)
cdef class Moves:
    """Moves in order, as an immutable sequence; equal to any list of the same moves.

    It holds their numbers: a Move is looked up when it is asked for, since most callers want one of many.
    """

    cdef const uint16_t *_numbers(self) noexcept:
        if self.many is None:
            return self.few
        return <const uint16_t *>PyBytes_AS_STRING(self.many)

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self._all()[index]
        cdef Py_ssize_t place = index
        if place < 0:
            place += self.size
        if not 0 <= place < self.size:
            raise IndexError(f"There is no move {index} in {self.size}.")
        return self.table.of(self._numbers()[place])

    def __iter__(self):
        return iter(self._all())

    def __contains__(self, move):
        return move in self._all()

    def __eq__(self, other):
        if isinstance(other, Moves):
            return self._all() == (<Moves>other)._all()
        return self._all() == other if isinstance(other, list) else NotImplemented

    def __repr__(self):
        return repr(self._all())

    def index(self, move, *bounds):
        """The first place of a move; ValueError where it is not. `bounds` as with a list."""
        return self._all().index(move, *bounds)

    def count(self, move):
        """How often a move is there."""
        return self._all().count(move)

    cdef list _all(self):
        cdef const uint16_t *numbers = self._numbers()
        cdef Py_ssize_t index
        return [self.table.of(numbers[index]) for index in range(self.size)]


Sequence.register(Moves)
