# cython: language_level=3, auto_pickle=False
"""What follows for hidden pieces from what one viewer may know: the kinds they can be, how often, and whole samples.

An assignment gives every piece a kind. It is consistent when each seat's pieces are its roster, every piece started
where its kind may, moved as its kind can, and every battle and every ending that did not happen went as the kinds
decide. Left out is one thing: that a seat which was to move had a move, or had none and was passed over.

A battle between two pieces that are both hidden ties their kinds together. Such ties are taken apart into worlds in
which each piece can be judged for itself, as long as there are at most `MAX_WORLDS`; beyond that kinds are still only
left out when no assignment has them, but counts are upper bounds, and `exact` is False. Samples fit all ties in any
case (see `engine_core.forest`).
"""

cimport cython

from libc.stdint cimport uint32_t

from collections import deque
from fractions import Fraction
from functools import cached_property, lru_cache
from math import prod

from engine_core.assignments import Assignments, matched, possible, usable
from engine_core.errors import StateError
from engine_core.forest import Forest
from engine_core.sampler import Sampler
from engine_core.ties import Ties

MAX_WORLDS = 128
"""Worlds into which ties are taken apart; with more, ties count only as far as single kinds go."""


class Chances:
    """How often a piece is which kind: shared by pieces that nothing tells apart."""

    def __init__(self, counts):
        self.counts = counts
        self._total = sum(counts.values())
        self._known = {}

    def of(self, kind):
        """The share of assignments in which it is a kind."""
        if (chance := self._known.get(kind)) is None:
            chance = self._known[kind] = Fraction(self.counts.get(kind, 0), self._total)
        return chance


@cython.final
cdef class DeducedPiece:
    """A piece whose kind the viewer does not know. Equal by value.

    `origin` is the square on which it started, which names it; `square` where it stands, or None when it has left the
    board; `kinds` what it can still be, in the order of game.kinds.
    """

    cdef readonly int seat
    cdef readonly str origin
    cdef readonly str square
    cdef readonly tuple kinds
    cdef int number
    cdef object chances  # those of a number; those of this one once they were asked for
    cdef bint asked

    def __init__(self, int seat, str origin, str square, tuple kinds, int number, chances):
        self.seat, self.origin, self.square, self.kinds = seat, origin, square, kinds
        self.number, self.chances = number, chances

    def __eq__(self, other):
        if not isinstance(other, DeducedPiece):
            return NotImplemented
        cdef DeducedPiece piece = other
        return self.named() == piece.named() and self.counts == piece.counts

    def __hash__(self):
        return hash(self.named())

    cdef tuple named(self):
        return self.seat, self.origin, self.square, self.kinds

    def __repr__(self):
        return f"DeducedPiece(seat={self.seat}, origin={self.origin!r}, square={self.square!r}, kinds={self.kinds})"

    cdef own(self):
        if not self.asked:
            self.chances = self.chances(self.number)
            self.asked = True
        return self.chances

    @property
    def counts(self):
        """For each kind that it can still be: the number of consistent assignments in which it is that kind."""
        return self.own().counts

    def probability(self, kind):
        """How likely a kind is when all consistent assignments are equally likely; 0 for one that it cannot be."""
        return self.own().of(kind)


