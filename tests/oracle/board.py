"""The squares of a rectangular board and the lines along which they are joined."""

from collections.abc import Iterable, Mapping
from functools import cache, cached_property

Place = tuple[int, int]
"""0-based file and rank."""

DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def square_name(file: int, rank: int) -> str:
    """The algebraic name of 0-based co-ordinates."""
    return f"{chr(ord('a') + file)}{rank + 1}"


def place_of(name: str) -> Place:
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


@cache
def _moves_between(names: tuple[str, ...]) -> tuple[list[list[str]], dict[str, tuple[int, int]]]:
    """All moves by their squares, and the other way round; boards of the same squares share them."""
    moves = [[origin + target for target in names] for origin in names]
    return moves, {move: (one, other) for one, row in enumerate(moves) for other, move in enumerate(row)}


class Board:
    """Squares are numbered from a1 along the ranks; holes get no number at all."""

    def __init__(
        self,
        files: int,
        ranks: int,
        holes: Iterable[str] = (),
        seats: int = 2,
        doubled: Mapping[str, str] | None = None,
        walls: Iterable[tuple[str, str]] = (),
    ) -> None:
        """`doubled` are places that belong to another square, `walls` are between places."""
        self.files = files
        self.ranks = ranks
        self.seats = seats
        gaps = {place_of(name) for name in (*holes, *(doubled or {}))}
        every = [(file, rank) for rank in range(ranks) for file in range(files)]
        self._places = [place for place in every if place not in gaps]
        self._number = {place: square for square, place in enumerate(self._places)}
        for name, other in (doubled or {}).items():
            self._number[place_of(name)] = self._number[place_of(other)]
        self._places_of: list[list[Place]] = [[] for _ in self._places]
        """For each square the places that it takes up."""
        for place, square in self._number.items():
            self._places_of[square].append(place)
        self._walls = {frozenset(map(place_of, wall)) for wall in walls}
        self.names = tuple(square_name(*place) for place in self._places)
        self.index = {name: square for square, name in enumerate(self.names)}
        self.size = len(self.names)
        self.directed_rays = tuple(self._rays_from(square) for square in range(self.size))
        """From each square the straight ways over neighbouring squares, with their directions."""
        self.rays = tuple(tuple(ray for _, ray in rays) for rays in self.directed_rays)
        self.neighbours = tuple(tuple(dict.fromkeys(ray[0] for ray in rays)) for rays in self.rays)
        self.move_names, self.move_squares = _moves_between(self.names)
        self._both_ways: dict[tuple[int, Place], tuple[tuple[int, ...], tuple[int, ...]]] = {}

    def _rays_from(self, square: int) -> tuple[tuple[Place, tuple[int, ...]], ...]:
        # A doubled square has rays from both of its places, and those along itself are the same.
        rays = {(step, self._ray(place, step)): None for step in DIRECTIONS for place in self._places_of[square]}
        return tuple((step, ray) for step, ray in rays if ray)

    def _ray(self, place: Place, step: Place, over_walls: bool = False) -> tuple[int, ...]:
        ray: list[int] = []
        here = self._number[place]
        while True:
            ahead = place[0] + step[0], place[1] + step[1]
            if ahead not in self._number:
                return tuple(ray)
            if self._walls and not over_walls and frozenset((place, ahead)) in self._walls:
                return tuple(ray)
            place = ahead
            if self._number[place] != here:
                here = self._number[place]
                ray.append(here)

    def rows(self, seat: int, ranks: Iterable[int]) -> list[int]:
        """The squares of these ranks, counted by the seat from its own back row (0)."""
        wanted = set(ranks)
        mine = [self.names[square] for square, (_, rank) in enumerate(self._places) if rank in wanted]
        return sorted(self.for_seat(mine, seat))

    def back_row(self, seat: int) -> frozenset[int]:
        return frozenset(self.rows(seat, [0]))

    def for_seat(self, names: Iterable[str], seat: int) -> frozenset[int]:
        """Squares named from seat 1's side, turned to where another seat has them."""
        return frozenset(self.turned(name, seat) for name in names)

    def turned(self, name: str, seat: int) -> int:
        """The square that is to a seat what the named one is to seat 1: seats go round clockwise."""
        (file, rank), width, height = place_of(name), self.files, self.ranks
        for _ in range((seat - 1) * 4 // self.seats):
            file, rank, width, height = rank, width - 1 - file, height, width
        return self._number[file, rank]

    def towards_home(self, square: int, seat: int) -> int | None:
        """The square directly behind one, as a seat of two sees it."""
        file, rank = self._places[square]
        return self._number.get((file, rank - 1 if seat == 1 else rank + 1))

    def both_ways(self, square: int, axis: Place) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The squares on either side along any straight line, diagonals too."""
        known = self._both_ways.get((square, axis))
        if known is None:
            place, back = self._places[square], (-axis[0], -axis[1])
            known = self._both_ways[square, axis] = self._ray(place, axis), self._ray(place, back)
        return known

    @cached_property
    def columns(self) -> tuple[frozenset[int], ...]:
        """For each square the others on its file, or its files, whatever lies between."""
        steps = ((0, 1), (0, -1))
        return tuple(
            frozenset(at for place in self._places_of[square] for step in steps for at in self._ray(place, step, True))
            for square in range(self.size)
        )

    @cached_property
    def borders(self) -> dict[tuple[int, int], int]:
        """For each straight move a bit mask of the borders that it crosses."""
        bits: dict[frozenset[int], int] = {}
        crossed = {}
        for origin, rays in enumerate(self.rays):
            for ray in rays:
                mask, here = 0, origin
                for target in ray:
                    mask |= bits.setdefault(frozenset((here, target)), 1 << len(bits))
                    crossed[origin, target] = mask
                    here = target
        return crossed
