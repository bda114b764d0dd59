"""Ruleset files with a base: what of the base stays, what is replaced, and how mistakes are answered."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

import engine_core
from engine_core import Game
from engine_core.errors import RulesetError
from engine_core.ruleset_file import read

BASE = """
id = "small"
name = "Small"
summary = "A small game."

[options.reach]
meaning = "How far a scout goes."
values = ["2", "any"]

[options.stuck]
meaning = "What becomes of both being stuck."
values = ["mover-wins", "draw"]

[board]
files = 4
ranks = 5
camps = ["b3"]

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
both_stuck = { option = "stuck", mover-wins = "mover-wins", draw = "draw" }
"""

HEAD = 'base = "small"\nid = "other"\nname = "Other"\n'

KING = """
[[kinds]]
id = "king"
letter = "K"
name = "King"
count = 2
movement = "step"

[combat]
order = ["king"]
exceptions = []

[[endings]]
when = "no-legal-move"
"""

Load = Callable[..., Game]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Read other.toml, beside which is small.toml."""
    (tmp_path / "small.toml").write_text(BASE, encoding="utf-8")

    def load_text(text: str, head: str = HEAD, **options: str) -> Game:
        path = tmp_path / "other.toml"
        path.write_text(head + text, encoding="utf-8")
        return Game(read(path).ruleset(options))

    return load_text


@pytest.fixture
def small(tmp_path: Path) -> Game:
    path = tmp_path / "small.toml"
    path.write_text(BASE, encoding="utf-8")
    return Game(read(path).ruleset({}))


def problems(load: Load, text: str, head: str = HEAD, file: str = "other.toml") -> str:
    """What is wrong with a file that must be refused: a line for each mistake, with the name of the file."""
    with pytest.raises(RulesetError) as refused:
        load(text, head)
    lines = str(refused.value).splitlines()
    assert len(lines) == len(refused.value.problems)
    assert all(line.startswith(f"{file}: ") for line in lines)
    return str(refused.value)


def names(game: Game, squares: Iterable[int]) -> set[str]:
    return {game.squares[square] for square in squares}


def test_nothing_changed(load: Load, small: Game) -> None:
    """Only the names differ, so the rules have the digest of the base."""
    game = load("")
    assert (game.id, game.name, game.ruleset.summary) == ("other", "Other", "A small game.")
    assert (game.digest, dict(game.options)) == (small.digest, dict(small.options))


def test_keys_of_tables_are_overlaid(load: Load, small: Game) -> None:
    game = load('[board]\nranks = 7\n[arrangement]\nnever.scout = ["a1"]\n[movement.step]\nrange = 2\n')
    board = game.ruleset.board
    assert (board.files, board.ranks, names(game, board.camps)) == (4, 7, {"b3"})
    allowed = [names(game, squares) for squares in game.ruleset.zones[0].allowed]
    assert allowed == [{"a1", "b1", "c1", "d1"}, {"b1", "c1", "d1"}, {"b1", "c1"}]
    assert names(game, game.ruleset.zones[1].allowed[2]) == {"b7", "c7"}
    # The scouts cannot stand on a1, so the captain does, and the flag has its two squares.
    assert (small.arrangement_count(1), game.arrangement_count(1)) == (6, 2)
    assert [kind.movement.forward for kind in game.ruleset.kinds] == [2, 2, 0]


def test_new_tables(load: Load, small: Game) -> None:
    game = load("[restrictions]\ntwo_squares = 3\n")
    assert (game.ruleset.two_squares, small.ruleset.two_squares) == (3, 0)
    assert game.digest != small.digest


def test_lists_are_replaced_whole(load: Load, tmp_path: Path) -> None:
    """None of the kinds, exceptions, endings and squares of the base is left."""
    (tmp_path / "flagless.toml").write_text(BASE.replace('only.flag = ["b1", "c1"]\n', ""), encoding="utf-8")
    game = load('[board]\ncamps = ["c3"]\n' + KING, HEAD.replace("small", "flagless"))
    rules = game.ruleset
    assert (game.kinds, names(game, rules.board.camps)) == (("king",), {"c3"})
    assert [ending.when for ending in rules.endings] == ["no-legal-move"]
    assert rules.combat is not None
    assert rules.combat.outcomes == (("B",),)


