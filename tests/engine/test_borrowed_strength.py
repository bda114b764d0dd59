"""A flag that defends with the strength of its side's piece right behind it (section 13 of the rules)."""

import pytest

import engine_core


@pytest.mark.parametrize(
    ("flag", "behind", "winner"),
    [("a3", "a2", "defender"), ("a5", "a4", "defender"), ("a3", "b3", "attacker"), ("a3", "a4", "attacker")],
    ids=["behind", "behind-across-the-river", "beside", "before"],
)
def test_what_counts_as_behind(flag: str, behind: str, winner: str) -> None:
    """A lieutenant general behind beats a tank: one rank nearer the own back row, and nowhere else."""
    game = engine_core.load("gunjin-shogi-23")
    source = {"a3": "b3" if behind != "b3" else "a4", "a5": "a6"}[flag]
    pieces = {1: {flag: "flag", behind: "lieutenant-general"}, 2: {source: "tank", "f8": "spy"}}
    assert game.position(pieces, to_move=2).play(source + flag).battle == winner


def test_behind_both_files_of_a_wide_square() -> None:
    """Behind c2 and d2 lies the headquarters c1, which is two squares wide."""
    game = engine_core.load("gunjin-shogi-23")
    for flag, source in (("c2", "b2"), ("d2", "e2")):
        pieces = {1: {flag: "flag", "c1": "general"}, 2: {source: "colonel", "f8": "spy"}}
        assert game.position(pieces, to_move=2).play(source + flag).battle == "defender"
