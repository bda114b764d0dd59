# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False
"""Draws of kinds for all pieces of a deduction, all consistent assignments as likely as each other."""

cimport cython

from itertools import accumulate

from engine_core.assignments cimport Assignments
from engine_core.splitmix cimport next_random

MAX_DRAWS = 1_000_000
"""Draws that a forest may take for all samples of one seed: a second's work, in which others go on."""


@cython.final
cdef class Sampler:
    """`worlds`: for each its weight and, for each seat, its pieces' numbers and their assignments.

    `forest`: draws from it instead, where it is given. `seed`: any integer.
    """

    def __init__(self, list worlds, Forest forest, seed):
        total = sum([weight for weight, _ in worlds])
        self.worlds = [seats for weight, seats in worlds if weight]
        passed = accumulate([weight for weight, _ in worlds if weight])
        self.upto = [(weight << 64) // total for weight in passed]
        self.forest = forest
        self.seed = seed & 0xFFFFFFFFFFFFFFFF
        self.left = MAX_DRAWS

    cdef bint draw(self, uint8_t *kinds) except -1:
        """Write a kind, from 1, for each piece. False when all draws have been made and none fits."""
        cdef uint8_t drawn[256]
        cdef int world = 0, place, made
        cdef Assignments assignments
        if self.forest is not None:
            with nogil:
                made = self.forest.draw(&self.seed, kinds, self.left)
            self.left -= made
            return made > 0
        if len(self.worlds) > 1:
            pick = next_random(&self.seed)
            while self.upto[world] <= pick:
                world += 1
        for numbers, held in <list>self.worlds[world]:
            assignments = held
            assignments.draw(&self.seed, drawn)
            for place in range(len(<list>numbers)):
                kinds[<int>(<list>numbers)[place]] = drawn[place] + 1
        return True