def test_a_choice_is_replaced_whole(load: Load) -> None:
    game = load("[movement.scout]\nrange = 3\n", reach="any")
    assert game.ruleset.kinds[1].movement.forward == 3
    game = load('[movement.scout]\nrange = { option = "stuck", mover-wins = 1, draw = 4 }\n', stuck="draw", reach="any")
    assert game.ruleset.kinds[1].movement.forward == 4
    found = problems(load, '[movement.scout]\nrange = { option = "reach", 2 = 3 }\n')
    assert "movement.scout.range" in found
    assert "reach=any" in found


def test_a_table_in_place_of_a_choice_and_the_other_way_round(load: Load) -> None:
    chosen = """[board]\nfiles = { option = "reach", 2 = 4, any = 8 }\n"""
    assert [len(load(chosen, reach=reach).squares) for reach in ("2", "any")] == [20, 40]


def test_options_in_another_order_have_another_default(load: Load, small: Game) -> None:
    """The meaning stays, and so do the other options and the order of all."""
    game = load('[options.stuck]\nvalues = ["draw", "mover-wins"]\n')
    (stuck,) = [option for option in game.ruleset.options if option.name == "stuck"]
    assert (stuck.default, stuck.values) == ("draw", ("draw", "mover-wins"))
    assert stuck.meaning == "What becomes of both being stuck."
    assert list(game.options) == list(small.options)
    assert (game.options["stuck"], game.options["reach"]) == ("draw", "2")
    assert game.digest != small.digest
    assert load('[options.stuck]\nvalues = ["draw", "mover-wins"]\n', stuck="mover-wins").digest == small.digest


def test_an_option_more(load: Load) -> None:
    text = '[options.width]\nmeaning = "Files."\nvalues = ["4", "5"]\n'
    text += '[board]\nfiles = { option = "width", 4 = 4, 5 = 5 }\n'
    assert len(load(text, width="5", reach="any").squares) == 25


def test_a_base_of_a_base(load: Load, tmp_path: Path) -> None:
    """Each file over the one that it names."""
    (tmp_path / "middle.toml").write_text(HEAD.replace("other", "middle") + "[board]\nranks = 6\nfiles = 5\n")
    game = load("[board]\nfiles = 6\n", HEAD.replace("small", "middle"))
    board = game.ruleset.board
    assert (board.files, board.ranks, names(game, board.camps)) == (6, 6, {"b3"})


def test_a_built_in_base(load: Load) -> None:
    """Hasami Shogi of eight stones a side on seven ranks, from a file elsewhere."""
    text = """
[board]
files = 8
ranks = 7
[[kinds]]
id = "stone"
letter = "S"
name = "Stone"
count = 8
movement = "slide"
[arrangement]
fixed.stone = ["a1-h1"]
"""
    game = load(text, HEAD.replace("small", "hasami-shogi"), corner="on")
    pieces = game.start().pieces()
    assert [sorted(men) for men in pieces.values()] == [[f"{file}{rank}" for file in "abcdefgh"] for rank in (1, 7)]
    # Each stone slides over the five ranks between.
    assert len(game.start().legal_moves()) == 8 * 5


def test_a_base_in_the_same_folder_comes_before_a_built_in_one(load: Load, tmp_path: Path) -> None:
    (tmp_path / "hasami-shogi.toml").write_text(BASE, encoding="utf-8")
    assert load("", HEAD.replace("small", "hasami-shogi")).kinds == ("captain", "scout", "flag")


