"""Play one whole match of random moves against a running server, and show both players' boards.

python play_match.py 127.0.0.1:50051 --game hidden-hasami --seed 1
"""

import argparse
import random

from shinpan import Answer, Referee


def play(referee: Referee, game_id: str, seed: int) -> Answer:
    """Play a match to its end, each side choosing its moves from what it may know."""
    chance = random.Random(seed)
    game = referee.game(game_id)
    match = referee.start_match(game.id, viewers=game.seats)
    for seat in game.seats if match.updates[1].status.phase == "arrangement" else ():
        pieces = referee.draw_arrangement(game.id, seat, seed=seed + seat)
        match = referee.arrange(match.state, seat, pieces, viewers=game.seats)
    while (mover := match.updates[1].status.to_move) is not None:
        if match.updates[1].status.ply == 1000:
            return referee.adjudicate(match.state, [], viewers=game.seats)
        legal = match.updates[mover].legal_actions
        assert legal is not None, "the seat to move is told what it may do"
        move = chance.choice(legal.moves)
        match = referee.move(match.state, mover, move, viewers=game.seats, diagrams=True)
    return match


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Play one whole match against a server.")
    parser.add_argument("address", help="host:port of the server's API, in plain text")
    parser.add_argument("--game", default="hidden-hasami", help="id of the game")
    parser.add_argument("--seed", type=int, default=1, help="seed of arrangements and moves")
    chosen = parser.parse_args()
    with Referee(chosen.address) as referee:
        match = play(referee, chosen.game, chosen.seed)
    for seat, update in match.updates.items():
        print(f"What seat {seat} sees at the end:\n{update.view.diagram or ''}")
    status = match.updates[1].status
    assert status.result is not None, "the match has ended"
    winners = " and ".join(f"seat {seat}" for seat in status.result.winners) or "nobody"
    print(f"{winners} won after {status.ply} plies: {status.result.reason}")


if __name__ == "__main__":
    main()
