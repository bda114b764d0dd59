"""The Luzhanqi boards, of two seats and of four: roads, rails, camps, and moving on them."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

from .board import Board, Place, place_of, square_name

ZONE_FILES, ZONE_ROWS = 5, 6

Edge = frozenset[int]


class RailBoard(Board):
    """A zone for every seat, all alike. `left` is the file of a zone's left column, as seat 1 names it.

    The zones meet across the centre posts, if there are any, and with four seats also round the corners.
    """

    def __init__(self, files: int, ranks: int, seats: int, left: str, centre: Iterable[str] = ()) -> None:
        self._left = ord(left) - ord("a")
        zone = [self._in_zone(file, row) for file in range(ZONE_FILES) for row in range(ZONE_ROWS)]
        outline = Board(files, ranks, seats=seats)
        posts = {outline.names[outline.turned(name, seat)] for name in zone for seat in range(1, seats + 1)}
        self.centre = tuple(centre)
        posts.update(self.centre)
        super().__init__(files, ranks, holes=set(outline.names) - posts, seats=seats)
        self.camps = tuple(self._in_zone(file, row) for file, row in ((1, 2), (3, 2), (2, 3), (1, 4), (3, 4)))
        """Of seat 1's zone, as are the headquarters."""
        self.headquarters = (self._in_zone(1, 0), self._in_zone(3, 0))
        self.lines = self._rail_lines()
        """The rails, each as the posts over which a straight mover may run."""
        self.rails = {frozenset(pair) for line in self.lines for pair in pairwise(line)}
        self.roads = self._zone_roads() - self.rails
        self.neighbours = self._joined_by(self.rails | self.roads)
        self.road_steps = self._joined_by(self.roads)
        self.rail_steps = self._joined_by(self.rails)
        self.rays = tuple(self._runs_from(post) for post in range(self.size))
        """From each post the straight ways along its rails."""

    def everywhere(self, names: Iterable[str]) -> frozenset[int]:
        """The same posts of all the zones."""
        posts = list(names)
        return frozenset(self.turned(name, seat) for name in posts for seat in range(1, self.seats + 1))

    def _in_zone(self, file: int, row: int) -> str:
        return square_name(self._left + file, row)

    def _zone_roads(self) -> set[Edge]:
        """All orthogonal neighbours of a zone are joined, and a camp to its diagonal ones."""
        pairs: list[tuple[Place, Place]] = []
        for file in range(ZONE_FILES):
            for row in range(ZONE_ROWS):
                pairs += [((file, row), (file + 1, row)), ((file, row), (file, row + 1))]
        for camp in self.camps:
            file, row = place_of(camp)
            here = file - self._left, row
            pairs += [(here, (here[0] + across, row + up)) for across in (-1, 1) for up in (-1, 1)]
        inside = [
            [self._in_zone(*place) for place in pair]
            for pair in pairs
            if pair[1][0] < ZONE_FILES and pair[1][1] < ZONE_ROWS
        ]
        return {self.for_seat(pair, seat) for pair in inside for seat in range(1, self.seats + 1)}

    def _rail_lines(self) -> list[tuple[int, ...]]:
        rows = range(1, ZONE_ROWS)
        left = [self._in_zone(0, row) for row in rows]
        right = [self._in_zone(ZONE_FILES - 1, row) for row in rows]
        second, front = ([self._in_zone(file, row) for file in range(ZONE_FILES)] for row in (1, ZONE_ROWS - 1))
        lines = []
        for seat in range(1, self.seats + 1):
            opposite = (seat - 1 + self.seats // 2) % self.seats + 1
            lines += [self._line((second, seat)), self._line((front, seat))]
            lines.append(self._line((left, seat), (self._ahead(0), seat), (right[::-1], opposite)))
            if seat < opposite:  # the middle line is the same from its other end
                lines.append(self._line((front[2:3], seat), (self._ahead(2), seat), (front[2:3], opposite)))
            if self.seats == 4:
                lines.append(self._line((left, seat), (right[::-1], seat % self.seats + 1)))
        return lines

    def _ahead(self, file: int) -> list[str]:
        """The centre posts straight ahead of a zone's file, from near to far."""
        return [name for name in self.centre if place_of(name)[0] == self._left + file]

    def _line(self, *parts: tuple[Sequence[str], int]) -> tuple[int, ...]:
        """Posts one after the other; each part is named from seat 1's side and turned to its own seat."""
        return tuple(self.turned(name, seat) for names, seat in parts for name in names)

    def _joined_by(self, edges: Iterable[Edge]) -> tuple[tuple[int, ...], ...]:
        joined: list[list[int]] = [[] for _ in range(self.size)]
        for one, other in edges:
            joined[one].append(other)
            joined[other].append(one)
        return tuple(tuple(sorted(posts)) for posts in joined)

    def _runs_from(self, post: int) -> tuple[tuple[int, ...], ...]:
        runs: dict[tuple[int, ...], None] = {}
        for line in self.lines:
            if post in line:
                at = line.index(post)
                runs.update({line[at + 1 :]: None, line[:at][::-1]: None})
        return tuple(run for run in runs if run)


@cache
def two_seats() -> RailBoard:
    return RailBoard(ZONE_FILES, 2 * ZONE_ROWS, seats=2, left="a")


@cache
def four_seats() -> RailBoard:
    """A cross with a centre of nine posts."""
    centre = [f"{file}{rank}" for rank in (7, 9, 11) for file in "gik"]
    return RailBoard(17, 17, seats=4, left="g", centre=centre)


class RailRun:
    """A step by road or rail, or a straight run along a rail; `side` has the team of each seat."""

    def __init__(self, board: RailBoard, side: Sequence[int]) -> None:
        self._roads = board.road_steps
        self._runs = board.rays
        self._side = side

    def destinations(self, square: int, seat: int, owner: Sequence[int]) -> set[int]:
        side, own = self._side, self._side[seat]
        reached = {target for target in self._roads[square] if side[owner[target]] != own}
        for run in self._runs[square]:
            for target in run:
                if owner[target]:
                    if side[owner[target]] != own:
                        reached.add(target)
                    break
                reached.add(target)
        return reached


class EngineerRun:
    """A step by road, or any way over rails that are free up to its end."""

    def __init__(self, board: RailBoard, side: Sequence[int]) -> None:
        self._roads = board.road_steps
        self._rails = board.rail_steps
        self._side = side

    def destinations(self, square: int, seat: int, owner: Sequence[int]) -> set[int]:
        rails, side, own = self._rails, self._side, self._side[seat]
        reached = {square}
        border = [square]
        while border:
            for target in rails[border.pop()]:
                if target in reached:
                    continue
                if not owner[target]:
                    reached.add(target)
                    border.append(target)
                elif side[owner[target]] != own:
                    reached.add(target)
        reached.discard(square)
        reached.update([target for target in self._roads[square] if side[owner[target]] != own])
        return reached
