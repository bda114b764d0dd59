"""Start a server on free loopback ports, referee a match of every game, replay recorded games, stop the server."""

import argparse
import sys
import time
from pathlib import Path

from shinpan import Referee

from demo.matches import show_match
from demo.replays import read_games, replay
from service.process import ServerProcess

RECORDED = Path("tests/data/yorktown_sample.jsonl.gz")


def main() -> int:
    """Run the demonstration; 0 when everything agreed."""
    parser = argparse.ArgumentParser(prog="python -m demo", description=__doc__)
    parser.add_argument("--seed", type=int, default=5, help="seed of arrangements and moves (default: 5)")
    parser.add_argument("--games", type=Path, default=RECORDED, help=f"recorded games (default: {RECORDED})")
    chosen = parser.parse_args()
    if not chosen.games.is_file():
        print(f"There are no recorded games at {chosen.games}; name the file with --games.", file=sys.stderr)
        return 2
    recorded = read_games(chosen.games)
    started = time.monotonic()
    with ServerProcess() as server, Referee(server.address) as referee:
        print(f"A server listens on {server.address}; seed {chosen.seed}.\n", flush=True)
        games = referee.games()
        for number, game in enumerate(games, 1):
            print(f"[{number}/{len(games)}] {game.name} ({game.id})\n", flush=True)
            show_match(referee, game.id, chosen.seed)
        print(f"Recorded games of {chosen.games.name}, refereed ply by ply through the service:", flush=True)
        agreed = 0
        for record in recorded:
            differences = replay(referee, record)
            agreed += not differences
            verdict = "agrees" if not differences else "; ".join(differences)
            length = f"{len(record.moves)} plies, {len(record.battles)} battles, {record.ending}"
            print(f"  {record.name}: {length}: {verdict}", flush=True)
    print(f"{agreed} of {len(recorded)} recorded games agree in legal-move counts, battles, final boards and results.")
    print(f"The server has stopped. {time.monotonic() - started:.1f} s.")
    return 0 if agreed == len(recorded) else 1


if __name__ == "__main__":
    sys.exit(main())
