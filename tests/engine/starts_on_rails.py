"""Positions for the boards with rails: camps, headquarters, marshals and their flags, seats that cannot move."""

import random

import oracle
from oracle.rails import RailBoard

from .placing import Pieces, enemies, face, free, mobile, neighbours, nobody


def at_a_camp(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """A piece in a camp and another one beside it."""
    pieces = nobody(rules)
    camp = generator.choice(rules.sanctuaries)
    pieces[generator.choice(rules.all_seats)][camp] = generator.choice(mobile(rules))
    pieces[generator.choice(rules.all_seats)][generator.choice(neighbours(rules, camp))] = generator.choice(
        mobile(rules)
    )
    return pieces


def at_headquarters(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """Pieces of anybody on some headquarters."""
    assert isinstance(rules.board, RailBoard)
    pieces = nobody(rules)
    places = sorted(rules.board.everywhere(rules.board.headquarters))
    for place in generator.sample(places, generator.choice([1, 2, 3])):
        men = pieces[generator.choice(rules.all_seats)]
        men[rules.board.names[place]] = generator.choice([*mobile(rules), *({"flag"} - set(men.values()))])
    return pieces


def marshals(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """Marshals about to fall, by each other or by a bomb, and flags."""
    pieces = nobody(rules)
    face(rules, generator, pieces, "marshal", generator.choice(["marshal", "bomb", "mine"]))
    for seat in rules.all_seats:
        pieces[seat][generator.choice(free(rules, pieces))] = "flag"
    return pieces


def flag_under_attack(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """A flag with an enemy beside it."""
    pieces = nobody(rules)
    face(rules, generator, pieces, generator.choice(mobile(rules)), "flag")
    return pieces


def last_movers(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """Two pieces that meet; all else stands still, so that seats are stuck one after the other."""
    pieces = nobody(rules)
    kind = generator.choice(mobile(rules))
    face(rules, generator, pieces, kind, generator.choice([kind, "bomb", "flag"]))
    for seat in rules.all_seats:
        for _ in range(generator.choice([0, 1, 2])):
            pieces[seat][generator.choice(free(rules, pieces))] = "mine"
    if generator.random() < 0.4:
        seat, _ = enemies(rules, generator)
        pieces[seat][generator.choice(free(rules, pieces))] = generator.choice(mobile(rules))
    return pieces
