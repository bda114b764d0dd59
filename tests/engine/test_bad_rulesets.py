"""Files that must not be served: each is refused with one message that says where, what, and what would be right."""

import os
from pathlib import Path

import pytest

import engine_core
from engine.rulesets_folder import Folder
from engine.test_large_rulesets import document
from engine.test_rulesets import SMALL, changed
from engine_core.catalogue import read_rulesets
from engine_core.errors import RulesetError

FLAG_CAPTURED = '[[endings]]\nwhen = "flag-captured"\n'


def refused(path: Path) -> tuple[str, ...]:
    with pytest.raises(RulesetError) as caught:
        read_rulesets([path])
    return caught.value.problems


def ending(table: str, text: str = SMALL) -> str:
    """The small game with another first ending, and without a flag that falls."""
    return changed("A!", "A", changed(FLAG_CAPTURED, f"[[endings]]\n{table}\n", text))


BAD = {
    # The text of the file.
    "a bracket is missing": (
        changed("[board]", "[board"),
        "not TOML: Expected ']' at the end of a table declaration (at line 10, column 7)",
    ),
    "a key stands twice": (
        changed("files = 4", "files = 4\nfiles = 5"),
        "not TOML: Cannot overwrite a value (at line 12, column 10)",
    ),
    "deep lists": (SMALL + "x = " + "[" * 900 + "]" * 900, "nested deeper than 12 tables and lists"),
    "deep lists that TOML can still read": (
        SMALL + "x = " + "[" * 20 + "]" * 20,
        "endings.1.x.0.0.0.0.0.0.0.0.0: nested deeper than 12 tables and lists",
    ),
    "deep tables": (
        SMALL + "\n[" + ".".join("a" * 300) + "]\n",
        "a.a.a.a.a.a.a.a.a.a.a.a: nested deeper than 12 tables and lists",
    ),
    "a long line": ("x = [" + "1, " * 1000 + "]\n" + SMALL, "line 1 has 3006 characters; a line has at most 2000"),
    "a huge file": (
        SMALL + "# comment\n" * 7000,
        "has more than 65536 bytes, which is the most that a game may have",
    ),
    "a number of many digits": (
        changed("files = 4", "files = " + "9" * 1900),
        "board.files: a number of more than 64 bits",
    ),
    "a fraction": (
        changed("files = 4", "files = 4.5"),
        "board.files: 4.5 is not a whole number; no key takes another",
    ),
    "infinity": (changed("files = 4", "files = inf"), "board.files: inf is not a whole number; no key takes another"),
    "a date": (changed('name = "Small"', "name = 2026-12-01"), "name: a date or a time; no key takes one"),
    "an escape in a name": (
        changed('name = "Small"', 'name = "\\u001b[2J"'),
        "name: a text has no characters that cannot be seen or line breaks: '\\x1b[2J'",
    ),
    "text that runs backwards": (
        changed('name = "Small"', 'name = "\\u202e"'),
        "name: a text has no characters that cannot be seen or line breaks: '\\u202e'",
    ),
    "an escape in a key": (
        changed("files = 4", 'files = 4\n"\\u001b" = 1'),
        "board.'\\x1b': a key has no characters that cannot be seen",
    ),
    # Its form.
    "an unknown table": (
        SMALL + "[extra]\n",
        "extra: unknown key; allowed keys are id, name, summary, board, seats, kinds, movement,"
        " arrangement, endings, revision, combat, custodial, information, restrictions",
    ),
    "an unknown key": (
        changed("range = 1", "range = 1\nspeed = 2"),
        "movement.step.speed: unknown key; allowed keys are range, forward, backward, sideways, fly, hop,"
        " leap, road, rail",
    ),
    "an unknown key of an ending": (
        changed('"no-legal-move"', '"no-legal-move"\nkinds = ["flag"]'),
        "endings.1.kinds: unknown key; allowed keys are when, stuck, both_stuck",
    ),
    "an unknown key of an option": (
        changed('values = ["2"', 'value = 1\nvalues = ["2"'),
        "options.reach.value: unknown key; allowed keys are meaning, values",
    ),
    "a text for a number": (changed("files = 4", 'files = "4"'), "board.files: must be a whole number, not '4'"),
    "true for a number": (changed("files = 4", "files = true"), "board.files: must be a whole number, not true"),
    "a number for a list": (
        changed('zone = ["a1-d1"]', "zone = 4"),
        "arrangement.zone: must be a list or a table, not 4",
    ),
    "a list for a table": (changed("[combat]", "[[combat]]"), "combat: must be a table; this is a list of 1"),
    "too much": (changed("files = 4", "files = 27"), "board.files: must be at most 26, not 27"),
    "neither a number nor any": (
        changed("range = 1", 'range = "far"'),
        "movement.step.range: must be a whole number or 'any', not 'far'",
    ),
    "no such word": (
        changed("count = 2", 'count = 2\nsymmetry = "mirror"'),
        "seats.symmetry: must be 'half-turn', 'quarter-turn' or 'none', not 'mirror'",
    ),
    "an id with a blank": (
        changed('id = "small"', 'id = "a b"'),
        "id: must be lower-case words and digits joined by hyphens, such as field-marshal, not 'a b'",
    ),
    "an id with a line break": (
        changed('id = "small"', 'id = "small\\n"'),
        "id: a text has no characters that cannot be seen or line breaks: 'small\\n'",
    ),
    "an id that depends": (
        changed('id = "small"', 'id = { option = "reach", 2 = "a", any = "b" }'),
        "id: cannot depend on an option",
    ),
    "a kind without movement": (changed('count = 1\nmovement = "step"', "count = 1"), "kinds.0.movement: is missing"),
    "a square that is none": (
        changed('zone = ["a1-d1"]', 'zone = ["d1", "11"]'),
        "arrangement.zone.1: must be a square such as b4 or a rectangle such as a1-j4, not '11'",
    ),
    "a fifth seat": (
        changed('zone = ["a1-d1"]', 'zone.5 = ["a1-d1"]'),
        "arrangement.zone.5: not a key here; a key is '1', '2', '3' or '4'",
    ),
    "an ending without a name": (changed('when = "flag-captured"', ""), "endings.0.when: is missing"),
    "256 squares": (
        changed("files = 4\nranks = 4", "files = 16\nranks = 16"),
        "board: 256 squares; a board has 1 to 255",
    ),
    "a list of thousands": (
        changed('zone = ["a1-d1"]', "zone = [" + '"a1",\n' * 5000 + "]"),
        "arrangement.zone: must be at most 255 items long; this is a list of 5000",
    ),
    "a revision of nought": (
        changed("[board]", "[board]", "revision = 0" + SMALL),
        "revision: must be at least 1, not 0",
    ),
    # Options.
    "an option that every game has": (
        changed("[board]", '[options.ply_limit]\nmeaning = "x"\nvalues = ["1"]\n[board]'),
        "options.ply_limit: every game has this option; give yours another name",
    ),
    "an option that a call has already": (
        changed("[options.reach]", "[options.seed]").replace('option = "reach"', 'option = "seed"'),
        "options.seed: stands for something else in calls; give yours another name",
    ),
    "a value twice": (
        changed('values = ["2", "any"]', 'values = ["2", "any", "2"]'),
        "options.reach.values: '2' stands twice",
    ),
    "an option with an equals sign": (
        changed("[board]", '[options."a=b"]\nmeaning = "x"\nvalues = ["1"]\n[board]'),
        "options.'a=b': not a key here; a key is a lower-case letter, then lower-case letters, digits and"
        " underscores, such as two_squares",
    ),
    "a value too many": (
        changed('values = ["2", "any"]', "values = [" + ", ".join(f'"{n}"' for n in range(17)) + "]"),
        "options.reach.values: must be at most 16 items long; this is a list of 17",
    ),
    "too many combinations": (
        changed(
            "[board]", "".join(f'[options.o{n}]\nmeaning = "x"\nvalues = ["0", "1"]\n' for n in range(8)) + "[board]"
        ),
        "options: their values have 1536 combinations; a game has at most 1024",
    ),
    "thousands of options": (
        changed(
            "[board]", "".join(f'[options.o{n}]\nmeaning = "x"\nvalues = ["0"]\n' for n in range(1200)) + "[board]"
        ),
        "options: must be at most 16 items long; this is a table",
    ),
    "a choice of no option": (
        changed('option = "reach"', "option = 7"),
        "movement.scout.range: there is no option 7; the options are reach, battle_reveal, ply_limit,"
        " quiet_limit, reveal_at_end",
    ),
    "a value that only another value needs": (
        changed('any = "any" }', "any = 99 }"),
        "movement.scout.range: must be at most 26 or 'any', not 99 (with reach=any)",
    ),
    # Squares.
    "a merged square twice": (
        changed("files = 4", 'files = 4\nmerged.a2 = ["b2"]\nmerged.a3 = ["b2"]'),
        "board.merged.a3: b2 is void, or part of another square already",
    ),
    "a square merged with a merged one": (
        changed("files = 4", 'files = 4\nmerged.a2 = ["b2"]\nmerged.b2 = ["c2"]'),
        "board.merged.a2: b2 is void, or part of another square already",
    ),
    "a barrier between squares far apart": (
        changed("files = 4", 'files = 4\nbarriers = ["a1-a3"]'),
        "board.barriers: 'a1-a3' is no pair of neighbours",
    ),
    "a camp on a headquarters": (
        changed("files = 4", 'files = 4\ncamps = ["a1"]\nheadquarters = ["a1"]'),
        "board.headquarters: a1 is a camp",
    ),
    "one headquarters for both": (
        changed("ranks = 4", 'ranks = 4\nheadquarters.1 = ["a1"]\nheadquarters.2 = ["a1"]'),
        "board.headquarters: a1 is another seat's, too",
    ),
    # Movement.
    "a movement that goes nowhere": (
        changed("range = 1", "range = 0"),
        "movement.step: goes nowhere; give range or fly, or use 'none'",
    ),
    "two ways to say how far": (
        changed("range = 1", "range = 1\nforward = 2"),
        "movement.step.range: is for all directions; not together with forward, backward or sideways",
    ),
    "flying and walking": (
        changed("range = 1", "range = 1\nfly = true"),
        "movement.step.fly: goes to any square, so nothing else belongs with it",
    ),
    "rails that are not there": (
        changed("range = 1", 'road = true\nrail = "turning"'),
        "movement.step.rail: the board has no rails",
    ),
    "rails without roads": (
        changed("range = 1", 'range = 1\nrail = "straight"', changed("files = 4", 'files = 4\nrails = [["a1", "d1"]]')),
        "movement.step.rail: needs road = true",
    ),
    "seats that cannot move": (
        SMALL.replace('movement = "step"', 'movement = "none"')
        .replace('movement = "scout"', 'movement = "none"')
        .replace('outcome = "A!"', 'outcome = "A"')
        .replace(FLAG_CAPTURED, ""),
        "kinds: none of them can move",
    ),
    "a seat that cannot move": (
        changed(
            "count = 2",
            'count = 2\nforward = { 1 = "north", 2 = "north" }',
            SMALL.replace("range = 1", "forward = 1").replace(
                'range = { option = "reach", 2 = 2, any = "any" }', "forward = 1"
            ),
        ),
        "movement: no piece of seat 2 can ever move from where the seat may place it",
    ),
    # Room.
    "more pieces than squares": (
        changed('zone = ["a1-d1"]', 'zone = ["a1-c1"]'),
        "arrangement.zone: seat 1 has 4 pieces for 3 squares",
    ),
    "kinds that share too few squares": (
        changed('only.flag = ["b1", "c1"]', 'only.flag = ["b1", "c1"]\nonly.scout = ["b1", "c1"]'),
        "arrangement: seat 1 has 3 pieces of scout, flag for the 2 squares on which they may stand (b1, c1)",
    ),
    "a fixed start with a rule": (
        changed(
            'zone = ["a1-d1"]\nonly.flag = ["b1", "c1"]',
            'fixed = { captain = ["a1"], scout = ["b1", "d1"], flag = ["c1"] }\nnever.scout = ["a1"]',
        ),
        "arrangement.never: not together with fixed, which gives every piece its place",
    ),
    # Sides.
    "one side": (
        changed("count = 2", 'count = 2\nteams = [[1, 2]]\nelimination = "last-side-wins"'),
        "seats.teams: a game needs at least two sides",
    ),
    # Combat.
    "a hole in the matrix": (
        changed('order = ["captain", "scout"]', 'order = ["scout"]\nborrows = []'),
        "combat: no outcome for captain against captain, captain against scout, scout against captain;"
        " rank captain in the order or add exceptions",
    ),
    "a kind ranked twice": (
        changed('order = ["captain", "scout"]', 'order = ["captain", "scout", "captain"]'),
        "combat.order: 'captain' stands twice",
    ),
    "a flag that nobody wins": (
        changed(FLAG_CAPTURED, ""),
        "combat.exceptions: an outcome is marked '!', but 'flag-captured' is not among the endings",
    ),
    "both captures": (SMALL + "[custodial]\n", "combat, custodial: a game needs exactly one of these two tables"),
    # Endings that cannot come.
    "no flag falls": (
        changed("A!", "A"),
        "endings.flag-captured: no outcome of a battle is marked '!', so no flag can fall",
    ),
    "an objective that is no kind": (
        ending('when = "objective-captured"\nkinds = ["king"]'),
        "endings.objective-captured: no kind 'king'; the kinds are captain, scout, flag",
    ),
    "no objective": (
        ending('when = "objective-captured"\nkinds = []'),
        "endings.objective-captured.kinds: names no kind",
    ),
    "an objective that stays": (
        ending('when = "objective-captured"\nkinds = ["flag"]').replace('outcome = "A"', 'outcome = "D"'),
        "endings.objective-captured.kinds: no battle removes a flag",
    ),
    "no headquarters": (
        ending('when = "headquarters-entered"'),
        "endings.headquarters-entered: the board has no headquarters",
    ),
    "nobody may enter": (
        ending(
            'when = "headquarters-entered"\nexcluded = ["captain", "scout"]',
            changed("files = 4", 'files = 4\nheadquarters = ["a1"]'),
        ),
        "endings.headquarters-entered.excluded: leaves no kind that moves",
    ),
    "walled headquarters": (
        ending(
            'when = "headquarters-entered"',
            changed("files = 4", 'files = 4\nheadquarters = ["a1"]\nbarriers = ["a1-a2", "a1-b1", "d4-d3", "d4-c4"]'),
        ),
        "endings.headquarters-entered: no kind that is not excluded can come to an enemy headquarters",
    ),
    "a goal for what never moves": (
        ending('when = "flag-reached"\nkinds = ["flag"]\ngoal = ["a4-d4"]'),
        "endings.flag-reached.kinds: none of them moves; those that do are captain, scout",
    ),
    "no goal": (ending('when = "flag-reached"\nkinds = ["scout"]\ngoal = []'), "endings.flag-reached.goal: is empty"),
    "a goal behind a river": (
        ending(
            'when = "flag-reached"\nkinds = ["scout"]\ngoal = ["a4-d4"]',
            changed("files = 4", 'files = 4\nvoid = ["a3-d3"]'),
        ),
        "endings.flag-reached.goal: none of its kinds can come there",
    ),
    "beaten from the start": (
        ending('when = "capture-threshold"\nleft = 4'),
        "endings.capture-threshold.left: a seat starts with 4 pieces, so it must be less, not 4",
    ),
    "more than there are": (
        ending('when = "capture-target"\ncaptured = 5'),
        "endings.capture-target.captured: there are 4 enemy pieces, so it can be no more, not 5",
    ),
    "a lead of more than there are": (
        ending('when = "capture-lead"\nlead = 5'),
        "endings.capture-lead.lead: a seat has 4 pieces to lose, so it can be no more, not 5",
    ),
    "a line longer than the board": (
        ending(
            'when = "line"\nlength = 5\nalong = ["rank"]',
            changed(
                'id = "scout"\nletter = "S"\nname = "Scout"\ncount = 2',
                'id = "scout"\nletter = "S"\nname = "Scout"\ncount = 6',
                changed('zone = ["a1-d1"]', 'zone = ["a1-d2"]'),
            ),
        ),
        "endings.line.length: a seat has 4 squares in a row, so it can be no more, not 5",
    ),
    "a line of more stones than there are": (
        ending('when = "line"\nlength = 5\nalong = ["rank"]', changed("files = 4", "files = 8")),
        "endings.line.length: a seat has 4 pieces, so it can be no more, not 5",
    ),
    "a line in no direction": (
        ending('when = "line"\nlength = 3\nalong = []'),
        "endings.line.along: names no direction",
    ),
    "a position that cannot come again": (
        ending(
            'when = "repetition"\noccurrences = 3',
            SMALL.replace("range = 1", "forward = 1").replace("range = {", "forward = {"),
        ),
        "endings.repetition: no kind can go back, so no position comes again",
    ),
    "a freeze without headquarters": (
        SMALL + "[restrictions]\nheadquarters_freeze = true\n",
        "restrictions.headquarters_freeze: the board has no headquarters",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_one_mistake_is_one_message(name: str, tmp_path: Path) -> None:
    text, message = BAD[name]
    path = tmp_path / "small.toml"
    path.write_text(text, encoding="utf-8")
    assert refused(path) == (f"small.toml: {message}",)


def test_mistakes_of_all_files_are_told_and_nothing_is_served(rulesets: Folder) -> None:
    before = engine_core.games()
    rulesets.write("good", SMALL)
    rulesets.write("letters", SMALL.replace('letter = "C"', 'letter = "CC"').replace("files = 4", "files = 0"))
    rulesets.write("zone", SMALL.replace('zone = ["a1-d1"]', 'zone = ["a1-d3"]'))
    with pytest.raises(RulesetError) as caught:
        rulesets.serve()
    assert str(caught.value).splitlines() == [
        "letters.toml: board.files: must be at least 1, not 0",
        "letters.toml: kinds.0.letter: must be one letter from A to Z or a to z, not 'CC'",
        "zone.toml: arrangement.zone: seat 2's zone overlaps another seat's",
    ]
    assert engine_core.games() == before


def test_what_is_no_file(tmp_path: Path) -> None:
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    assert refused(folder) == ("folder.toml: is a folder, and not a file that can be read",)
    loop = tmp_path / "loop.toml"
    loop.symlink_to(loop)
    (told,) = refused(loop)
    assert "not a file that can be read" in told
    assert refused(tmp_path / "none.toml") == ("none.toml: is missing, and not a file that can be read",)
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    assert refused(pipe) == ("pipe.toml: is a special file, and not a file that can be read",)


def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL, encoding="utf-8")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user reads any file")
    assert refused(path) == ("small.toml: cannot be read: Permission denied",)


def test_a_name_that_moves_the_cursor(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[2J\n.toml"
    path.write_text("[board", encoding="utf-8")
    (told,) = refused(path)
    assert told.startswith("'a\\x1b[2J\\n.toml': not TOML: ")


def test_a_mistake_in_a_combination_of_values(tmp_path: Path) -> None:
    """Six pieces for five squares, though no value alone makes them more than five."""
    options = "".join(
        f'[options.{name}]\nmeaning = "How many."\nvalues = ["{low}", "{low + 1}"]\n'
        for name, low in (("captains", 1), ("scouts", 2))
    )
    text = changed("[board]", options + "[board]", changed('zone = ["a1-d1"]', 'zone = ["a1-d1", "a2"]'))
    text = changed("count = 1\nmovement", 'count = { option = "captains", 1 = 1, 2 = 2 }\nmovement', text)
    text = changed("count = 2\nmovement", 'count = { option = "scouts", 2 = 2, 3 = 3 }\nmovement', text)
    path = tmp_path / "small.toml"
    path.write_text(text, encoding="utf-8")
    assert refused(path) == (
        "small.toml: arrangement.zone: seat 1 has 6 pieces for 5 squares (with captains=2, scouts=3)",
    )


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_bytes(SMALL.replace("A small game.", "\N{MIDDLE DOT}").encode("latin-1"))
    assert refused(path) == ("small.toml: not TOML: line 4 is not UTF-8 text",)


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    for folder in (tmp_path / "nowhere", Path(__file__)):
        with pytest.raises(RulesetError) as caught:
            engine_core.add_rulesets(folder)
        assert str(caught.value).startswith(f"{folder}: cannot be read as a folder of rulesets: ")


def test_a_chain_of_bases_without_end(tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"g{number}.toml").write_text(f'base = "g{number + 1}"\nid = "g{number}"\n')
    (told,) = refused(tmp_path / "g0.toml")
    assert told == "g16.toml: base: g17 is the base of a base of more than 16 files"


def test_zones_that_overlap_in_too_many_ways(tmp_path: Path) -> None:
    """Counting the arrangements, and so drawing one, would take for ever."""
    text = document(17, 15, 32, rows=7)
    only = "".join(
        f'only.k{n} = ["{chr(97 + n % 12)}{1 + n % 5}-{chr(101 + n % 12)}{3 + n % 5}"]\n' for n in range(1, 32)
    )
    path = tmp_path / "large.toml"
    path.write_text(text.replace("[combat]", only + "[combat]"), encoding="utf-8")
    assert refused(path) == (
        "large.toml: arrangement: the squares of seat 1's kinds overlap in too many ways to count them",
    )


def test_many_mistakes_are_cut_short(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(changed("[board]", "[board]\n" + "".join(f"x{n} = 1\n" for n in range(3000))), encoding="utf-8")
    told = refused(path)
    assert len(told) == 101
    assert told[-1] == "small.toml: and more"