class Deduction:
    """What follows from a `Knowledge`: `pieces`, `count` and `exact`. A function of the knowledge alone."""

    def __init__(self, knowledge):
        self._knowledge = knowledge
        self._pieces = knowledge.pieces()
        self._ties = Ties(knowledge)
        self._found = {}
        # The pieces of a seat follow each other.
        self._seats = {seat: slice(*knowledge.numbers(seat)) for seat in knowledge.game.seats}
        self._rosters = {seat: tuple(knowledge.counts(seat)) for seat in self._seats}

    @cached_property
    def _worlds(self):
        """Lists of domains, each a world in which any choice fits all battles; and whether that is so."""
        first = self._narrowed([piece[3] for piece in self._pieces])
        worlds = []
        waiting = deque([] if first is None else [first])
        while waiting and len(worlds) + len(waiting) < MAX_WORLDS:
            domains = waiting.popleft()
            parts = self._ties.split(domains)
            if parts is None:
                worlds.append(domains)
            else:
                waiting += [part for part in map(self._narrowed, parts) if part is not None]
        if waiting and first is not None:
            return [first], False
        return worlds, True

    def _narrowed(self, domains):
        """The domains without what battles, or the number of pieces of a kind, exclude; None when nothing is left."""
        while True:
            narrowed = self._knowledge.narrowed(domains)
            if narrowed is None:
                return None
            again = False
            for seat, numbers in self._seats.items():
                before = narrowed[numbers]
                kept = usable(before, self._rosters[seat])
                if kept is None:
                    return None
                if kept is not before:
                    narrowed[numbers] = kept
                    again = True
            if not again:
                return narrowed
            domains = narrowed

    def _of_seats(self, domains):
        """For each seat that has pieces: their numbers, and their assignments in a world."""
        for seat, numbers in self._seats.items():
            if numbers.start < numbers.stop:
                assignments = _assignments(tuple(domains[numbers]), self._rosters[seat])
                yield list(range(numbers.start, numbers.stop)), assignments

    @cached_property
    def _weights(self):
        """How many assignments each world holds."""
        return [prod(assignments.count for _, assignments in self._of_seats(domains)) for domains in self._worlds[0]]

    @property
    def exact(self):
        """Whether all ties between hidden pieces were used; if not, there can be too many kinds and too high counts."""
        return self._worlds[1]

    @property
    def count(self):
        """The number of consistent assignments."""
        return sum(self._weights)

    @cached_property
    def pieces(self):
        """The pieces whose kinds the viewer does not know, by seat and start square. Counting waits until asked for."""
        game = self._knowledge.game
        kinds = self._possible()
        names = {}
        squares, chances, pieces = game.squares, self._chances, []
        cdef uint32_t domain
        cdef int number, kind
        for number, known in enumerate(self._knowledge.kinds()):
            if known:
                continue
            seat, start, square, _ = self._pieces[number]
            domain = kinds[number]
            if domain not in names:
                names[domain] = tuple([name for kind, name in enumerate(game.kinds) if domain >> kind & 1])
            where = None if square is None else squares[square]
            pieces.append(DeducedPiece(seat, squares[start], where, names[domain], number, chances))
        return tuple(pieces)

    def _possible(self):
        """For each piece the kinds that it has in any assignment, bit 1 << (kind - 1)."""
        found = []
        for domains in self._worlds[0]:
            kinds = []
            for seat, numbers in self._seats.items():
                of_seat = possible(domains[numbers], self._rosters[seat]) if numbers.start < numbers.stop else []
                if of_seat is None:
                    break
                kinds += of_seat
            else:
                found = [one | more for one, more in zip(found, kinds, strict=True)] if found else kinds
        return found or [0] * len(self._pieces)

    def _chances(self, number):
        """Those of a piece; the same ones for the pieces of its seat that can be the same in each world."""
        alike = self._pieces[number][0], tuple([domains[number] for domains in self._worlds[0]])
        if (chances := self._found.get(alike)) is None:
            kinds = self._knowledge.game.kinds
            counts = {kinds[kind]: times for kind, times in sorted(self._counts[number].items())}
            chances = self._found[alike] = Chances(counts)
        return chances

    @cached_property
    def _counts(self):
        """For each piece: in how many assignments it is which kind."""
        counts = [{} for _ in self._pieces]
        for domains, weight in zip(self._worlds[0], self._weights, strict=True):
            if not weight:
                continue
            for numbers, assignments in self._of_seats(domains):
                others = weight // assignments.count
                for number, kinds in zip(numbers, assignments.counts, strict=True):
                    for kind, times in kinds.items():
                        counts[number][kind] = counts[number].get(kind, 0) + times * others
        return counts

    def example(self):
        """Kinds, from 1, for all pieces that fit, found without counting; None when there are none.

        Where `exact` is False they fit each piece, but not all ties.
        """
        for domains in self._worlds[0]:
            kinds = []
            for seat, numbers in self._seats.items():
                found = matched(domains[numbers], self._rosters[seat]) if numbers.start < numbers.stop else []
                if found is None:
                    break
                kinds += [kind + 1 for kind in found]
            else:
                return kinds
        return None

    def sampler(self, seed):
        """A source of consistent assignments. StateError (STATE_EVIDENCE) when there are none."""
        if self.example() is None:
            raise StateError("STATE_EVIDENCE", "No kinds of the hidden pieces fit this knowledge.")
        if not self.exact:
            return Sampler([], self._forest(self._worlds[0][0]), seed)
        worlds = [
            (weight, list(self._of_seats(domains)))
            for domains, weight in zip(self._worlds[0], self._weights, strict=True)
        ]
        return Sampler(worlds, None, seed)

    def _forest(self, domains):
        """Draws of assignments that fit all ties, from domains that they narrow."""
        seats = [piece[0] for piece in self._pieces]
        rosters = [list(roster) for roster in self._rosters.values()]
        return Forest(seats, domains, rosters, self._ties.pairs(domains), self._ties.borrowed(domains))


@lru_cache(maxsize=256)
def _assignments(domains, roster):
    return Assignments(domains, roster)
