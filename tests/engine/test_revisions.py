"""Several revisions of a game side by side: new matches take the highest, running ones go on under their own rules."""

import pytest

import engine_core
from engine.rulesets_folder import Folder
from engine.test_rulesets import SMALL, changed
from engine_core import State
from engine_core.catalogue import read_rulesets
from engine_core.errors import RulesetError, RulesetUnavailable, UnknownGame

NEXT = changed('id = "small"', 'id = "small"\nrevision = 2', changed("ranks = 4", "ranks = 5"))
"""The second revision has a rank more."""


def arranged(game: engine_core.Game) -> State:
    state = game.start()
    for seat in game.seats:
        state = state.arrange(seat, game.random_arrangement(seat, seed=seat)).state
    return state


def refusal(rulesets: Folder) -> list[str]:
    with pytest.raises(RulesetError) as caught:
        rulesets.serve()
    return str(caught.value).splitlines()


def test_a_match_goes_on_under_the_rules_it_began_with(rulesets: Folder) -> None:
    first = rulesets.write("small", SMALL)
    rulesets.serve()
    state = arranged(engine_core.load("small"))
    kept = [state.to_bytes(), state.play("a1a2").state.to_bytes()]

    rulesets.forget()
    rulesets.write("small@2", NEXT)
    rulesets.serve()
    assert engine_core.revisions("small") == [2, 1]
    new = engine_core.load("small")
    assert (new.revision, len(new.squares)) == (2, 20)
    for data in kept:
        old = engine_core.decode(data)
        assert (old.game.revision, len(old.game.squares)) == (1, 16)
        assert old.to_bytes() == data
        turn = old.play(old.legal_moves()[0])
        assert engine_core.decode(turn.state.to_bytes()).game.revision == 1
    assert engine_core.decode(arranged(new).to_bytes()).game.revision == 2

    rulesets.forget()
    first.unlink()
    rulesets.serve()
    assert engine_core.revisions("small") == [2]
    for data in kept:
        with pytest.raises(RulesetUnavailable) as caught:
            engine_core.decode(data)
        assert caught.value.details["game"] == "small"


def test_states_of_both_revisions_with_options(rulesets: Folder) -> None:
    """The second revision has the other default: each state still gets the value that it was begun with."""
    rulesets.write("one", SMALL)
    rulesets.write("two", changed('values = ["2", "any"]', 'values = ["any", "2"]', NEXT))
    rulesets.serve()
    for revision in (1, 2):
        for reach in ("2", "any"):
            game = engine_core.load("small", revision, reach=reach, ply_limit="9")
            found = engine_core.decode(game.start().to_bytes()).game
            assert (found.revision, found.options["reach"], found.digest) == (revision, reach, game.digest)
    assert engine_core.load("small").options["reach"] == "any"
    assert engine_core.load("small", 1).options["reach"] == "2"


def test_equal_rules_in_two_revisions(rulesets: Folder) -> None:
    """A revision that changes names alone is that of running matches, too; the state keeps its bytes."""
    rulesets.write("one", SMALL)
    rulesets.serve()
    data = engine_core.load("small").start().to_bytes()
    assert engine_core.decode(data).game.name == "Small"
    rulesets.write("two", changed('name = "Small"', 'name = "Little"\nrevision = 2'))
    rulesets.serve()
    state = engine_core.decode(data)
    assert (state.game.revision, state.game.name, state.to_bytes()) == (2, "Little", data)


def test_a_revision_of_a_built_in_game(rulesets: Folder) -> None:
    """Its file says only what differs; the games that are based on the built-in file keep their rules."""
    old = engine_core.load("hidden-capture-flag").start().to_bytes()
    digests = {name: engine_core.load(name).digest for name in ("capture-flag-tournament", "capture-flag-barrage")}
    rulesets.write(
        "hidden-capture-flag@2",
        'base = "hidden-capture-flag"\nrevision = 2\n[arrangement]\nonly.flag = ["a1-j1"]\n',
    )
    rulesets.serve()
    new = engine_core.load("hidden-capture-flag")
    assert (new.revision, new.name) == (2, "Hidden Capture Flag")
    flag = new.ruleset.zones[0].allowed[new.kinds.index("flag")]
    assert {new.squares[square] for square in flag} == {f"{file}1" for file in "abcdefghij"}
    assert engine_core.decode(old).game.revision == 1
    assert {name: engine_core.load(name).digest for name in digests} == digests


def test_a_file_over_the_built_in_one_of_its_own_name(rulesets: Folder) -> None:
    rulesets.write("luzhanqi-mini", 'base = "luzhanqi-mini"\nrevision = 3\n[board]\ncamps = []\n')
    rulesets.serve()
    assert engine_core.revisions("luzhanqi-mini") == [3, 1]
    assert not engine_core.load("luzhanqi-mini").ruleset.board.camps


def test_a_revision_is_not_inherited(rulesets: Folder) -> None:
    rulesets.write("small", changed('id = "small"', 'id = "small"\nrevision = 7'))
    rulesets.write("other", 'base = "small"\nid = "other"\n')
    rulesets.serve()
    assert (engine_core.load("small").revision, engine_core.load("other").revision) == (7, 1)


def test_two_files_of_one_revision(rulesets: Folder) -> None:
    before = engine_core.games()
    rulesets.write("a", SMALL)
    rulesets.write("b", changed("ranks = 4", "ranks = 5"))
    assert refusal(rulesets) == [
        "b.toml: revision 1 of small is that of a.toml, too, which says something else; give one of them a higher"
        " revision, or another id"
    ]
    assert engine_core.games() == before
    rulesets.write("b", SMALL + "# a copy\n")
    rulesets.serve()
    assert engine_core.revisions("small") == [1]


def test_the_revision_of_a_built_in_game_is_taken(rulesets: Folder) -> None:
    rulesets.write("mine", 'base = "mak-yek"\n[board]\nranks = 9\n[arrangement]\nfixed.stone = ["a1-h1", "a3-h3"]\n')
    assert refusal(rulesets) == [
        "mine.toml: revision 1 of mak-yek is that of built-in mak-yek.toml, too, which says something else; give one of"
        " them a higher revision, or another id"
    ]


def test_a_second_folder_is_added_to_the_first(rulesets: Folder) -> None:
    file = rulesets.write("small", SMALL)
    rulesets.serve()
    file.write_text(NEXT, encoding="utf-8")
    rulesets.serve()
    assert engine_core.revisions("small") == [2, 1]


def test_what_is_no_ruleset_file_is_passed_over(rulesets: Folder) -> None:
    rulesets.write("small", SMALL)
    for name in (".small.toml", "small.toml~", "README.md"):
        (rulesets.path / name).write_text("not TOML", encoding="utf-8")
    rulesets.serve()
    assert "small" in engine_core.games()


def test_a_revision_that_is_not_loaded(rulesets: Folder) -> None:
    rulesets.write("small", SMALL)
    rulesets.write("two", NEXT)
    rulesets.serve()
    with pytest.raises(UnknownGame) as caught:
        engine_core.load("small", 3)
    assert str(caught.value) == "small has no revision 3; there are 2, 1."
    with pytest.raises(UnknownGame):
        engine_core.revisions("nothing")


def test_reading_alone_serves_nothing(rulesets: Folder) -> None:
    (source,) = read_rulesets([rulesets.write("small", SMALL)])
    assert source.id == "small"
    assert "small" not in engine_core.games()
