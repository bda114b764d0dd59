"""Every cell of every combat matrix, fought out on the board by either seat."""

from collections import Counter

import pytest

import engine_core
from engine_core import Game, State
from engine_core.events import Moved

from .shared import Record, combat, needs_shared, params

# By hand, from section 15 of the rules.
TOTALS: list[tuple[str, dict[str, str], dict[str, int]]] = [
    ("luzhanqi-mini", {}, {"A": 7, "D": 9, "B": 14, "A!": 5}),
    ("salpakan-classic", {}, {"A": 91, "D": 91, "B": 14, "A!": 15, "D!": 14}),
    ("salpakan-classic", {"flag_attack": "continues"}, {"A": 91, "D": 105, "B": 14, "A!": 15}),
    ("hidden-capture-flag", {}, {"A": 47, "D": 53, "B": 10, "A!": 10}),
    ("gunjin-shogi", {}, {"A": 93, "D": 103, "B": 29, "A!": 15}),
    ("gunjin-shogi", {"engineer_beats_tank": "off"}, {"A": 93, "D": 103, "B": 29, "A!": 15}),
    ("capture-flag-tournament", {}, {"A": 47, "D": 53, "B": 10, "A!": 10}),
    ("luzhanqi", {}, {"A": 37, "D": 36, "B": 37, "A!": 9, "B!": 1}),
    # Where mines stay, only engineers and bombs do not lose to them: eight of the mutual removals become defeats.
    ("luzhanqi-tournament", {}, {"A": 37, "D": 44, "B": 29, "A!": 9, "B!": 1}),
    ("luzhanqi-four", {}, {"A": 37, "D": 36, "B": 37, "A!": 9, "B!": 1}),
    # Against a flag with nothing behind it each of the fourteen wins.
    ("gunjin-shogi-23", {}, {"A": 93 + 14, "D": 91, "B": 26}),
]
BATTLES = {"A": "attacker", "D": "defender", "B": "both"}


def fights() -> list[Record]:
    """A record for each game, set of options and attacking kind."""
    found = []
    for name, entry in combat()["matrices"].items():
        for game in entry["games"]:
            if game in engine_core.games():
                roster = combat()["rosters"][game]
                found += [
                    {
                        "id": f"{game}-{'-'.join(entry['options'].values())}-{attacker}".replace("--", "-"),
                        "matrix": name,
                        "game": game,
                        "options": entry["options"],
                        "attacker": attacker,
                        "row": {kind: letter for kind, letter in row.items() if kind in roster},
                    }
                    for attacker, row in entry["matrix"].items()
                    if attacker in roster
                ]
    return found


FIGHTS = fights()


def battlefield(game: Game) -> tuple[str, str, list[str]]:
    """Two plain squares, one north of the other with nothing special about them, and plain squares far from both."""
    board, squares = game.ruleset.board, game.squares
    special = board.camps.union(*board.headquarters)
    plain = [square for square in range(len(squares)) if square not in special]
    south, north = next(
        (square, ray[0])
        for square in plain
        if int(squares[square][1:]) > 1 and (ray := board.ray(square, board.turned(1, "forward"))) and ray[0] in plain
    )
    near = {south, north, *board.roads(south), *board.roads(north)}
    near |= {square for square in plain if squares[square][0] == squares[south][0]}
    return squares[south], squares[north], [squares[square] for square in plain if square not in near]


def facing(game: Game, attacker: str, defender: str, seat: int) -> tuple[State, str, str]:
    """The two pieces next to each other, and others far away so that the match can go on."""
    south, north, far = battlefield(game)
    source, target = (south, north) if seat == 1 else (north, south)
    other = 3 - seat
    mobile = next(kind.id for kind in game.ruleset.kinds if not kind.movement.immobile)
    pieces = {1: {far[0]: mobile, far[1]: mobile}, 2: {far[-2]: mobile, far[-1]: mobile}}
    pieces[seat][source] = attacker
    pieces[other][target] = defender
    return game.position(pieces, to_move=seat, out=game.seats[2:]), source, target


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("fight", params(FIGHTS))
def test_row(fight: Record, seat: int) -> None:
    game = engine_core.load(fight["game"], **fight["options"])
    attacker = fight["attacker"]
    for defender, letter in fight["row"].items():
        before, source, target = facing(game, attacker, defender, seat)
        turn = before.play(source + target)
        (moved,) = (event for event in turn.events if isinstance(event, Moved))
        cell = (attacker, defender)
        assert (cell, moved.outcome) == (cell, letter)
        assert (cell, turn.battle) == (cell, BATTLES[letter[0]])
        fallen = {"A": {target}, "D": {source}, "B": {source, target}}[letter[0]]
        assert (cell, set(turn.captured)) == (cell, fallen)
        after = turn.state.pieces()
        standing = {"A": (seat, attacker), "D": (3 - seat, defender), "B": None}[letter[0]]
        found = next(((s, men[target]) for s, men in after.items() if target in men), None)
        assert (cell, found) == (cell, standing)
        assert source not in after[seat]
        if "!" in letter:
            winner = 3 - seat if letter == "D!" else seat
            team = tuple(s for s in game.seats if game.ruleset.teams[s - 1] == game.ruleset.teams[winner - 1])
            reason = "eliminated" if game.ruleset.last_side_wins else "flag-captured"
            assert (cell, turn.state.result) == (cell, (team, reason))
        else:
            assert (cell, turn.state.result) == (cell, None)


