"""One match of random moves through the service, shown as the referee and the players see it."""

import random
from collections.abc import Iterable, Sequence

from shinpan import REFEREE, Answer, Game, Referee, actions
from shinpan.v1.action_pb2 import Action

MAX_PLIES = 2000
"""A match that is longer is drawn by adjudication."""

MAX_WIDTH = 160
"""Boards are set side by side as far as a line has room for them."""


def show_match(referee: Referee, game_id: str, seed: int) -> None:
    """Play a match and print the boards of its opening, middle and end, then how it ended."""
    game = referee.game(game_id)
    opening, played = _play(referee, game, seed)
    middle = len(played) // 2
    shown = (REFEREE, *game.seats)
    _print_boards("Opening", referee.replay(opening.state, [], viewers=shown, diagrams=True), shown)
    halfway = referee.replay(opening.state, played[:middle], viewers=shown, diagrams=True)
    _print_boards(f"Middle, after {middle} actions", halfway, shown)
    end = referee.replay(halfway.state, played[middle:], viewers=shown, diagrams=True)
    _print_boards("End", end, shown)
    status = end.updates[REFEREE].status
    assert status.result is not None, "the match has been played to its end"
    winners = " and ".join(f"seat {seat} wins" for seat in status.result.winners) or "a draw"
    print(f"{status.ply} plies; {winners}: {status.result.reason}.\n")


def _play(referee: Referee, game: Game, seed: int) -> tuple[Answer, Sequence[Action]]:
    """A whole match: the answer with which play began, and every action after it."""
    chance = random.Random(seed)
    match = referee.start_match(game.id, viewers=game.seats)
    for seat in game.seats if match.updates[1].status.phase == "arrangement" else ():
        pieces = referee.draw_arrangement(game.id, seat, seed=seed + seat)
        match = referee.arrange(match.state, seat, pieces, viewers=game.seats)
    opening = match
    played: list[Action] = []
    while (to_move := match.updates[1].status.to_move) is not None:
        legal = match.updates[to_move].legal_actions
        assert legal is not None, "the seat to move is told what it may do"
        over_long = len(played) == MAX_PLIES
        action = actions.adjudicate([]) if over_long else actions.move(to_move, chance.choice(legal.moves))
        match = referee.apply(match.state, action, viewers=game.seats)
        played.append(action)
    return opening, played


def _print_boards(title: str, answer: Answer, viewers: Iterable[int]) -> None:
    """The boards of one moment, side by side."""
    print(f"{title}:")
    columns = []
    for viewer in viewers:
        name = "the referee" if viewer == REFEREE else f"seat {viewer}"
        board = (answer.updates[viewer].view.diagram or "").splitlines()
        width = max(map(len, board)) + 3
        columns.append([f"   {name}".ljust(width), *(line.ljust(width) for line in board)])
    abreast = max(1, MAX_WIDTH // max(len(column[0]) for column in columns))
    for first in range(0, len(columns), abreast):
        for line in zip(*columns[first : first + abreast], strict=True):
            print("".join(line).rstrip())
        print()
