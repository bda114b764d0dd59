"""Figures of the engine and the service, each as a ratio against a yardstick of the same run.

Ours and the yardsticks take turns; what is printed is the median of the rounds. Machines are shared and noisy: the
ratios say more than the rates.
"""

import argparse
from collections.abc import Callable, Mapping
from statistics import median

import cshogi

import engine_core
from load import core
from load.service import ServiceBench

Measured = Mapping[str, float]


def rounds(count: int, work: Mapping[str, Callable[[], float]]) -> Measured:
    """The median of each figure over rounds in which all take turns, after one that does not count."""
    taken: dict[str, list[float]] = {name: [] for name in work}
    for number in range(count + 1):
        for name, measure in work.items():
            figure = measure()
            if number:
                taken[name].append(figure)
    return {name: median(values) for name, values in taken.items()}


def bench_core(count: int) -> None:
    """Playouts and perft against cshogi, and the size of states."""
    start, mid = core.opening(1), core.middle(1)
    figures = rounds(
        count,
        {
            "playout": lambda: core.rate(lambda: core.playout_plies(start, 1500, 1)),
            "shogi playout": lambda: core.rate(lambda: core.shogi_playout_plies(30, 1)),
            "perft start": lambda: core.rate(lambda: engine_core.perft(start, 8)),
            "perft middle": lambda: core.rate(lambda: engine_core.perft(mid, 5)),
            "shogi perft": lambda: core.rate(lambda: core.shogi_perft(cshogi.Board(), 3)),
        },
    )
    shogi, nodes = figures["shogi playout"], figures["shogi perft"]
    print(f"random playouts of {core.GAME}: {figures['playout']:,.0f} plies/s; cshogi from Python: {shogi:,.0f}")
    print(f"  ratio {figures['playout'] / shogi:.1f}")
    for name in ("start", "middle"):
        ours = figures[f"perft {name}"]
        print(f"perft, {name}: {ours:,.0f} nodes/s; cshogi from Python: {nodes:,.0f}; ratio {ours / nodes:.1f}")
    for game_id in engine_core.games():
        game = engine_core.load(game_id)
        state = game.start()
        for seat in game.seats if state.phase == "arrangement" else ():
            state = state.arrange(seat, game.random_arrangement(seat, seed=seat)).state
        print(f"state at the start of {game_id}: {len(state.to_bytes())} bytes")


def bench_service(count: int) -> None:
    """ApplyAction against an empty method of the same server."""
    with ServiceBench() as bench:
        figures = rounds(count, bench.measures())
    empty = figures["empty"]
    print(f"empty method: {1e6 / empty:.0f} us of server CPU a call")
    for name, rate in figures.items():
        if name != "empty":
            print(f"{name}: {1e6 / rate:.0f} us; calls a second of CPU, ratio to the empty method {rate / empty:.2f}")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m load.bench", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("core", "service", "all"), default="all")
    parser.add_argument("--rounds", type=int, default=5, help="rounds that count (default: 5)")
    chosen = parser.parse_args()
    if chosen.what in ("core", "all"):
        bench_core(chosen.rounds)
    if chosen.what in ("service", "all"):
        bench_service(chosen.rounds)


if __name__ == "__main__":
    main()
