"""The description of a game as messages: everything needed to draw it and to explain its rules."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, assert_never

from shinpan.v1 import game_pb2

from engine_core import Game, schema
from engine_core.board import Board
from engine_core.ruleset import Combat, Kind, Option, Ruleset
from service.updates import OUTCOMES

_DIRECTIONS: Final[Mapping[str, game_pb2.Direction.ValueType]] = {
    "north": game_pb2.DIRECTION_NORTH,
    "east": game_pb2.DIRECTION_EAST,
    "south": game_pb2.DIRECTION_SOUTH,
    "west": game_pb2.DIRECTION_WEST,
}

_REVEALS: Final[Mapping[str, game_pb2.BattleReveal.ValueType]] = {
    "none": game_pb2.BATTLE_REVEAL_NONE,
    "event": game_pb2.BATTLE_REVEAL_EVENT,
    "shown": game_pb2.BATTLE_REVEAL_SHOWN,
}

_RAILS: Final[Mapping[str, game_pb2.RailMovement.ValueType]] = {
    "no": game_pb2.RAIL_MOVEMENT_NONE,
    "straight": game_pb2.RAIL_MOVEMENT_STRAIGHT,
    "turning": game_pb2.RAIL_MOVEMENT_TURNING,
}


@lru_cache(maxsize=64)
def summary(game: Game) -> game_pb2.GameSummary:
    """A game in a list."""
    rules = game.ruleset
    return game_pb2.GameSummary(
        id=rules.id,
        name=rules.name,
        summary=rules.summary,
        seats=rules.seats,
        options=[_option(option) for option in rules.options],
        revision=rules.revision,
    )


@lru_cache(maxsize=64)
def describe(game: Game) -> game_pb2.Game:
    """Everything about a game with its options chosen."""
    rules = game.ruleset
    custodial = rules.custodial is not None
    last_side_wins = rules.last_side_wins
    return game_pb2.Game(
        id=rules.id,
        name=rules.name,
        summary=rules.summary,
        options=[_option(option) for option in rules.options],
        chosen=dict(rules.chosen),
        board=_board(rules.board),
        seats=[_seat(rules, seat) for seat in range(1, rules.seats + 1)],
        kinds=[_kind(kind) for kind in rules.kinds],
        capture_style=game_pb2.CAPTURE_STYLE_CUSTODIAL if custodial else game_pb2.CAPTURE_STYLE_DISPLACEMENT,
        combat=None if rules.combat is None else _combat(rules.combat),
        restrictions=game_pb2.Restrictions(two_squares=rules.two_squares, more_squares=rules.more_squares),
        endings=[_ending(rules, ending) for ending in rules.endings],
        elimination=game_pb2.ELIMINATION_LAST_SIDE_WINS if last_side_wins else game_pb2.ELIMINATION_MATCH_ENDS,
        ply_limit=rules.ply_limit,
        quiet_limit=rules.quiet_limit,
        reveal_at_end=rules.reveal_at_end,
        custodial=None if rules.custodial is None else _custodial(rules.custodial),
        information=game_pb2.INFORMATION_PERFECT if rules.perfect_information else game_pb2.INFORMATION_HIDDEN,
        fixed_start=rules.fixed_start,
        headquarters_freeze=rules.headquarters_freeze,
        partner_view=rules.partner_view,
        revision=rules.revision,
    )


def _custodial(table: schema.CustodialTable) -> game_pb2.Custodial:
    return game_pb2.Custodial(single_runs=table.run == 1, corner=table.corner, intervention=table.intervention)


def _option(option: Option) -> game_pb2.Option:
    return game_pb2.Option(name=option.name, meaning=option.meaning, values=option.values, default_value=option.default)


def _board(board: Board) -> game_pb2.Board:
    places: list[list[game_pb2.Place]] = [[] for _ in board.squares]
    for rank in range(board.ranks):
        for file in range(board.files):
            square = board.at(file, rank)
            if square is not None and board.place(square) != (file, rank):
                places[square].append(game_pb2.Place(file=file + 1, rank=rank + 1))
    squares = []
    for index, name in enumerate(board.squares):
        file, rank = board.place(index)
        owner = next((seat for seat, own in enumerate(board.headquarters, 1) if index in own), 0)
        terrain = game_pb2.TERRAIN_PLAIN
        if index in board.camps:
            terrain = game_pb2.TERRAIN_CAMP
        elif owner:
            terrain = game_pb2.TERRAIN_HEADQUARTERS
        squares.append(
            game_pb2.Square(
                name=name,
                file=file + 1,
                rank=rank + 1,
                terrain=terrain,
                headquarters_seat=owner,
                merged=places[index],
            )
        )
    roads = [
        game_pb2.SquarePair(first=first, second=second)
        for first in range(len(board.squares))
        for second in sorted(board.roads(first))
        if first < second
    ]
    rails = [game_pb2.SquareLine(squares=line) for line in board.rails]
    return game_pb2.Board(files=board.files, ranks=board.ranks, squares=squares, roads=roads, rails=rails)


def _squares(squares: Iterable[int]) -> game_pb2.SquareSet:
    return game_pb2.SquareSet(squares=sorted(squares))


def _seat(rules: Ruleset, seat: int) -> game_pb2.Seat:
    zone = rules.zones[seat - 1]
    return game_pb2.Seat(
        number=seat,
        team=rules.teams[seat - 1],
        forward=_DIRECTIONS[rules.board.forward[seat - 1]],
        zone=_squares(zone.squares),
        kind_zones=[_squares(allowed) for allowed in zone.allowed],
        goal=_squares(rules.goal[seat - 1]),
        line_barred=_squares(rules.line_barred[seat - 1]),
    )


def _kind(kind: Kind) -> game_pb2.Kind:
    movement = kind.movement
    return game_pb2.Kind(
        id=kind.id,
        letter=kind.letter,
        name=kind.name,
        count=kind.count,
        movement=game_pb2.Movement(
            name=movement.name,
            forward=movement.forward,
            backward=movement.backward,
            sideways=movement.sideways,
            fly=movement.fly,
            hop=movement.hop,
            leap=movement.leap,
            road=movement.road,
            rail=_RAILS[movement.rail],
        ),
    )


def _combat(combat: Combat) -> game_pb2.Combat:
    rows = [game_pb2.CombatRow(outcomes=[OUTCOMES[cell] for cell in row]) for row in combat.outcomes]
    shows = [game_pb2.DeathShows(removed_kind=gone + 1, shown_kind=shown + 1) for gone, shown in combat.death_shows]
    borrowing = [kind + 1 for kind in combat.borrows]
    return game_pb2.Combat(rows=rows, reveal=_REVEALS[combat.reveal], death_shows=shows, borrowing_kinds=borrowing)


def _kind_numbers(rules: Ruleset, kinds: Iterable[str]) -> list[int]:
    named = set(kinds)
    return [number for number, kind in enumerate(rules.kinds, 1) if kind.id in named]


def _ending(rules: Ruleset, ending: schema.EndingTable) -> game_pb2.Ending:
    match ending:
        case schema.ObjectiveCaptured():
            objective = game_pb2.ObjectiveCapturedEnding(kinds=_kind_numbers(rules, ending.kinds))
            return game_pb2.Ending(objective_captured=objective)
        case schema.FlagCaptured():
            return game_pb2.Ending(flag_captured=game_pb2.FlagCapturedEnding())
        case schema.HeadquartersEntered():
            entered = game_pb2.HeadquartersEnteredEnding(excluded_kinds=_kind_numbers(rules, ending.excluded))
            return game_pb2.Ending(headquarters_entered=entered)
        case schema.FlagReached():
            at_once = ending.arrival == "adjacent"
            reached = game_pb2.FlagReachedEnding(
                kinds=_kind_numbers(rules, ending.kinds),
                arrival=game_pb2.FLAG_ARRIVAL_ADJACENT if at_once else game_pb2.FLAG_ARRIVAL_CLAIM,
                claims_announced=ending.claim == "announced",
            )
            return game_pb2.Ending(flag_reached=reached)
        case schema.CaptureThreshold():
            return game_pb2.Ending(capture_threshold=game_pb2.CaptureThresholdEnding(left=ending.left))
        case schema.CaptureTarget():
            return game_pb2.Ending(capture_target=game_pb2.CaptureTargetEnding(captured=ending.captured))
        case schema.CaptureLead():
            return game_pb2.Ending(capture_lead=game_pb2.CaptureLeadEnding(lead=ending.lead))
        case schema.Line():
            line = game_pb2.LineEnding(
                length=ending.length,
                ranks="rank" in ending.along,
                files="file" in ending.along,
                diagonals="diagonal" in ending.along,
            )
            return game_pb2.Ending(line=line)
        case schema.Repetition():
            return game_pb2.Ending(repetition=game_pb2.RepetitionEnding(occurrences=ending.occurrences))
        case schema.NoLegalMove():
            passes = ending.stuck == "passes"
            draw = passes or ending.both_stuck == "draw"
            stuck = game_pb2.NoLegalMoveEnding(
                stuck=game_pb2.STUCK_SEAT_PASSES if passes else game_pb2.STUCK_SEAT_LOSES,
                both_stuck=game_pb2.BOTH_STUCK_DRAW if draw else game_pb2.BOTH_STUCK_MOVER_WINS,
            )
            return game_pb2.Ending(no_legal_move=stuck)
    assert_never(ending)
