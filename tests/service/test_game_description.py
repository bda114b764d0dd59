"""GetGame tells all that is needed to play: moves worked out from its answer alone are those of the engine."""

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest
from contract import SEED, Contract
from described_game import DescribedGame
from shinpan.v1 import game_pb2, referee_service_pb2

import engine_core
from service import game_messages

GAMES = engine_core.games()


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
        described = DescribedGame(game_messages.describe(game))
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
            assert described.moves(seat, men) == {int(move) for move in state.legal_moves()}, (game, pieces, seat)
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