def test_the_games_with_a_base_are_what_the_rules_say() -> None:
    """Sections 11 and 12: other defaults alone, and eight pieces in place of forty."""
    chosen = engine_core.load("hidden-capture-flag", two_squares="3", more_squares="on", both_stuck="draw")
    tournament = engine_core.load("capture-flag-tournament")
    assert tournament.digest == chosen.digest
    assert tournament.options == chosen.options
    other = {"two_squares": "off", "more_squares": "off", "both_stuck": "mover-wins", "battle_reveal": "event"}
    assert engine_core.load("capture-flag-tournament", **other).digest == engine_core.load("hidden-capture-flag").digest
    barrage = engine_core.load("capture-flag-barrage")
    assert dict(barrage.options) == dict(engine_core.load("hidden-capture-flag").options)
    assert {name: barrage.options[name] for name in other} == other
    assert {kind.id: kind.count for kind in barrage.ruleset.kinds} == {
        "marshal": 1, "general": 1, "miner": 1, "scout": 2, "spy": 1, "bomb": 1, "flag": 1,
    }  # fmt: skip
    assert len(barrage.ruleset.zones[0].squares) == 40
    assert barrage.arrangement_count(1) == 1_550_398_449_600


# Mistakes.


@pytest.mark.parametrize(
    "base",
    [
        '"nothing"',
        '""',
        '"SMALL"',
        '"small.toml"',
        '"./other"',
        '"../small"',
        "5",
        '["small"]',
        "true",
        "{ small = 1 }",
    ],
)
def test_there_is_no_such_base(load: Load, base: str) -> None:
    found = problems(load, "", HEAD.replace('"small"', base))
    assert "base: " in found
    assert "small" in found
    assert "hidden-hasami" in found


def test_a_base_with_a_long_name(load: Load) -> None:
    found = problems(load, "", HEAD.replace("small", "x" * 1000))
    assert "base: " in found
    assert len(found) < 1000


def test_a_base_that_leads_back(load: Load, tmp_path: Path) -> None:
    assert "base: other leads back" in problems(load, "", HEAD.replace("small", "other"))
    (tmp_path / "one.toml").write_text(HEAD.replace("small", "two"))
    (tmp_path / "two.toml").write_text(HEAD.replace("small", "other"))
    found = problems(load, "", HEAD.replace("small", "one"), file="two.toml")
    assert "base: other leads back" in found
    (tmp_path / "two.toml").write_text(HEAD.replace("small", "one"))
    assert "leads back" in problems(load, "", HEAD.replace("small", "one"), file="two.toml")


def test_several_mistakes_at_once(load: Load) -> None:
    """Of form: all are named, under the file that has the base."""
    text = '[board]\nfiles = 99\nranks = "x"\n[movement.step]\nspeed = 1\n[[endings]]\nwhen = "never"\n'
    found = problems(load, text)
    for key in ("board.files", "board.ranks", "movement.step.speed", "endings.0"):
        assert key in found
    assert len(found.splitlines()) == 4


def test_several_contradictions_at_once(load: Load) -> None:
    """What was replaced and what was not do not fit: the base's zones and combat name kinds that are gone."""
    found = problems(load, KING.replace('order = ["king"]', 'order = ["king", "captain"]'))
    for words in ("arrangement.only", "captain", "flag"):
        assert words in found
    assert len(found.splitlines()) >= 2


def test_a_mistake_of_the_base_is_named_too(load: Load, tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(BASE.replace("files = 4", "files = 0"), encoding="utf-8")
    assert "board.files" in problems(load, "")
    assert load("[board]\nfiles = 4\n").kinds == ("captain", "scout", "flag")
    (tmp_path / "small.toml").write_text("[board", encoding="utf-8")
    assert "TOML" in problems(load, "", file="small.toml")


def test_a_fixed_start_over_a_zone_is_a_contradiction(load: Load) -> None:
    text = '[arrangement]\nfixed = { captain = ["a1"], scout = ["b1", "d1"], flag = ["c1"] }\n'
    assert "zone" in problems(load, text)
