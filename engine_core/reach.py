"""Whether play can get anywhere: seats that never move, and endings on squares that nothing comes to."""

from collections.abc import Iterator

from engine_core import schema
from engine_core.lowering import Lowered, Reach

MAX_SHOWN = 255
"""How many sets of kinds one move can show; see `Lowered.shown`."""


def unreachable(lowered: Lowered) -> tuple[str, ...]:
    """What can never happen in a game, a line for each."""
    return tuple(_unreachable(lowered))


def _unreachable(lowered: Lowered) -> Iterator[str]:
    rules = lowered.ruleset
    reached = {
        (seat, kind): _reached(lowered, seat, kind)
        for seat in range(1, rules.seats + 1)
        for kind in range(len(rules.kinds))
    }
    for seat in range(1, rules.seats + 1):
        if not any(reached[seat, kind] for kind in range(len(rules.kinds))):
            yield f"movement: no piece of seat {seat} can ever move from where the seat may place it"
        if len(lowered.shown[seat - 1]) > MAX_SHOWN:
            yield f"movement: too different: a move can show {len(lowered.shown[seat - 1])} sets of kinds"
    for ending in rules.endings:
        if isinstance(ending, schema.HeadquartersEntered):
            enemy = {
                seat: frozenset().union(
                    *(hq for hq, team in zip(rules.board.headquarters, rules.teams, strict=True) if team != own)
                )
                for seat, own in enumerate(rules.teams, 1)
            }
            if not any(
                reached[seat, kind] & enemy[seat]
                for seat, kind in reached
                if rules.kinds[kind].id not in ending.excluded
            ):
                yield "endings.headquarters-entered: no kind that is not excluded can come to an enemy headquarters"
        if isinstance(ending, schema.FlagReached):
            ids = [kind.id for kind in rules.kinds]
            if not any(
                reached[seat, ids.index(kind)] & rules.goal[seat - 1]
                for seat in range(1, rules.seats + 1)
                for kind in ending.kinds
            ):
                yield "endings.flag-reached.goal: none of its kinds can come there"


def _reached(lowered: Lowered, seat: int, kind: int) -> frozenset[int]:
    """Every square on which a piece of a kind can end a move on an empty board, from where it may be placed."""
    pattern = lowered.patterns[lowered.pattern_of[seat - 1][kind]]
    waiting = list(lowered.ruleset.zones[seat - 1].allowed[kind])
    seen, reached = set(waiting), set[int]()
    for square in waiting:
        found = _targets(lowered, pattern[square], square)
        reached |= found
        waiting += found - seen
        seen |= found
    return frozenset(reached)


def _targets(lowered: Lowered, reach: Reach, square: int) -> set[int]:
    found = {target for ray in reach.rays for target in ray} | {target for _, target in reach.hops}
    found |= {target for _, ray in reach.branches for target in ray}
    if reach.turning and (component := lowered.rail_component[square]):
        found |= {target for target, other in enumerate(lowered.rail_component) if other == component}
    return found
