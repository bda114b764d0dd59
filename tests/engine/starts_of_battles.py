"""Positions for games with battles: stuck seats, flags on their way, endless chases, borrowed strength."""

import random

import oracle

from .mechanisms import GOALS
from .placing import Pieces, face, free, mobile, neighbours, nobody

CHASED = [("marshal", "general"), ("miner", "miner"), ("scout", "spy")]


def lone_pair(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """One piece each that can move, next to each other, and some that cannot: soon a side is stuck, or both are."""
    pieces = nobody(rules)
    still = [kind for kind in rules.kinds if rules.movement[kind] is None and kind != "flag"]
    kind = generator.choice(mobile(rules))
    face(rules, generator, pieces, kind, generator.choice([kind, generator.choice(mobile(rules))]))
    for seat in rules.all_seats:
        for _ in range(generator.choice([0, 1, 2])):
            if still:
                pieces[seat][generator.choice(free(rules, pieces))] = generator.choice(still)
    return pieces


def runners(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """Flags on their way to the far back row, with a guard about now and then."""
    pieces = nobody(rules)
    for seat in (1, 2):
        if generator.random() < 0.8:
            rank = generator.choice([6, 7, 7])
            rank = rank if seat == 1 else 9 - rank
            square = f"{generator.choice('abcdefghi')}{rank}"
            if square not in pieces[1]:
                pieces[seat][square] = "flag"
    for seat in (1, 2):
        for square in list(pieces[3 - seat]):
            if generator.random() < 0.5:
                around = [s for near in neighbours(rules, square) for s in neighbours(rules, near)]
                spot = generator.choice(around)
                if spot in free(rules, pieces):
                    pieces[seat][spot] = generator.choice(["private", "major", "spy"])
    return pieces


def visitors(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """Pieces one move from an enemy headquarters, sometimes with a defender on it."""
    pieces = nobody(rules)
    for seat, goals in zip((1, 2), GOALS[rules.name], strict=True):
        goal = generator.choice(sorted(goals))
        pieces[seat][generator.choice(neighbours(rules, goal))] = generator.choice(mobile(rules))
        if generator.random() < 0.4:
            pieces[3 - seat][goal] = generator.choice(rules.kinds)
    return pieces


def backed_flag(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """A flag with an own piece behind it, or nothing, and an enemy beside it."""
    pieces = nobody(rules)
    seat = generator.choice([1, 2])
    home = "234" if seat == 1 else "567"
    squares = [square for square in rules.squares if square[1] in home]
    flag = generator.choice(squares)
    pieces[seat][flag] = "flag"
    behind = _behind(rules, flag, seat)
    kinds = [kind for kind in rules.kinds if kind != "flag"]
    if generator.random() < 0.85:
        pieces[seat][behind] = generator.choice(kinds)
    spots = [near for near in neighbours(rules, flag) if near in free(rules, pieces)]
    pieces[3 - seat][generator.choice(spots)] = generator.choice(mobile(rules))
    return pieces


def _behind(rules: oracle.Rules, square: str, seat: int) -> str:
    board = rules.board
    behind = board.towards_home(board.index[square], seat)
    return "" if behind is None else board.names[behind]


def corridor(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """A piece that can only go to and fro between two squares: the two-squares rule leaves it without a move."""
    pieces = nobody(rules)
    for seat in generator.choice([(1,), (2,), (1, 2)]):
        for _ in range(20):
            here = generator.choice(free(rules, pieces))
            there = generator.choice(neighbours(rules, here))
            walls = {*neighbours(rules, here), *neighbours(rules, there)} - {here, there}
            if {there, *walls} <= set(free(rules, pieces)):
                pieces[seat][here] = generator.choice(["marshal", "miner", "scout", "spy"])
                pieces[seat].update(dict.fromkeys(walls, "bomb"))
                break
    return pieces


def hunt(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """A hunter and its prey in a room of two by two or three squares between bombs: the stuff of endless chases."""
    files, ranks = generator.choice([(2, 2), (2, 2), (3, 2), (2, 3)])
    left, bottom = generator.randrange(10 - files), generator.choice([1, 2, 7, 8])
    room = [f"{chr(ord('a') + left + file)}{bottom + rank}" for file in range(files) for rank in range(ranks)]
    around = sorted({near for square in room for near in neighbours(rules, square)} - set(room))
    walls = generator.choice([{1: 1.0, 2: 0.0}, {1: 0.0, 2: 1.0}, {1: 0.5, 2: 0.5}, {1: 0.8, 2: 0.0}])
    pieces = nobody(rules)
    for square in around:
        seat = generator.choice([1, 2])
        if generator.random() < walls[seat] * 2:
            pieces[seat][square] = "bomb"
    hunter, prey, *others = generator.sample([square for square in room if square in rules.squares], 3)
    pieces[1][hunter], pieces[2][prey] = generator.choice(CHASED)
    if generator.random() < 0.3:
        pieces[generator.choice([1, 2])][others[0]] = generator.choice(["general", "scout"])
    return pieces
