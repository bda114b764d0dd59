"""Figures of the engine and the service, each with a yardstick of the same run.

Ours and the yardsticks take turns, and a first round warms up. What is printed of a figure is its median and its range
over the rounds; of a target, those of the ratio within each round. Machines are shared and noisy: the ratios say more
than the rates.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from load import batch, core, h2load, latency, machine, memory, scale, stages, table, unary
from load.conditions import QUIET
from load.results import Results, judged, measured
from load.rounds import FULL, QUICK, Effort, take_turns
from load.servers import NATIVE_MISSING, installed_transports, running

Taken = dict[str, list[float]]


def _core(effort: Effort) -> Taken:
    return take_turns(effort.rounds, core.turns(effort))


def _service(effort: Effort) -> Taken:
    with running() as servers:
        taken = take_turns(effort.rounds, [*stages.turns(effort), *unary.turns(effort, servers)])
        return taken | take_turns(effort.rounds, latency.turns(effort, servers))


def _batch(effort: Effort) -> Taken:
    with running() as servers:
        return take_turns(effort.rounds, batch.turns(effort, servers))


def _scale(effort: Effort) -> Taken:
    with scale.running() as servers:
        taken = take_turns(effort.rounds, scale.turns(effort, servers))
    with running() as servers:
        for transport in installed_transports():
            taken |= {name: [value] for name, value in memory.measure(effort, transport, servers[transport]).items()}
    return taken


SUITES: Final[Mapping[str, Callable[[Effort], Taken]]] = {
    "core": _core,
    "service": _service,
    "batch": _batch,
    "scale": _scale,
}


def run(suites: Sequence[str], effort: Effort) -> Results:
    """Measure; H2LoadMissing before anything is measured when it is needed and not there."""
    if set(suites) != {"core"}:
        h2load.program()
    busy = machine.busy()
    if busy > QUIET:
        print(f"load average {busy:.1f}: others disturb, above all rates by the clock and p99", file=sys.stderr)
    taken: Taken = {}
    for suite in suites:
        print(f"{suite} ...", file=sys.stderr, flush=True)
        taken |= SUITES[suite](effort)
    return Results(
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        commit=machine.commit(),
        machine=machine.machine(),
        versions=machine.versions(),
        busy=busy,
        rounds=effort.rounds,
        load_seconds=effort.load_seconds,
        figures=measured(taken),
        targets=judged(taken),
        unmeasured={} if "native" in installed_transports() else {"native": NATIVE_MISSING},
    )


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m load.bench", description=__doc__)
    parser.add_argument("what", nargs="?", choices=(*SUITES, "all"), default="all")
    parser.add_argument("--rounds", type=int, metavar="N", help=f"rounds that count (default: {FULL.rounds})")
    parser.add_argument("--quick", action="store_true", help="see that everything runs; the figures mean nothing")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure to a file")
    return parser


def main() -> None:
    """Run from the command line."""
    chosen = _arguments().parse_args()
    effort = QUICK if chosen.quick else FULL
    if chosen.rounds is not None:
        if chosen.rounds < 1:
            _arguments().error(f"--rounds={chosen.rounds}: there has to be one round at least")
        effort = effort._replace(rounds=chosen.rounds)
    try:
        results = run(tuple(SUITES) if chosen.what == "all" else (chosen.what,), effort)
    except (h2load.H2LoadMissing, h2load.LoadFailed) as error:
        raise SystemExit(f"load.bench: {error}") from None
    print("\n".join(table.lines(results)))
    if chosen.json:
        chosen.json.parent.mkdir(parents=True, exist_ok=True)
        chosen.json.write_text(results.model_dump_json(indent=1) + "\n")


if __name__ == "__main__":
    main()
