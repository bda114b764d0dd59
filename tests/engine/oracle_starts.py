"""Positions with few pieces from which rare things happen soon: stuck seats, claims, chases, every sort of battle."""

import random
from collections.abc import Callable

import oracle

Pieces = dict[int, dict[str, str]]

Start = Callable[[oracle.Rules, random.Random], Pieces]

HABITS = ["uniform", "attack", "attack", "shuffle", "chase"]


def sparse(rules: oracle.Rules, generator: random.Random, cells: list[tuple[str, str]]) -> tuple[Pieces, int, str]:
    """Pieces by seat, the seat to move, and how to play on. `cells` are the battles to steer for, attacker first."""
    habit = generator.choice(HABITS)
    if generator.random() < 0.35:
        start = generator.choice(SPECIAL[rules.name])
        pieces = start(rules, generator)
        habit = "chase" if start is hunt else "shuffle" if start is corridor else habit
        scatter(rules, generator, pieces, generator.choice([0, 0, 0, 1, 2]))
    else:
        pieces = {1: {}, 2: {}}
        if cells and generator.random() < 0.8:
            face(rules, generator, pieces, *generator.choice(cells))
        scatter(rules, generator, pieces, generator.choice([1, 2, 4, 6, 9, 14]))
    return pieces, generator.choice([1, 2]), habit


def free(rules: oracle.Rules, pieces: Pieces) -> list[str]:
    return [square for square in rules.squares if square not in pieces[1] and square not in pieces[2]]


def scatter(rules: oracle.Rules, generator: random.Random, pieces: Pieces, number: int) -> None:
    """So many pieces of each seat anywhere, among them mostly one flag or leader, never two."""
    for seat in (1, 2):
        for _ in range(number):
            kind = generator.choice(rules.kinds)
            single = kind in ("flag", "leader")
            if not (single and kind in pieces[seat].values()):
                pieces[seat][generator.choice(free(rules, pieces))] = kind
    for seat in (1, 2) if number else ():
        head = next((kind for kind in rules.kinds if kind in ("flag", "leader")), None)
        if head and head not in pieces[seat].values() and generator.random() < 0.6:
            pieces[seat][generator.choice(free(rules, pieces))] = head


def neighbours(rules: oracle.Rules, square: str) -> list[str]:
    board = rules.board
    return [board.names[near] for near in board.neighbours[board.index[square]]]


def face(rules: oracle.Rules, generator: random.Random, pieces: Pieces, attacker: str, defender: str) -> None:
    """Two pieces next to each other."""
    source = generator.choice(rules.squares)
    target = generator.choice(neighbours(rules, source))
    seat = generator.choice([1, 2])
    pieces[seat][source] = attacker
    pieces[3 - seat][target] = defender


def lone_pair(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """One piece each that can move, next to each other, and some that cannot: soon a side is stuck, or both are."""
    pieces: Pieces = {1: {}, 2: {}}
    mobile = [kind for kind in rules.kinds if rules.movement[kind] is not None and kind != "flag"]
    still = [kind for kind in rules.kinds if rules.movement[kind] is None and kind != "flag"]
    kind = generator.choice(mobile)
    face(rules, generator, pieces, kind, generator.choice([kind, generator.choice(mobile)]))
    for seat in (1, 2):
        for _ in range(generator.choice([0, 1, 2])):
            if still:
                pieces[seat][generator.choice(free(rules, pieces))] = generator.choice(still)
    return pieces


def trapped_stone(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """Stones in a corner that the other side can shut in with one move."""
    last = rules.board.files - 1
    names = rules.board.names
    corner = generator.choice([(0, 0), (last, 0), (0, last), (last, last)])
    inward = (1 if corner[0] == 0 else -1, 1 if corner[1] == 0 else -1)
    along = generator.choice([1, 2])

    def at(files: int, ranks: int) -> str:
        square = f"{chr(ord('a') + corner[0] + inward[0] * files)}{corner[1] + inward[1] * ranks + 1}"
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
    return {3 - seat: dict.fromkeys(inside, "guard"), seat: dict.fromkeys(wall, "guard")}


def runners(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """Flags on their way to the far back row, with a guard about now and then."""
    pieces: Pieces = {1: {}, 2: {}}
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
    """Pieces one step from an enemy headquarters, sometimes with a defender on it."""
    pieces: Pieces = {1: {}, 2: {}}
    for seat, goals in ((1, ("d9", "f9")), (2, ("d1", "f1"))):
        goal = generator.choice(goals)
        mobile = [kind for kind in rules.kinds if rules.movement[kind] is not None]
        pieces[seat][generator.choice(neighbours(rules, goal))] = generator.choice(mobile)
        if generator.random() < 0.4:
            pieces[3 - seat][goal] = generator.choice(rules.kinds)
    return pieces


def corridor(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """A piece that can only go to and fro between two squares: the two-squares rule leaves it without a move."""
    pieces: Pieces = {1: {}, 2: {}}
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
    pieces: Pieces = {1: {}, 2: {}}
    for square in around:
        seat = generator.choice([1, 2])
        if generator.random() < walls[seat] * 2:
            pieces[seat][square] = "bomb"
    hunter, prey, *others = generator.sample([square for square in room if square in rules.squares], 3)
    pieces[1][hunter], pieces[2][prey] = generator.choice(
        [("marshal", "general"), ("miner", "miner"), ("scout", "spy")]
    )
    if generator.random() < 0.3:
        pieces[generator.choice([1, 2])][others[0]] = "captain"
    return pieces


def crossroads(rules: oracle.Rules, generator: random.Random) -> Pieces:
    """Around one empty square runs of enemy stones with a friendly one behind, so that several rays capture at once."""
    width = rules.board.files
    files, ranks = generator.randrange(2, width - 2), generator.randrange(2, width - 2)
    seat = generator.choice([1, 2])
    open_way = generator.randrange(4)
    pieces: Pieces = {1: {}, 2: {}}
    for way, (across, up) in enumerate(((0, 1), (1, 0), (0, -1), (-1, 0))):
        run = [0, seat] if way == open_way else [3 - seat, seat]
        for distance, owner in enumerate(run, 1):
            if owner and generator.random() < 0.95:
                pieces[owner][f"{chr(ord('a') + files + across * distance)}{ranks + up * distance + 1}"] = "guard"
    return pieces


SPECIAL: dict[str, list[Start]] = {
    "hidden-hasami": [trapped_stone, crossroads],
    "salpakan-classic": [runners, lone_pair],
    "hidden-capture-flag": [corridor, lone_pair, hunt, hunt],
    "luzhanqi-mini": [lone_pair],
    "gunjin-shogi": [visitors, lone_pair],
}
