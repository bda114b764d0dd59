"""The board: a grid with voids, its square names, terrain, and how seat 1's squares are turned for the other seats."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from engine_core import schema

MAX_SQUARES = 255
DIRECTIONS: Mapping[str, tuple[int, int]] = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
DIAGONALS: tuple[tuple[int, int], ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_CLOCKWISE = ("north", "east", "south", "west")
_RANGE = re.compile(r"([a-z])([0-9]{1,2})(?:-([a-z])([0-9]{1,2}))?")


class BoardMistake(ValueError):
    """What is wrong with squares of a file, one line each."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Board:
    """Squares are numbered rank by rank from a1, voids left out; a square's index is its place in `squares`."""

    files: int
    ranks: int
    squares: tuple[str, ...]
    camps: frozenset[int]
    headquarters: tuple[frozenset[int], ...]
    """For each seat the squares of its headquarters."""
    forward: tuple[str, ...]
    """For each seat the direction that is forward: north, east, south or west."""
    symmetry: str
    rails: tuple[tuple[int, ...], ...]
    """The rail lines, each as its squares in order."""
    camp_diagonals: bool
    _index: Mapping[tuple[int, int], int]
    _places: Mapping[int, tuple[tuple[int, int], ...]]
    _barriers: frozenset[frozenset[int]]

    @classmethod
    def build(cls, table: schema.BoardTable, seats: schema.SeatsTable) -> "Board":
        """The board of a file; BoardMistake when its squares are wrong."""
        problems: list[str] = []
        grid = cls(table.files, table.ranks, (), frozenset(), (), (), seats.symmetry, (), False, {}, {}, frozenset())
        void = set(grid._coordinates("board.void", table.void, problems))
        merged = grid._merged(table.merged, void, problems)
        places = [
            (file, rank)
            for rank in range(table.ranks)
            for file in range(table.files)
            if (file, rank) not in void and (file, rank) not in merged
        ]
        if not 1 <= len(places) <= MAX_SQUARES:
            problems.append(f"board: {len(places)} squares; a board has 1 to {MAX_SQUARES}")
        if seats.symmetry == "quarter-turn" and table.files != table.ranks:
            problems.append("seats.symmetry: 'quarter-turn' needs as many files as ranks")
        if problems:
            raise BoardMistake(problems)
        index = {place: number for number, place in enumerate(places)}
        index |= {place: index[main] for place, main in merged.items()}
        of = {number: tuple(place for place in index if index[place] == number) for number in range(len(places))}
        names = tuple(f"{chr(ord('a') + file)}{rank + 1}" for file, rank in places)
        forward = cls._forward(seats)
        bare = cls(
            table.files, table.ranks, names, frozenset(), (), forward, seats.symmetry, (), False, index, of, frozenset()
        )
        camps = bare._resolve("board.camps", table.camps, problems)
        barriers = {bare._barrier(pair, problems) for pair in table.barriers}
        rails = tuple(bare._rail(number, stops, problems) for number, stops in enumerate(table.rails))
        if problems:
            raise BoardMistake(problems)
        headquarters = bare.seat_squares("board.headquarters", table.headquarters)
        for square in range(len(places)):
            owners = sum(square in squares for squares in headquarters)
            if owners > 1 or (owners and square in camps):
                other = "a camp" if square in camps else "another seat's, too"
                problems.append(f"board.headquarters: {names[square]} is {other}")
        if problems:
            raise BoardMistake(problems)
        return replace(
            bare,
            camps=camps,
            headquarters=headquarters,
            rails=rails,
            camp_diagonals=table.camp_diagonals,
            _barriers=frozenset(barriers),
        )

    def _merged(
        self, table: Mapping[str, schema.SquareSet], void: set[tuple[int, int]], problems: list[str]
    ) -> dict[tuple[int, int], tuple[int, int]]:
        """The places that are one with another place, and which."""
        merged: dict[tuple[int, int], tuple[int, int]] = {}
        mains = {main: self._coordinates("board.merged", [main], problems) for main in table}
        kept = {place for places in mains.values() for place in places}
        for main, squares in table.items():
            for place in self._coordinates(f"board.merged.{main}", squares, problems):
                if place in void or place in merged or place in kept or kept & void:
                    name = f"{chr(ord('a') + place[0])}{place[1] + 1}"
                    problems.append(f"board.merged.{main}: {name} is void, or part of another square already")
                elif mains[main]:
                    merged[place] = mains[main][0]
        return merged

    def _barrier(self, pair: str, problems: list[str]) -> frozenset[int]:
        """The two squares of a barrier, which are neighbours."""
        joined = self._resolve("board.barriers", pair.split("-"), problems)
        first = min(joined, default=None)
        if first is not None and not any(
            joined == {first, *ray[:1]} for way in DIRECTIONS for ray in self.rays(first, way)
        ):
            problems.append(f"board.barriers: {pair!r} is no pair of neighbours")
        return joined

    def _rail(self, number: int, stops: schema.SquareSet, problems: list[str]) -> tuple[int, ...]:
        """A rail line: straight from stop to stop over the squares between, around a corner where they are askew."""
        where = f"board.rails[{number}]"
        line: list[int] = []
        for (file, rank), (to_file, to_rank) in pairwise(self._coordinates(where, stops, problems)):
            straight = file == to_file or rank == to_rank
            steps = max(abs(to_file - file), abs(to_rank - rank)) if straight else 1
            for step in range(steps + 1):
                place = (file + (to_file - file) * step // steps, rank + (to_rank - rank) * step // steps)
                square = self.at(*place)
                if square is not None and square not in line[-1:]:
                    line.append(square)
        if len(set(line)) != len(line) or len(line) < 2:
            problems.append(f"{where}: a line runs over at least two squares, and over each once")
        return tuple(line)

    def roads(self, square: int) -> frozenset[int]:
        """The squares that a road or a rail joins to this one."""
        joined = {ray[0] for direction in DIRECTIONS for ray in self.rays(square, direction)}
        file, rank = self.place(square)
        if self.camp_diagonals:
            around = {self.at(file + df, rank + dr) for df, dr in DIAGONALS} - {None}
            joined |= {other for other in around if other is not None and (square in self.camps or other in self.camps)}
        return frozenset(joined) | self.rail_neighbours(square)

    def rail_neighbours(self, square: int) -> frozenset[int]:
        """The next squares on all rail lines through this one."""
        pairs = [pair for line in self.rails for pair in pairwise(line) if square in pair]
        return frozenset(other for pair in pairs for other in pair if other != square)

    def rail_rays(self, square: int) -> tuple[tuple[int, ...], ...]:
        """The rail lines from a square, in both directions; none that is the beginning of another."""
        rays = set()
        for line in self.rails:
            if square in line:
                place = line.index(square)
                rays |= {line[place + 1 :], line[:place][::-1]}
        rays.discard(())
        return tuple(sorted(r for r in rays if not any(o != r and o[: len(r)] == r for o in rays)))

    @staticmethod
    def _forward(seats: schema.SeatsTable) -> tuple[str, ...]:
        turned = {"half-turn": (0, 2, 0, 2), "quarter-turn": (0, 1, 2, 3), "none": (0, 2, 0, 2)}[seats.symmetry]
        problems = []
        if seats.symmetry == "half-turn" and seats.count != 2:
            problems.append("seats.symmetry: 'half-turn' is for two seats; use 'quarter-turn' or 'none'")
        for seat in seats.forward:
            if int(seat) > seats.count:
                problems.append(f"seats.forward: there is no seat {seat}; seats are 1 to {seats.count}")
        if problems:
            raise BoardMistake(problems)
        return tuple(
            next((d for key, d in seats.forward.items() if int(key) == seat), _CLOCKWISE[turned[seat - 1]])
            for seat in range(1, seats.count + 1)
        )

    def place(self, square: int) -> tuple[int, int]:
        """File and rank of a square, from 0."""
        name = self.squares[square]
        return ord(name[0]) - ord("a"), int(name[1:]) - 1

    def at(self, file: int, rank: int) -> int | None:
        """The square on a file and rank (from 0), or None where the board has none."""
        return self._index.get((file, rank))

    def rays(self, square: int, direction: str) -> tuple[tuple[int, ...], ...]:
        """The squares from `square` in a direction: one ray for each of the grid's squares that it is merged of."""
        found = dict.fromkeys(self._walk(place, DIRECTIONS[direction]) for place in self._places[square])
        return tuple(ray for ray in found if ray)

    def ray(self, square: int, direction: str) -> tuple[int, ...]:
        """The first of its rays, nearest square first, up to the edge, a void or a barrier; empty without one."""
        return next(iter(self.rays(square, direction)), ())

    def behind(self, square: int, seat: int) -> int | None:
        """The square right behind one, as a seat looks at it, whatever lies between; None at the edge."""
        step = DIRECTIONS[self.turned(seat, "backward")]
        nearest = (self.at(file + step[0], rank + step[1]) for file, rank in self._places[square])
        return next((found for found in nearest if found not in (None, square)), None)

    def run(self, square: int, step: tuple[int, int]) -> tuple[int, ...]:
        """The squares from `square` in steps of so many files and ranks, nearest first."""
        return self._walk(self.place(square), step)

    def _walk(self, place: tuple[int, int], step: tuple[int, int]) -> tuple[int, ...]:
        file, rank = place
        here = self._index[place]
        ray: list[int] = []
        while (found := self.at(file := file + step[0], rank := rank + step[1])) is not None:
            if found == here:
                continue  # within one merged square
            if frozenset((here, found)) in self._barriers:
                break
            ray.append(found)
            here = found
        return tuple(ray)

    def file_squares(self, square: int) -> tuple[int, ...]:
        """All other squares on the file or files of a square."""
        files = {file for file, _ in self._places[square]}
        return tuple(sorted({found for (file, _), found in self._index.items() if file in files and found != square}))

    def is_corner(self, square: int) -> bool:
        """Whether a square is in a corner of the grid."""
        file, rank = self.place(square)
        return file in (0, self.files - 1) and rank in (0, self.ranks - 1)

    def turned(self, seat: int, way: str) -> str:
        """The direction that is "forward", "backward", "left" or "right" to a seat."""
        steps = {"forward": 0, "right": 1, "backward": 2, "left": 3}[way]
        return _CLOCKWISE[(_CLOCKWISE.index(self.forward[seat - 1]) + steps) % 4]

    def seat_squares(self, where: str, given: schema.SeatSquares) -> tuple[frozenset[int], ...]:
        """For each seat its squares: those given for it, or seat 1's turned by the symmetry of the board."""
        problems: list[str] = []
        count = len(self.forward)
        result: list[frozenset[int]] = []
        if isinstance(given, dict):
            for seat in range(1, count + 1):
                squares = next((s for key, s in given.items() if int(key) == seat), None)
                if squares is None:
                    problems.append(f"{where}: nothing for seat {seat}; give a list for each seat from 1 to {count}")
                else:
                    result.append(self._resolve(f"{where}.{seat}", squares, problems))
            for key in given:
                if int(key) > count:
                    problems.append(f"{where}: there is no seat {key}; seats are 1 to {count}")
        elif self.symmetry == "none" and given:
            problems.append(f"{where}: symmetry is 'none', so give a table with a list for each seat from 1 to {count}")
        else:
            first = self._resolve(where, given, problems)
            for seat in range(1, count + 1):
                turned = {square: self._turn(square, seat) for square in first}
                for square, image in turned.items():
                    if image is None:
                        problems.append(f"{where}: {self.squares[square]} turned for seat {seat} is not on the board")
                result.append(frozenset(image for image in turned.values() if image is not None))
        if problems:
            raise BoardMistake(problems)
        return tuple(result)

    def _turn(self, square: int, seat: int) -> int | None:
        file, rank = self.place(square)
        if self.symmetry == "half-turn" and seat == 2:
            return self.at(self.files - 1 - file, self.ranks - 1 - rank)
        for _ in range(seat - 1):  # a quarter turn clockwise for each seat, seen from above
            file, rank = rank, self.files - 1 - file
        return self.at(file, rank)

    def _resolve(self, where: str, given: schema.SquareSet, problems: list[str]) -> frozenset[int]:
        found = set()
        for place in dict.fromkeys(self._coordinates(where, given, problems)):
            square = self.at(*place)
            if square is not None:
                found.add(square)
            else:
                problems.append(f"{where}: {chr(ord('a') + place[0])}{place[1] + 1} is not a square of the board")
        return frozenset(found)

    def _coordinates(self, where: str, given: schema.SquareSet, problems: list[str]) -> list[tuple[int, int]]:
        places: list[tuple[int, int]] = []
        for text in given:
            match = _RANGE.fullmatch(text)
            assert match is not None, "the schema has checked the pattern"
            file, rank = ord(match[1]) - ord("a"), int(match[2]) - 1
            last_file, last_rank = (ord(match[3]) - ord("a"), int(match[4]) - 1) if match[3] else (file, rank)
            if not (0 <= file <= last_file < self.files and 0 <= rank <= last_rank < self.ranks):
                problems.append(
                    f"{where}: {text!r} is not on the board of {self.files} files and {self.ranks} ranks"
                    " (a rectangle goes from its lower left to its upper right square)"
                )
                continue
            places += [(f, r) for r in range(rank, last_rank + 1) for f in range(file, last_file + 1)]
        return places
