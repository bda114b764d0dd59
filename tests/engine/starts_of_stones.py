"""Positions of stones: shut in, about to be captured in every way, or about to stand in line."""

import random

import oracle
from oracle.movement import SlideOrHop

from .placing import Pieces, free, nobody


def _named(file: int, rank: int) -> str:
    """The square at 0-based co-ordinates; no square of any board outside of this one."""
    return f"{chr(ord('a') + file)}{rank + 1}"


def plain(rules: oracle.Rules) -> str:
    """The kind of an ordinary stone."""
    return rules.kinds[-1]


def trapped_stone(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """Stones in a corner that the other side can shut in with one move."""
    last = rules.board.files - 1
    names = rules.board.names
    corner = generator.choice([(0, 0), (last, 0), (0, last), (last, last)])
    inward = (1 if corner[0] == 0 else -1, 1 if corner[1] == 0 else -1)
    hops = any(isinstance(how, SlideOrHop) for how in rules.movement.values())
    along = 1 if hops else generator.choice([1, 2])

    def at(files: int, ranks: int) -> str:
        square = _named(corner[0] + inward[0] * files, corner[1] + inward[1] * ranks)
        assert square in names
        return square

    seat = generator.choice([1, 2])
    inside = [at(0, 0)] if along == 1 else [at(0, 0), at(1, 0)]
    wall = [at(along, 0), at(0, 1)] if along == 1 else [at(2, 0), at(0, 1), at(1, 1)]
    outside = generator.choice(wall)
    away = generator.randrange(2, 4)
    wall.remove(outside)
    if outside == at(along, 0):
        far = at(along, away)
    else:
        far = at(away + 1, 1) if outside == at(along - 1, 1) else at(0, away)
    wall.append(far)
    wall += [at(2, 0), at(0, 2)] if hops else []
    return {3 - seat: dict.fromkeys(inside, plain(rules)), seat: dict.fromkeys(wall, plain(rules))}


def crossroads(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """Around one empty square runs of enemy stones with a friendly one behind, so that several rays capture at once."""
    width = rules.board.files
    files, ranks = generator.randrange(2, width - 2), generator.randrange(2, width - 2)
    seat = generator.choice([1, 2])
    open_way = generator.randrange(4)
    pieces = nobody(rules)
    for way, (across, up) in enumerate(((0, 1), (1, 0), (0, -1), (-1, 0))):
        length = generator.choice([1, 1, 1, 2])
        run = [0, seat] if way == open_way else [*[3 - seat] * length, seat]
        for distance, owner in enumerate(run, 1):
            square = _named(files + across * distance, ranks + up * distance)
            if owner and square in rules.squares and generator.random() < 0.95:
                pieces[owner][square] = plain(rules)
    return pieces


def cornered_stone(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """A stone in a corner with an enemy on one side, and another that comes to the other side."""
    last = rules.board.files - 1
    corner = generator.choice([(0, 0), (last, 0), (0, last), (last, last)])
    inward = (1 if corner[0] == 0 else -1, 1 if corner[1] == 0 else -1)
    away = generator.randrange(1, last)
    seat = generator.choice([1, 2])
    pieces = nobody(rules)
    pieces[3 - seat][_named(*corner)] = generator.choice(rules.kinds)
    pieces[seat][_named(corner[0] + inward[0], corner[1])] = plain(rules)
    pieces[seat][_named(corner[0] + inward[0] * away, corner[1] + inward[1])] = plain(rules)
    if generator.random() < 0.5:
        return {owner: {_mirrored(square): kind for square, kind in men.items()} for owner, men in pieces.items()}
    return pieces


def _mirrored(square: str) -> str:
    """The square with file and rank exchanged."""
    return _named(int(square[1:]) - 1, ord(square[0]) - ord("a"))


def gap(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """Two stones with a gap between them, and an enemy who can move into it."""
    last = rules.board.files - 1
    file, rank = generator.randrange(1, last), generator.randrange(1, last)
    seat = generator.choice([1, 2])
    pieces = nobody(rules)
    way = generator.choice([(1, 0), (0, 1)])
    for sign in (1, -1):
        pieces[3 - seat][_named(file + sign * way[0], rank + sign * way[1])] = plain(rules)
    far = generator.choice([-rank, last - rank]) if way == (1, 0) else generator.choice([-file, last - file])
    pieces[seat][_named(file + far * way[1], rank + far * way[0])] = plain(rules)
    return pieces


def nearly_in_line(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """Four of five stones in a line in any direction, and the fifth on its way."""
    across, up = generator.choice([(1, 0), (0, 1), (1, 1), (1, -1)])
    last = rules.board.files - 1
    places: list[tuple[int, int]] = []
    while not places or any(not (0 <= file <= last and 0 <= rank <= last) for file, rank in places):
        file, rank = generator.randrange(last + 1), generator.randrange(last + 1)
        places = [(file + across * step, rank + up * step) for step in range(generator.choice([5, 5, 6]))]
    seat = generator.choice([1, 2])
    pieces = nobody(rules)
    file, rank = places.pop(generator.randrange(len(places)))
    pieces[seat] = {_named(*place): plain(rules) for place in places}
    for distance in generator.sample([-4, -3, -2, 2, 3, 4], 3):
        start = _named(file + distance, rank) if up else _named(file, rank + distance)
        if start in rules.squares:
            pieces[seat][start] = plain(rules)
    pieces[3 - seat] = dict.fromkeys(generator.sample(free(rules, pieces), 3), plain(rules))
    return pieces


def many(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """A crowd, so that captures follow one another."""
    squares = generator.sample(rules.squares, 2 * (number := generator.randrange(9, 19)))
    return {1: dict.fromkeys(squares[:number], plain(rules)), 2: dict.fromkeys(squares[number:], plain(rules))}
