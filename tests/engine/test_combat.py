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


def facing(game: Game, attacker: str, defender: str, seat: int) -> tuple[State, str, str]:
    """The two pieces next to each other in the middle, and others far away so that the match can go on."""
    source, target = ("c3", "c4") if seat == 1 else ("c4", "c3")
    other = 3 - seat
    ranks = game.ruleset.board.ranks
    mobile = next(kind.id for kind in game.ruleset.kinds if not kind.movement.immobile)
    pieces = {1: {"a2": mobile, "g2": mobile}, 2: {f"a{ranks - 1}": mobile, f"g{ranks - 1}": mobile}}
    pieces[seat][source] = attacker
    pieces[other][target] = defender
    return game.position(pieces, to_move=seat), source, target


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
            winner = seat if letter == "A!" else 3 - seat
            assert (cell, turn.state.result) == (cell, ((winner,), "flag-captured"))
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
    for name in ("luzhanqi-mini", "salpakan-classic", "hidden-capture-flag", "gunjin-shogi"):
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
