"""Words for the mechanisms that a move or a position of the oracle shows, to count what random matches reach."""

from collections.abc import Iterable

import oracle
from oracle.board import Board, place_of, square_name
from oracle.bracketing import Bracketing
from oracle.movement import Advance, FileFlight, Fly, Slide, SlideOrHop
from oracle.rails import RailBoard

GOALS = {"gunjin-shogi": ({"d9", "f9"}, {"d1", "f1"}), "gunjin-shogi-23": ({"c8"}, {"c1"})}
"""The enemy headquarters of seats 1 and 2, where they matter."""
LAST_BEFORE_THE_RIVER = 3
"""In gunjin-shogi-23; its rank, from 0."""
BRIDGES = "be"


def marks_of_move(match: oracle.Match, move: str) -> set[str]:
    """How the piece that is about to move does so."""
    board, seat = match.rules.board, match.to_move
    assert seat is not None
    source, target = board.move_squares[move]
    kind = match.position.men[seat][source]
    enemy = match.position.owner[target]
    marks = set()
    if enemy:
        defender = match.position.men[enemy][target]
        marks |= {f"attack:on-{defender}", f"attack:by-{kind}", f"attack:{kind}-on-{defender}"}
    if isinstance(board, RailBoard):
        return marks | _on_roads_and_rails(board, source, target)
    one, other = board.names[source], board.names[target]
    between = list(_between(board, one, other))
    owners = [match.position.owner[at] for at in between]
    how = match.rules.movement[kind]
    if isinstance(how, SlideOrHop) and any(owners):
        marks.add("hop:own" if owners == [seat] else "hop:enemy")
    elif isinstance(how, Fly):
        straight = one[0] == other[0] or one[1:] == other[1:]
        marks.add("fly:over-pieces" if any(owners) else "fly:clear" if straight else "fly:off-line")
    elif isinstance(how, Slide) and between:
        marks.add(f"slide:{len(between) + 1}")
    if match.rules.name == "gunjin-shogi-23":
        marks |= _by_the_river(one, other, isinstance(how, FileFlight))
        marks |= {"fly:over-pieces"} if isinstance(how, FileFlight) and any(owners) else set()
        marks |= {"advance:two"} if isinstance(how, Advance) and between else set()
    return marks


def _between(board: Board, one: str, other: str) -> Iterable[int]:
    """The squares on the straight way between two."""
    (file, rank), (last_file, last_rank) = place_of(one), place_of(other)
    if file == last_file or rank != last_rank:
        # A headquarters of two squares is left and entered on the file of the other square.
        file = last_file if one in ("c1", "c8") else file
        places = [(file, at) for at in range(min(rank, last_rank) + 1, max(rank, last_rank))]
        places = places if file == last_file or other in ("c1", "c8") else []
    else:
        places = [(at, rank) for at in range(min(file, last_file) + 1, max(file, last_file))]
    return [board.index[name] for place in places if (name := square_name(*place)) in board.index]


def _by_the_river(one: str, other: str, flies: bool) -> set[str]:
    marks = set()
    ranks = sorted((place_of(one)[1], place_of(other)[1]))
    if ranks[0] <= LAST_BEFORE_THE_RIVER < ranks[1]:
        marks.add("river:flown" if flies and one[0] not in BRIDGES else "bridge:flown" if flies else "bridge:crossed")
    if one in ("c1", "c8") and other[0] in "cd":
        marks.add(f"headquarters:left-on-{other[0]}")
    if other in ("c1", "c8") and one[0] in "cd":
        marks.add(f"headquarters:entered-on-{one[0]}")
    return marks


def _on_roads_and_rails(board: RailBoard, source: int, target: int) -> set[str]:
    (file, rank), (to_file, to_rank) = place_of(board.names[source]), place_of(board.names[target])
    marks = {"headquarters:left"} if source in board.everywhere(board.headquarters) else set()
    if target in board.road_steps[source]:
        return marks | {"road:diagonal" if file != to_file and rank != to_rank else "road:straight"}
    if target in board.rail_steps[source]:
        return marks | {"rail:step"}
    runs = [run[: run.index(target)] for run in board.rays[source] if target in run]
    if not runs:
        return marks | {"rail:turning"}
    on_one_rank_or_file = file == to_file or rank == to_rank
    return marks | {"rail:straight" if on_one_rank_or_file else "rail:curved"}


def marks_of_turn(match: oracle.Match, move: str, ply: oracle.Ply) -> set[str]:
    """What came of a move that has just been made."""
    rules, names = match.rules, match.rules.board.names
    target = rules.board.move_squares[move][1]
    seat = match.position.owner[target]
    goes_on = match.phase == "play"
    marks = {f"eliminated:{cause}" for _, cause in ply.eliminated}
    marks |= {"eliminated:several"} if len(ply.eliminated) > 1 else set()
    marks |= {"passed:several"} if len(ply.passed) > 1 else set()
    marks |= {"flag-shown:both"} if len(ply.shown) > 1 else set()
    if (
        goes_on
        and rules.name in GOALS
        and ply.outcome in ("move", "A")
        and names[target] in GOALS[rules.name][seat - 1]
    ):
        marks.add("headquarters:without-effect")
    if match.result:
        marks |= {"winner:out"} if match.result[0] & match.out else set()
        if match.result[1] == "ply-limit":
            marks.add("limit:plies" if match.ply == match.limits[0] else "limit:quiet-plies")
    if goes_on and isinstance(rules.contact, Bracketing):
        marks |= _spared(match, seat, target)
        if rules.options.get("lead") == "3" and match.taken_by(seat) - match.taken_by(rules.opponent(seat)) >= 3:
            marks.add("lead:one-reply")
    return marks


def _spared(match: oracle.Match, seat: int, target: int) -> set[str]:
    """Stones left standing that another choice of options takes, beside the moved stone."""
    board, owner = match.rules.board, match.position.owner
    marks = set()
    for ray in board.rays[target]:
        run = next((at for at, square in enumerate(ray) if owner[square] in (0, seat)), len(ray))
        if run > 1 and run < len(ray) and owner[ray[run]] == seat:
            marks.add("run:spared")
    for near in board.neighbours[target]:
        beside = board.neighbours[near]
        if len(beside) == 2 and owner[near] not in (0, seat) and all(owner[square] == seat for square in beside):
            marks.add("corner:spared")
    return marks


def marks_of_position(match: oracle.Match) -> set[str]:
    """What the seat to move cannot do, or need not fear, in this position."""
    rules, seat = match.rules, match.to_move
    marks: set[str] = set()
    if seat is None:
        return marks
    owner, side = match.position.owner, rules.sides.number
    for square, kind in match.position.men[seat].items():
        if rules.movement[kind] is None:
            continue
        for near in rules.board.neighbours[square]:
            if near in rules.sanctuary_squares and owner[near]:
                marks.add("camp:own" if owner[near] == seat else "camp:refused")
            elif owner[near] not in (0, seat) and side[owner[near]] == side[seat]:
                marks.add("partner:in-the-way")
            elif square in rules.frozen and not owner[near]:
                marks.add("freeze:bites")
    return marks
