"""Ruleset files: how mistakes are answered, defaults, digests, and the built-in files in every choice of options."""

from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path

import pytest

import engine_core
from engine_core import Game, RefereeError
from engine_core.errors import RulesetError
from engine_core.ruleset_document import BUILT_IN
from engine_core.ruleset_file import read

RULESETS = Path(__file__).parent / "rulesets"

SMALL = """
id = "small"
name = "Small"
summary = "A small game."

[options.reach]
meaning = "How far a scout goes."
values = ["2", "any"]

[board]
files = 4
ranks = 4

[seats]
count = 2

[movement.step]
range = 1

[movement.scout]
range = { option = "reach", 2 = 2, any = "any" }

[[kinds]]
id = "captain"
letter = "C"
name = "Captain"
count = 1
movement = "step"

[[kinds]]
id = "scout"
letter = "S"
name = "Scout"
count = 2
movement = "scout"

[[kinds]]
id = "flag"
letter = "F"
name = "Flag"
count = 1
movement = "none"

[arrangement]
zone = ["a1-d1"]
only.flag = ["b1", "c1"]

[combat]
order = ["captain", "scout"]
exceptions = [{ defender = ["flag"], outcome = "A!" }]

[[endings]]
when = "flag-captured"

[[endings]]
when = "no-legal-move"
"""

