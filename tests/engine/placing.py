"""Pieces put on squares at random, the stuff of which positions for random matches are made."""

import random

import oracle

Pieces = dict[int, dict[str, str]]
"""For each seat its pieces, square to kind."""

HEADS = ("flag", "leader")
"""Kinds of which a seat has one at most."""


def nobody(rules: oracle.Rules) -> Pieces:
    return {seat: {} for seat in rules.all_seats}


def free(rules: oracle.Rules, pieces: Pieces) -> list[str]:
    taken = {square for men in pieces.values() for square in men}
    return [square for square in rules.squares if square not in taken]


def scatter(rules: oracle.Rules, generator: random.Random, pieces: Pieces, number: int) -> None:
    """So many pieces of each seat anywhere, among them mostly one flag or leader, never two."""
    open_squares = free(rules, pieces)
    generator.shuffle(open_squares)
    head = next((kind for kind in rules.kinds if kind in HEADS), None)
    for men in pieces.values():
        kinds = generator.choices(rules.kinds, k=number)
        if head and number and generator.random() < 0.6:
            kinds.append(head)
        for kind in kinds:
            if open_squares and not (kind in HEADS and kind in men.values()):
                men[open_squares.pop()] = kind


def neighbours(rules: oracle.Rules, square: str) -> list[str]:
    board = rules.board
    return [board.names[near] for near in board.neighbours[board.index[square]]]


def enemies(rules: oracle.Rules, generator: random.Random) -> tuple[int, int]:
    """Two seats that are not on the same side."""
    seat = generator.choice(rules.all_seats)
    side = rules.sides.number
    return seat, generator.choice([other for other in rules.all_seats if side[other] != side[seat]])


def face(rules: oracle.Rules, generator: random.Random, pieces: Pieces, attacker: str, defender: str) -> None:
    """Two pieces next to each other."""
    source = generator.choice(free(rules, pieces))
    targets = [square for square in neighbours(rules, source) if square in free(rules, pieces)]
    seat, enemy = enemies(rules, generator)
    if targets:
        pieces[seat][source] = attacker
        pieces[enemy][generator.choice(targets)] = defender


def mobile(rules: oracle.Rules) -> list[str]:
    return [kind for kind in rules.kinds if rules.movement[kind] is not None and kind != "flag"]
