"""Recorded games, refereed again through the service and compared with their records."""

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from shinpan import REFEREE, Game, Referee, ServiceError, Update
from shinpan.v1 import game_pb2

_LETTERS = {
    game_pb2.BATTLE_OUTCOME_ATTACKER: "A",
    game_pb2.BATTLE_OUTCOME_DEFENDER: "D",
    game_pb2.BATTLE_OUTCOME_BOTH: "B",
    game_pb2.BATTLE_OUTCOME_ATTACKER_FLAG_FALLS: "A!",
    game_pb2.BATTLE_OUTCOME_DEFENDER_FLAG_FALLS: "D!",
    game_pb2.BATTLE_OUTCOME_BOTH_FLAG_FALLS: "B!",
}


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A game that another program has played."""

    name: str
    game: str
    first_seat: int
    arrangements: Mapping[int, Mapping[str, str]]
    moves: tuple[str, ...]
    legal_counts: tuple[int, ...]
    battles: Mapping[int, str]
    """By ply from 1: A, D, B or A!."""
    final_board: Mapping[int, Mapping[str, str]]
    winner: int
    reason: str

    @property
    def ending(self) -> str:
        """Who won, and why."""
        return f"seat {self.winner} wins by {self.reason}"


def read_games(path: Path) -> list[RecordedGame]:
    """The games in a file that start from full arrangements, one JSON object a line."""
    games = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            if record["setup"] == "sparse":
                continue  # a position that no arrangement leads to, so no match can start from it
            games.append(
                RecordedGame(
                    name=record["id"],
                    game=record["game"],
                    first_seat=record["to_move"],
                    arrangements={int(seat): pieces for seat, pieces in record["pieces"].items()},
                    moves=tuple(record["moves"].split()),
                    legal_counts=tuple(record["legal_counts"]),
                    battles=dict(record["battles"]),
                    final_board={int(seat): pieces for seat, pieces in record["final_board"].items()},
                    winner=record["result"]["winner"],
                    reason=record["result"]["reason"],
                )
            )
    return games


def replay(referee: Referee, record: RecordedGame) -> list[str]:
    """Play the record again; what differs from it, in words."""
    game = referee.game(record.game)
    viewers = (REFEREE, *game.seats)
    match = referee.start_match(
        record.game, arrangements=record.arrangements, first_seat=record.first_seat, viewers=viewers
    )
    for ply, move in enumerate(record.moves, 1):
        seat = match.updates[REFEREE].status.to_move
        if seat is None:
            return [f"over after {ply - 1} plies, not {len(record.moves)}"]
        legal = match.updates[seat].legal_actions
        count = len(legal.moves) if legal is not None else 0
        if count != record.legal_counts[ply - 1]:
            return [f"ply {ply}: {count} legal moves, not {record.legal_counts[ply - 1]}"]
        try:
            match = referee.move(match.state, seat, move, viewers=viewers)
        except ServiceError as error:
            return [f"ply {ply}: {error}"]
        battle = _battle(match.updates[REFEREE])
        if battle != record.battles.get(ply):
            return [f"ply {ply}: battle {battle}, not {record.battles.get(ply)}"]
    return _compare_end(game, record, match.updates[REFEREE])


def _battle(update: Update) -> str | None:
    moved = next(event.moved for event in update.events if event.WhichOneof("kind") == "moved")
    return _LETTERS.get(moved.battle)


def _compare_end(game: Game, record: RecordedGame, update: Update) -> list[str]:
    differences = []
    board: dict[int, dict[str, str]] = {seat: {} for seat in game.seats}
    for square, seat, kind in zip(game.squares, update.view.seats, update.view.kinds, strict=True):
        if seat:
            board[seat][square] = game.kinds[kind - 1]
    if board != record.final_board:
        differences.append("the final boards differ")
    result = update.status.result
    if result is None or result.winners != (record.winner,) or result.reason != record.reason:
        differences.append(f"the result is {result}, not {record.ending}")
    return differences