Load = Callable[[str], Game]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Read a ruleset from its text; its file is called small.toml."""

    def load_text(text: str, **options: str) -> Game:
        path = tmp_path / "small.toml"
        path.write_text(text, encoding="utf-8")
        return Game(read(path).ruleset(options))

    return load_text


def changed(old: str, new: str, text: str = SMALL) -> str:
    assert text.count(old) >= 1, old
    return text.replace(old, new, 1)


def test_the_small_game_is_right(load: Load) -> None:
    game = load(SMALL)
    assert (game.id, game.kinds, len(game.squares)) == ("small", ("captain", "scout", "flag"), 16)
    assert game.arrangement_count(1) == 2 * 3


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        # The form of the file.
        ('id = "small"', 'id = "Small Game"', ["id", "Small Game"]),
        ('id = "small"\n', "", ["id"]),
        ('name = "Small"', 'name = ""', ["name"]),
        ("files = 4", "files = 27", ["board.files", "26", "27"]),
        ("files = 4", "files = 0", ["board.files", "1"]),
        ("files = 4", 'files = "4"', ["board.files"]),
        ("files = 4", "files = 4\nwidth = 4", ["board.width"]),
        ("[seats]", "[extras]\nx = 1\n[seats]", ["extras"]),
        ("count = 2\n\n[movement", "count = 5\n\n[movement", ["seats.count", "4", "5"]),
        ("count = 2\n\n[movement", "count = 1\n\n[movement", ["seats.count", "2", "1"]),
        ("range = 1", "range = -1", ["movement.step.range"]),
        ("range = 1", 'range = "far"', ["movement.step.range", "far", "any"]),
        ("range = 1", "range = 1\nhop = 2", ["movement.step.hop"]),
        ("range = 1", "range = 1\njump = true", ["movement.step.jump"]),
        ('letter = "C"', 'letter = "CC"', ["kinds.0.letter", "CC"]),
        ('letter = "C"', 'letter = "?"', ["kinds.0.letter"]),
        ("count = 1\nmovement", "count = 0\nmovement", ["kinds.0.count", "1"]),
        ('zone = ["a1-d1"]', 'zone = ["1a"]', ["arrangement.zone", "1a"]),
        ('outcome = "A!"', 'outcome = "win"', ["combat.exceptions.0.outcome", "A!", "D!", "win"]),
        (
            'when = "flag-captured"',
            'when = "flag-taken"',
            ["endings.0", "flag-taken", "flag-captured", "no-legal-move"],
        ),
        ('when = "flag-captured"', 'when = "capture-threshold"', ["endings.0", "left"]),
        ('values = ["2", "any"]', "values = []", ["options.reach.values"]),
        ('values = ["2", "any"]', 'values = ["2", "any"]\ncolour = "red"', ["options.reach.colour"]),
        # What contradicts itself.
        ('letter = "S"', 'letter = "C"', ["kinds", "letter", "'C'"]),
        ('id = "scout"', 'id = "captain"', ["kinds", "id", "'captain'"]),
        ('movement = "step"', 'movement = "stride"', ["kinds.captain.movement", "stride", "step", "scout", "none"]),
        ("range = 1", "range = 0", ["movement.step"]),
        ('zone = ["a1-d1"]', 'zone = ["a1-e1"]', ["arrangement.zone", "a1-e1", "4 files"]),
        ('zone = ["a1-d1"]', 'zone = ["d1-a1"]', ["arrangement.zone", "d1-a1", "lower left"]),
        ('zone = ["a1-d1"]', 'zone = ["a1-d3"]', ["arrangement.zone", "overlaps"]),
        ('zone = ["a1-d1"]', 'zone = ["a1-c1"]', ["arrangement.zone", "4", "3"]),
        ('zone = ["a1-d1"]', 'zone.1 = ["a1-d1"]', ["arrangement.zone", "seat 2"]),
        ('only.flag = ["b1", "c1"]', 'only.flag = ["b2"]', ["arrangement", "flag"]),
        ('only.flag = ["b1", "c1"]', 'only.king = ["b1"]', ["arrangement.only", "king", "captain, scout, flag"]),
        ('only.flag = ["b1", "c1"]', 'never.king = ["b1"]', ["arrangement.never", "king", "captain, scout, flag"]),
        ('order = ["captain", "scout"]', 'order = ["captain"]', ["combat", "scout"]),
        ('order = ["captain", "scout"]', 'order = ["captain", "scout", "king"]', ["combat.order", "king"]),
        ('defender = ["flag"]', 'defender = ["flags"]', ["combat.exceptions[0].defender", "flags"]),
        ('when = "no-legal-move"', 'when = "repetition"\noccurrences = 3', ["endings", "no-legal-move"]),
        ('when = "flag-captured"', 'when = "no-legal-move"', ["endings", "no-legal-move", "twice"]),
        ("[combat]", "[custodial]\n[combat]", ["combat", "custodial"]),
        ("files = 4", 'files = 4\nvoid = ["e5"]', ["board.void", "e5"]),
        ("files = 4", 'files = 4\ncamps = ["d9"]', ["board.camps", "d9"]),
        ("count = 2\n\n[movement", "count = 3\n\n[movement", ["seats.symmetry", "half-turn", "quarter-turn"]),
        ("count = 2\n\n[movement", "count = 2\nteams = [[1], [3]]\n\n[movement", ["seats.teams", "1 to 2"]),
        ('option = "reach", 2 = 2,', 'option = "range", 2 = 2,', ["movement.scout.range", "range", "reach"]),
        ('option = "reach", 2 = 2,', 'option = "reach",', ["movement.scout.range", "reach=2"]),
        # Not TOML at all.
        ("[board]", "[board", ["TOML"]),
    ],
)
def test_mistakes_are_named(load: Load, old: str, new: str, words: list[str]) -> None:
    with pytest.raises(RulesetError) as refused:
        load(changed(old, new))
    error = refused.value
    assert error.reason == "INVALID_RULESET"
    assert isinstance(error, (RefereeError, ValueError))
    lines = str(error).splitlines()
    assert len(lines) == len(error.problems) >= 1
    assert all(line.startswith("small.toml: ") for line in lines)
    for word in words:
        assert word in str(error), f"{word} is not in: {error}"


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "bytes.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RulesetError) as refused:
        read(path)
    assert "bytes.toml" in str(refused.value)


def test_several_mistakes_of_form_at_once(load: Load) -> None:
    text = changed("files = 4", "files = 99")
    text = changed('letter = "S"', 'letter = "ss"', text)
    text = changed('outcome = "A!"', 'outcome = "X"', text)
    with pytest.raises(RulesetError) as refused:
        load(text)
    problems = refused.value.problems
    assert len(problems) == 3
    for key in ("board.files", "kinds.1.letter", "combat.exceptions.0.outcome"):
        assert any(key in problem for problem in problems)


def test_several_contradictions_at_once(load: Load) -> None:
    text = changed('letter = "S"', 'letter = "C"')
    text = changed('movement = "step"', 'movement = "stride"', text)
    text = changed('order = ["captain", "scout"]', 'order = ["captain", "scout", "king"]', text)
    text = changed('when = "no-legal-move"', 'when = "repetition"\noccurrences = 3', text)
    with pytest.raises(RulesetError) as refused:
        load(text)
    text = str(refused.value)
    for words in ("letter 'C' stands twice", "no movement 'stride'", "no kind 'king'", "'no-legal-move' is missing"):
        assert words in text


def test_a_mistake_in_a_value_that_is_not_the_default(load: Load) -> None:
    """Reading a file tries every value of every option."""
    with pytest.raises(RulesetError) as refused:
        load(changed('any = "any"', "any = 99"))
    assert "movement.scout.range" in str(refused.value)


def test_defaults(load: Load) -> None:
    game = load(SMALL)
    assert dict(game.options) == {
        "reach": "2", "battle_reveal": "none", "ply_limit": "off", "quiet_limit": "off", "reveal_at_end": "off",
    }  # fmt: skip
    rules = game.ruleset
    assert (rules.seats, rules.teams, rules.last_side_wins) == (2, (1, 2), False)
    assert (rules.two_squares, rules.more_squares, rules.custodial) == (0, False, None)
    assert (rules.perfect_information, rules.fixed_start, rules.line_barred) == (False, False, (frozenset(),) * 2)
    assert (rules.ply_limit, rules.quiet_limit, rules.reveal_at_end) == (0, 0, False)
    seat_2 = {game.squares[square] for square in rules.zones[1].squares}
    assert seat_2 == {"a4", "b4", "c4", "d4"}
    flag = {game.squares[square] for square in rules.zones[1].allowed[2]}
    assert flag == {"b4", "c4"}
    assert [kind.movement.forward for kind in rules.kinds] == [1, 2, 0]
    assert load(SMALL, reach="any").ruleset.kinds[1].movement.forward == 255  # type: ignore[call-arg]


def test_the_digest_is_of_the_rules_alone(load: Load) -> None:
    digest = load(SMALL).digest
    assert len(digest) == 16
    for old, new in (
        ('id = "small"', 'id = "other"'),
        ('name = "Small"', 'name = "Klein"'),
        ('summary = "A small game."', 'summary = "Another text."'),
        ('meaning = "How far a scout goes."', 'meaning = "Its reach."'),
        ('letter = "S"', 'letter = "Z"'),
        ('name = "Scout"', 'name = "Runner"'),
        ("[board]", "# a comment\n[board]"),
        ('zone = ["a1-d1"]', 'zone = ["a1", "b1", "c1", "d1"]'),
        ('zone = ["a1-d1"]', 'zone.1 = ["a1-d1"]\nzone.2 = ["a4-d4"]'),
        ('values = ["2", "any"]', 'values = ["any", "2"]'),
    ):
        options = {"reach": "2"} if "values" in old else {}
        assert load(changed(old, new), **options).digest == digest, new


def test_the_digest_changes_with_every_rule(load: Load) -> None:
    digests = {load(SMALL).digest: "as it is"}
    for old, new in (
        ("files = 4", "files = 5"),
        ("files = 4", 'files = 4\nvoid = ["b3"]'),
        ("files = 4", 'files = 4\ncamps = ["b3"]'),
        ("range = 1", "forward = 1"),
        ("range = 1", "fly = true"),
        ("2 = 2", "2 = 1"),
        ("count = 2\nmovement", "count = 1\nmovement"),
        ('zone = ["a1-d1"]', 'zone = ["a1-d2"]'),
        ('only.flag = ["b1", "c1"]', 'only.flag = ["b1"]'),
        ('order = ["captain", "scout"]', 'order = ["scout", "captain"]'),
        ('outcome = "A!"', 'outcome = "B!"'),
        ("[arrangement]", "[restrictions]\ntwo_squares = 3\n[arrangement]"),
        ("[arrangement]", "[restrictions]\nmore_squares = true\n[arrangement]"),
        ('when = "no-legal-move"', 'when = "no-legal-move"\nboth_stuck = "draw"'),
        ('when = "no-legal-move"', 'when = "no-legal-move"\n[[endings]]\nwhen = "repetition"\noccurrences = 3'),
        ("count = 2\n\n[movement", 'count = 2\nelimination = "last-side-wins"\n\n[movement'),
    ):
        digest = load(changed(old, new)).digest
        assert digest not in digests, f"{new} has the digest of {digests[digest]}"
        digests[digest] = new
    for options in (
        {"reach": "any"},
        {"ply_limit": "5"},
        {"ply_limit": "6"},
        {"quiet_limit": "5"},
        {"reveal_at_end": "on"},
    ):
        assert load(SMALL, **options).digest not in digests
    exchanged = SMALL.replace('when = "flag-captured"', 'when = "x"').replace('"no-legal-move"', '"flag-captured"')
    assert load(exchanged.replace('when = "x"', 'when = "no-legal-move"')).digest not in digests


@pytest.mark.parametrize("path", sorted(BUILT_IN.glob("*.toml")), ids=lambda path: path.stem)
def test_built_in_files_in_every_choice(path: Path) -> None:
    """All combinations of the named values, and a number where there is one."""
    source = read(path)
    assert source.id == path.stem
    names = [option.name for option in source.options]
    choices = [["7" if value == "N" else value for value in option.values] for option in source.options]
    own = [
        values if name not in ("ply_limit", "quiet_limit", "reveal_at_end") else values[-1:]
        for name, values in zip(names, choices, strict=True)
    ]
    seen = set()
    for chosen in product(*own):
        options: Mapping[str, str] = dict(zip(names, chosen, strict=True))
        ruleset = source.ruleset(options)
        assert dict(ruleset.chosen) == options
        seen.add(Game(ruleset).digest)
    count = 1
    for values in own:
        count *= len(values)
    # Where nobody has a partner, what loses a team its match is not a rule.
    assert len(seen) == {"luzhanqi-four": 2 * 3 * 2 * 2 * 2 * (2 * 2 + 2)}.get(path.stem, count)


@pytest.mark.parametrize("path", sorted(RULESETS.glob("*.toml")), ids=lambda path: path.stem)
def test_the_files_of_these_tests(path: Path) -> None:
    assert read(path).id == path.stem


def test_reasons_of_unknown_names() -> None:
    """A choice that a file does not offer is no mistake of the file."""
    source = read(RULESETS / "trio.toml")
    for options, reason in (({"size": "9"}, "UNKNOWN_OPTION"), ({"stuck": "waits"}, "INVALID_OPTION_VALUE")):
        with pytest.raises(RefereeError) as refused:
            source.ruleset(options)
        assert refused.value.reason == reason
        assert refused.value.details["game"] == "trio"


def test_games_are_loaded_once() -> None:
    assert engine_core.load("luzhanqi-mini") is engine_core.load("luzhanqi-mini", battle_reveal="none")
    assert engine_core.load("luzhanqi-mini", ply_limit="5") is engine_core.load("luzhanqi-mini", ply_limit=5)


BORROWING = SMALL.replace('order = ["captain", "scout"]', 'order = ["captain", "scout"]\nborrows = ["captain"]')
STONES = SMALL[: SMALL.index("[combat]")].replace('name = "Small"', 'name = "Stones"') + (
    '[custodial]\ncorner = true\n[[endings]]\nwhen = "no-legal-move"\n'
)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            # What stands behind a piece depends on which way is forward.
            BORROWING,
            BORROWING.replace("count = 2\n\n[movement", 'count = 2\nforward = { 1 = "east", 2 = "west" }\n\n[movement'),
        ),
        (
            # d1 is a corner of four files, but not of five, of which the last is void.
            STONES.replace("count = 2\n\n[movement", 'count = 2\nsymmetry = "none"\n\n[movement')
            .replace('zone = ["a1-d1"]', 'zone = { 1 = ["a1-d1"], 2 = ["a4-d4"] }')
            .replace('only.flag = ["b1", "c1"]\n', ""),
            STONES.replace("count = 2\n\n[movement", 'count = 2\nsymmetry = "none"\n\n[movement')
            .replace('zone = ["a1-d1"]', 'zone = { 1 = ["a1-d1"], 2 = ["a4-d4"] }')
            .replace('only.flag = ["b1", "c1"]\n', "")
            .replace("files = 4", 'files = 5\nvoid = ["e1-e4"]'),
        ),
    ],
    ids=["forward", "corners"],
)
def test_the_digest_changes_with_what_lines_and_movements_do_not_tell(load: Load, first: str, second: str) -> None:
    assert load(first).digest != load(second).digest
