"""Play a whole match of random moves of every game that a server has, and compare its end with a replay.

python play_matches.py 127.0.0.1:50051 --seed 1

In each match one illegal move is tried. The exit status is 1 when a match goes otherwise than it should.
"""

import argparse
import itertools
import random
import sys

from shinpan import Answer, Game, Referee, ServiceError, actions

LONGEST_MATCH_PLIES = 1000
"""A match that takes longer is adjudicated as a draw."""


class WrongAnswer(Exception):
    """The server said what it should not."""


def play(referee: Referee, game: Game, seed: int) -> str:
    """Play a match to its end, each seat choosing from what it may know; how it went, in a line."""
    chance = random.Random(seed)
    match = opening = referee.start_match(game.id, viewers=game.seats)
    played = []
    for seat in game.seats if match.updates[1].status.phase == "arrangement" else ():
        played.append(actions.arrange(seat, referee.draw_arrangement(game.id, seat, seed=seed + seat)))
        match = referee.apply(match.state, played[-1], viewers=game.seats)
    refused = try_illegal_move(referee, game, match)
    while (mover := match.updates[1].status.to_move) is not None:
        over_long = match.updates[1].status.ply == LONGEST_MATCH_PLIES
        move = chance.choice(legal_moves(match, mover))
        played.append(actions.adjudicate([]) if over_long else actions.move(mover, move))
        match = referee.apply(match.state, played[-1], viewers=game.seats)
    if referee.replay(opening.state, played).digest != match.digest:
        raise WrongAnswer("the replay ends in another state than the match")
    status = match.updates[1].status
    assert status.result is not None, "the match has ended"
    winners = " and ".join(f"seat {seat}" for seat in status.result.winners) or "nobody"
    return f"{status.ply} plies, {winners} won: {status.result.reason}; {refused} refused; the replay agrees"


def try_illegal_move(referee: Referee, game: Game, match: Answer) -> str:
    """Try the first two squares that are no legal move, which the server has to refuse; that move as text."""
    mover = match.updates[1].status.to_move
    assert mover is not None, "the match has not ended"
    legal = {game.move_text(move) for move in legal_moves(match, mover)}
    pairs = ("".join(pair) for pair in itertools.permutations(game.squares, 2))
    illegal = next(pair for pair in pairs if pair not in legal)
    try:
        referee.move(match.state, mover, illegal)
    except ServiceError as error:
        if error.reason != "ILLEGAL_MOVE":
            raise
        return illegal
    raise WrongAnswer(f"the illegal move {illegal} is not refused")


def legal_moves(match: Answer, mover: int) -> tuple[int, ...]:
    """The moves of the seat to move, which alone is told."""
    legal = match.updates[mover].legal_actions
    assert legal is not None, "the seat to move is told what it may do"
    return legal.moves


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Play a whole match of every game against a server.")
    parser.add_argument("address", help="host:port of the server's API, in plain text")
    parser.add_argument("--seed", type=int, default=1, help="seed of arrangements and moves")
    chosen = parser.parse_args()
    try:
        with Referee(chosen.address) as referee:
            for summary in referee.games():
                print(f"{summary.id}: ", end="", flush=True)
                print(play(referee, referee.game(summary.id), chosen.seed), flush=True)
    except (ServiceError, WrongAnswer) as error:
        sys.exit(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main()
