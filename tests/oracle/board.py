"""The squares of a rectangular board and the lines along which they are joined."""

from collections.abc import Iterable
from functools import cached_property

DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0))


def square_name(file: int, rank: int) -> str:
    """The algebraic name of 0-based co-ordinates."""
    return f"{chr(ord('a') + file)}{rank + 1}"


class Board:
    """Squares are numbered from a1 along the ranks; holes get no number at all."""

    def __init__(self, files: int, ranks: int, holes: Iterable[str] = ()) -> None:
        self.files = files
        self.ranks = ranks
        gaps = set(holes)
        self._places = [
            (file, rank) for rank in range(ranks) for file in range(files) if square_name(file, rank) not in gaps
        ]
        self._number = {place: square for square, place in enumerate(self._places)}
        self.names = tuple(square_name(*place) for place in self._places)
        self.index = {name: square for square, name in enumerate(self.names)}
        self.size = len(self.names)
        self.rays = tuple(self._rays_from(place) for place in self._places)
        self.neighbours = tuple(tuple(ray[0] for ray in rays) for rays in self.rays)
        self.move_names = [[origin + target for target in self.names] for origin in self.names]
        self.move_squares = {
            self.move_names[origin][target]: (origin, target)
            for origin in range(self.size)
            for target in range(self.size)
        }

    def _rays_from(self, place: tuple[int, int]) -> tuple[tuple[int, ...], ...]:
        rays = []
        for file_step, rank_step in DIRECTIONS:
            file, rank = place[0] + file_step, place[1] + rank_step
            ray = []
            while (file, rank) in self._number:
                ray.append(self._number[file, rank])
                file, rank = file + file_step, rank + rank_step
            if ray:
                rays.append(tuple(ray))
        return tuple(rays)

    def rows(self, seat: int, ranks: Iterable[int]) -> list[int]:
        """The squares of these ranks, counted by the seat from its own back row (0)."""
        wanted = {rank if seat == 1 else self.ranks - 1 - rank for rank in ranks}
        return [square for square, (_, rank) in enumerate(self._places) if rank in wanted]

    def back_row(self, seat: int) -> frozenset[int]:
        return frozenset(self.rows(seat, [0]))

    def for_seat(self, names: Iterable[str], seat: int) -> frozenset[int]:
        """Squares named from seat 1's side, turned by half a circle for seat 2."""
        squares = [self.index[name] for name in names]
        if seat == 2:
            squares = [self._turned(square) for square in squares]
        return frozenset(squares)

    def _turned(self, square: int) -> int:
        file, rank = self._places[square]
        return self._number[self.files - 1 - file, self.ranks - 1 - rank]

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