@needs_shared
def test_every_attacking_kind_is_fought() -> None:
    for name in engine_core.games():
        kinds = {kind.id: kind for kind in engine_core.load(name).ruleset.kinds}
        fought = {fight["attacker"] for fight in FIGHTS if fight["game"] == name}
        if name in combat()["rosters"] and engine_core.load(name).ruleset.combat:
            assert fought == {kind for kind, row in kinds.items() if not row.movement.immobile}


def test_kinds_that_never_attack_have_no_move() -> None:
    immobile = {
        "luzhanqi-mini": ["mine", "flag"],
        "salpakan-classic": [],
        "hidden-capture-flag": ["bomb", "flag"],
        "gunjin-shogi": ["mine"],
        "luzhanqi": ["mine", "flag"],
        "luzhanqi-four": ["mine", "flag"],
        "gunjin-shogi-23": ["mine", "flag"],
    }
    for name, kinds in immobile.items():
        game = engine_core.load(name)
        for kind in game.kinds:
            defender = next(k for k in game.kinds if k not in immobile[name])
            state, source, target = facing(game, kind, defender, 1)
            assert (source + target in map(str, state.legal_moves())) == (kind not in kinds), (name, kind)


@pytest.mark.parametrize(("name", "options", "totals"), TOTALS)
def test_totals(name: str, options: dict[str, str], totals: dict[str, int]) -> None:
    """Every kind that can move fights every kind once."""
    letters: Counter[str] = Counter()
    game = engine_core.load(name, **options)
    for attacker in game.ruleset.kinds:
        for defender in game.kinds:
            if not attacker.movement.immobile:
                state, source, target = facing(game, attacker.id, defender, 1)
                (moved,) = (e for e in state.play(source + target).events if isinstance(e, Moved))
                letters[moved.outcome] += 1
    assert letters == totals


def test_symmetry() -> None:
    """A and D mirror each other but for spy and marshal, miner and bomb, mines and flags (rules, section 15)."""
    exempt = [{"spy", "marshal"}, {"miner", "bomb"}]
    for name in engine_core.games():
        if engine_core.load(name).ruleset.combat is None:
            continue
        game = engine_core.load(name)
        mobile = [kind.id for kind in game.ruleset.kinds if not kind.movement.immobile and kind.id != "flag"]
        outcome = {}
        for attacker in mobile:
            for defender in mobile:
                state, source, target = facing(game, attacker, defender, 2)
                outcome[attacker, defender] = state.play(source + target).battle
        mirror = {"attacker": "defender", "defender": "attacker", "both": "both"}
        for (attacker, defender), letter in outcome.items():
            if {attacker, defender} not in exempt:
                assert letter == mirror[str(outcome[defender, attacker])], (name, attacker, defender)
    state, source, target = facing(engine_core.load("hidden-capture-flag"), "marshal", "spy", 1)
    assert state.play(source + target).battle == "attacker"


@pytest.mark.parametrize(("chosen", "winner"), [("on", "engineer"), ("off", "tank")])
@pytest.mark.parametrize("name", ["gunjin-shogi", "gunjin-shogi-23"])
def test_engineer_against_tank(name: str, chosen: str, winner: str) -> None:
    game = engine_core.load(name, engineer_beats_tank=chosen)
    for attacker, defender in (("engineer", "tank"), ("tank", "engineer")):
        state, source, target = facing(game, attacker, defender, 1)
        assert state.play(source + target).battle == ("attacker" if winner == attacker else "defender")
