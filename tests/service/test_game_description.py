"""GetGame tells all that is needed to play: moves worked out from its answer alone are those of the engine."""

import random
from collections.abc import Iterator, Mapping
from itertools import pairwise

import pytest
from contract import SEED, Contract
from shinpan.v1 import game_pb2, referee_service_pb2

import engine_core
from service import game_messages

GAMES = engine_core.games()
NORTH_TO_WEST = ((0, 1), (1, 0), (0, -1), (-1, 0))


class Reader:
    """A game as somebody sees it who has nothing but its description."""

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


def variants(game_id: str) -> Iterator[engine_core.Game]:
    """A game with its defaults, and with each other value of each option."""
    game = engine_core.load(game_id)
    yield game
    for option in game.ruleset.options:
        for value in option.values[1:]:
            yield engine_core.load(game_id, **{option.name: value.replace("N", "99")})


def positions(game: engine_core.Game, rng: random.Random, count: int) -> Iterator[dict[int, dict[str, str]]]:
    """Random positions of a part of each roster, so few that lines are open, or so many that they are not."""
    roster = [kind.id for kind in game.ruleset.kinds for _ in range(kind.count)]
    for _ in range(count):
        free = rng.sample(game.squares, len(game.squares))
        most = rng.choice((2, 4, 12))
        yield {seat: {free.pop(): kind for kind in rng.sample(roster, min(most, len(roster)))} for seat in game.seats}


@pytest.mark.parametrize("game_id", GAMES)
def test_moves_follow_from_the_description(game_id: str) -> None:
    print(f"seed {SEED}")
    rng = random.Random(f"{SEED} {game_id}")
    compared = 0
    for game in variants(game_id):
        reader = Reader(game_messages.describe(game))
        index = {name: number for number, name in enumerate(game.squares)}
        kinds = {name: number for number, name in enumerate(game.kinds)}
        for pieces in positions(game, rng, 30):
            seat = rng.choice(list(game.seats))
            try:
                state = game.position(pieces, seat)
            except engine_core.RefereeError:
                continue  # has ended, or cannot be
            if state.phase != "play" or state.to_move != seat:
                continue
            men = {index[square]: (owner, kinds[kind]) for owner, own in pieces.items() for square, kind in own.items()}
            assert reader.moves(seat, men) == {int(move) for move in state.legal_moves()}, (game, pieces, seat)
            compared += 1
    assert compared >= 25


@pytest.mark.parametrize("game_id", GAMES)
def test_description_is_that_of_the_rules(contract: Contract, game_id: str) -> None:
    for game in variants(game_id):
        rules, board = game.ruleset, game.ruleset.board
        request = referee_service_pb2.GetGameRequest(game=game_id, options=game.options)
        told = contract.referee.GetGame(request).game
        assert told == game_messages.describe(game)
        joined = {frozenset((a, b)) for a in range(len(board.squares)) for b in board.roads(a)}
        assert {frozenset((pair.first, pair.second)) for pair in told.board.roads} == joined
        assert len(told.board.roads) == len(joined)
        assert [tuple(line.squares) for line in told.board.rails] == list(board.rails)
        covered = [(place.file - 1, place.rank - 1) for square in told.board.squares for place in square.merged]
        assert all(board.at(*place) is not None for place in covered)
        for kind, row in zip(rules.kinds, told.kinds, strict=True):
            movement = kind.movement
            assert (row.movement.hop, row.movement.leap, row.movement.road) == (
                movement.hop,
                movement.leap,
                movement.road,
            )
            name = game_pb2.RailMovement.Name(row.movement.rail).removeprefix("RAIL_MOVEMENT_").lower()
            assert name == {"no": "none"}.get(movement.rail, movement.rail)
        combat = rules.combat
        shows = [(shown.removed_kind - 1, shown.shown_kind - 1) for shown in told.combat.death_shows]
        assert shows == ([] if combat is None else list(combat.death_shows))
        borrowing = [kind - 1 for kind in told.combat.borrowing_kinds]
        assert borrowing == ([] if combat is None else list(combat.borrows))
        assert (told.headquarters_freeze, told.partner_view) == (rules.headquarters_freeze, rules.partner_view)


@pytest.mark.parametrize(
    ("game_id", "roads", "rails", "lines"),
    [("luzhanqi", 133, 35, 7), ("luzhanqi-tournament", 133, 35, 7), ("luzhanqi-four", 288, 92, 18)],
)
def test_roads_and_rails_of_luzhanqi(game_id: str, roads: int, rails: int, lines: int) -> None:
    board = game_messages.describe(engine_core.load(game_id)).board
    pairs = {frozenset(step) for line in board.rails for step in pairwise(line.squares)}
    assert (len(board.roads), len(pairs), len(board.rails)) == (roads, rails, lines)
    assert pairs <= {frozenset((pair.first, pair.second)) for pair in board.roads}


def test_a_new_rule_of_each_sort_is_told() -> None:
    """Each new field is filled for some game; a description that lacks one would pass unnoticed otherwise."""
    told = [game_messages.describe(game) for game_id in GAMES for game in variants(game_id)]
    movements = [kind.movement for game in told for kind in game.kinds]
    for field in ("hop", "leap", "road", "fly"):
        assert any(getattr(movement, field) for movement in movements), field
    assert {movement.rail for movement in movements} == set(game_pb2.RailMovement.values()) - {0}
    for field in ("death_shows", "borrowing_kinds"):
        assert any(getattr(game.combat, field) for game in told), field
    for field in ("headquarters_freeze", "partner_view", "fixed_start"):
        assert any(getattr(game, field) for game in told), field
    assert any(square.merged for game in told for square in game.board.squares)
