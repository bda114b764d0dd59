"""gunjin-shogi: the option between engineer and tank."""

import pytest

from . import game


@pytest.mark.parametrize(("chosen", "letter"), [("on", "A"), ("off", "D")])
def test_engineer_against_tank(chosen: str, letter: str) -> None:
    options = {"engineer_beats_tank": chosen}
    men = {1: {"e5": "engineer", "a1": "flag"}, 2: {"e6": "tank", "a9": "flag"}}
    attacked = game("gunjin-shogi", options).position(men, 1)
    assert attacked.play("e5e6").outcome == letter
    attacking = game("gunjin-shogi", options).position(men, 2)
    assert attacking.play("e6e5").outcome == {"A": "D", "D": "A"}[letter]


@pytest.mark.parametrize("chosen", ["on", "off"])
@pytest.mark.parametrize(
    ("attacker", "defender", "letter"),
    [("tank", "tank", "B"), ("engineer", "mine", "A"), ("tank", "mine", "D"), ("engineer", "cavalry", "D")],
)
def test_the_option_changes_nothing_else(chosen: str, attacker: str, defender: str, letter: str) -> None:
    match = game("gunjin-shogi", {"engineer_beats_tank": chosen}).position(
        {1: {"e5": attacker}, 2: {"e6": defender}}, 1
    )
    assert match.play("e5e6").outcome == letter
