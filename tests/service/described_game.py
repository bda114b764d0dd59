"""A game from its description alone: where its squares lie, how they are joined, and which moves there are."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from shinpan.v1 import game_pb2

NORTH_TO_WEST = ((0, 1), (1, 0), (0, -1), (-1, 0))


class DescribedGame:
    """A game as somebody knows it who has nothing but the answer of GetGame."""

    def __init__(self, game: game_pb2.Game) -> None:
        self.game = game
        self.board = game.board
        self.at: dict[tuple[int, int], int] = {}
        self.places: list[list[tuple[int, int]]] = []
        for index, square in enumerate(self.board.squares):
            mine = [(square.file, square.rank), *((place.file, place.rank) for place in square.merged)]
            self.at |= dict.fromkeys(mine, index)
            self.places.append(mine)
        self.roads = {(pair.first, pair.second) for pair in self.board.roads}
        self.roads |= {(second, first) for first, second in self.roads}
        self.rails = {step for line in self.board.rails for step in pairwise(line.squares)}
        self.rails |= {(second, first) for first, second in self.rails}

    def walk(self, square: int, step: tuple[int, int]) -> Iterator[list[int]]:
        """The lines of squares that begin at a square, one for each of its places."""
        for file, rank in self.places[square]:
            here, line = square, []
            while (found := self.at.get((file := file + step[0], rank := rank + step[1]))) is not None:
                if found == here:
                    continue
                if (here, found) not in self.roads:
                    break
                line.append(found)
                here = found
            yield line

    def moves(self, seat: int, men: Mapping[int, tuple[int, int]]) -> set[int]:
        """The moves of a seat; `men` are seat and index of the kind by square."""
        return {
            square << 8 | target
            for square, (owner, kind) in men.items()
            if owner == seat and not self.is_frozen(square)
            for target in self.targets(seat, self.game.kinds[kind].movement, square, men)
        }

    def is_frozen(self, square: int) -> bool:
        terrain = self.board.squares[square].terrain
        return self.game.headquarters_freeze and terrain == game_pb2.TERRAIN_HEADQUARTERS

    def targets(
        self, seat: int, movement: game_pb2.Movement, square: int, men: Mapping[int, tuple[int, int]]
    ) -> set[int]:
        found: set[int] = set()
        forward = list(game_pb2.Direction.values()).index(self.game.seats[seat - 1].forward) - 1
        for turn, reach in enumerate((movement.forward, movement.sideways, movement.backward, movement.sideways)):
            for line in self.walk(square, NORTH_TO_WEST[(forward + turn) % 4]):
                found |= self.run(line[:reach], men)
        if movement.fly:
            found |= set(range(len(self.board.squares)))
        if movement.leap:
            files = {file for file, _ in self.places[square]}
            found |= {target for (file, _), target in self.at.items() if file in files}
        if movement.hop:
            lines = [line for step in NORTH_TO_WEST for line in self.walk(square, step)]
            found |= {line[1] for line in lines if len(line) > 1 and line[0] in men and line[1] not in men}
        if movement.road:
            found |= {target for source, target in self.roads if source == square}
        if movement.rail == game_pb2.RAIL_MOVEMENT_STRAIGHT:
            for squares in (list(line.squares) for line in self.board.rails if square in line.squares):
                place = squares.index(square)
                found |= self.run(squares[place + 1 :], men) | self.run(squares[:place][::-1], men)
        if movement.rail == game_pb2.RAIL_MOVEMENT_TURNING:
            reached = [square]
            for here in reached:
                for target in sorted(target for source, target in self.rails if source == here):
                    found.add(target)
                    if target not in men and target not in reached:
                        reached.append(target)
        return {target for target in found - {square} if target not in men or self.may_attack(seat, target, men)}

    @staticmethod
    def run(line: list[int], men: Mapping[int, tuple[int, int]]) -> set[int]:
        reached = next((place + 1 for place, square in enumerate(line) if square in men), len(line))
        return set(line[:reached])

    def may_attack(self, seat: int, target: int, men: Mapping[int, tuple[int, int]]) -> bool:
        teams = [other.team for other in self.game.seats]
        return (
            self.game.capture_style == game_pb2.CAPTURE_STYLE_DISPLACEMENT
            and self.board.squares[target].terrain != game_pb2.TERRAIN_CAMP
            and teams[men[target][0] - 1] != teams[seat - 1]
        )
