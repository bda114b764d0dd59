"""Single pieces of evidence and what follows from them: section 14 of the rules, row by row, and the matrices."""

from collections.abc import Mapping
from typing import NamedTuple

from .scripted import NOTHING, Arrangement


class Row(NamedTuple):
    """A few moves, and what they exclude for a piece of seat 2, for seat 1, or the only kinds that they leave."""

    game: str
    own: Arrangement
    theirs: Arrangement
    moves: tuple[str, ...]
    piece: str
    excluded: frozenset[str] | None = None
    left: frozenset[str] | None = None
    first: int = 1
    options: Mapping[str, str] = NOTHING


def kinds(words: str) -> frozenset[str]:
    return frozenset(words.split())


SALPAKAN = {"a8": "flag", "a7": "private", "b7": "spy", "c8": "five-star", "d8": "sergeant", "e8": "major"}
OFFICERS_OF_SALPAKAN = frozenset({"five-star", "sergeant", "major"})
GUNJIN = {
    "a9": "general",
    "b9": "captain",
    "c9": "cavalry",
    "e9": "engineer",
    "g9": "aircraft",
    "h9": "mine",
    "i9": "flag",
    "i8": "tank",
    "h8": "spy",
    "g8": "major",
}
RIVER = {
    "a8": "general",
    "b8": "captain",
    "f8": "cavalry",
    "a7": "engineer",
    "f7": "aircraft",
    "f6": "mine",
    "a6": "flag",
    "b6": "tank",
    "e6": "spy",
    "e8": "major",
}
ME = {"a1": "flag", "f2": "captain"}
"""Where the flag does not move."""
FLAG = {
    "a10": "marshal",
    "b10": "spy",
    "c10": "miner",
    "d10": "scout",
    "e10": "bomb",
    "f10": "flag",
    "g10": "general",
}
RAILS = {"a12": "marshal", "b12": "flag", "c12": "engineer", "d12": "mine", "e12": "bomb", "c11": "captain"}
MINI = {"a8": "commander", "b8": "flag", "c8": "mine", "d8": "bomb", "e8": "engineer", "g8": "soldier"}


def at(roster: Arrangement, kind: str, square: str) -> Arrangement:
    """The piece of this kind, of which there is one, stands elsewhere."""
    return {square if found == kind else other: found for other, found in roster.items()}


# fmt: off
ROWS = {
    "mini, moved": Row(
        "luzhanqi-mini", {"a1": "flag", "d1": "soldier"}, at(MINI, "engineer", "e6"), ("e6e5",), "e6",
        excluded=kinds("mine flag"), first=2,
    ),
    "mini, B against a soldier": Row(
        "luzhanqi-mini", {"a1": "flag", "e5": "soldier", "g1": "soldier"}, at(MINI, "soldier", "e6"), ("e5e6",), "e6",
        left=kinds("soldier bomb"),
    ),
    "mini, D against a soldier": Row(
        "luzhanqi-mini", {"a1": "flag", "e5": "soldier", "g1": "soldier"}, at(MINI, "mine", "e6"), ("e5e6",), "e6",
        left=kinds("commander mine"),
    ),
    "mini, a removed piece": Row(
        "luzhanqi-mini", {"a1": "flag", "e5": "commander"}, at(MINI, "soldier", "e6"), ("e5e6",), "e6",
        left=kinds("soldier engineer"),
    ),
    "salpakan, moved": Row("salpakan-classic", {"a1": "flag"}, SALPAKAN, ("a7a6",), "a7", excluded=kinds(""), first=2),
    "salpakan, an attacker that lost": Row(
        "salpakan-classic", {"a1": "flag", "d4": "five-star"}, at(SALPAKAN, "major", "d5"), ("d5d4",), "d5",
        left=OFFICERS_OF_SALPAKAN - {"five-star"} | {"private"}, first=2,
    ),
    "salpakan, an attacking flag that is only removed": Row(
        "salpakan-classic", {"a1": "flag", "d4": "five-star"}, at(SALPAKAN, "flag", "d5"), ("d5d4",), "d5",
        left=OFFICERS_OF_SALPAKAN - {"five-star"} | {"private", "flag"}, first=2,
        options={"flag_attack": "continues"},
    ),
    "salpakan, an own spy that lost": Row(
        "salpakan-classic", {"a1": "flag", "d4": "spy"}, at(SALPAKAN, "private", "d5"), ("d4d5",), "d5",
        left=kinds("private"),
    ),
    "salpakan, an own spy that won": Row(
        "salpakan-classic", {"a1": "flag", "d4": "spy"}, at(SALPAKAN, "major", "d5"), ("d4d5",), "d5",
        left=OFFICERS_OF_SALPAKAN,
    ),
    "salpakan, B against an officer": Row(
        "salpakan-classic", {"a1": "flag", "d4": "major"}, at(SALPAKAN, "major", "d5"), ("d4d5",), "d5",
        left=kinds("major"),
    ),
    "salpakan, just arrived": Row(
        "salpakan-classic", {"a5": "flag"}, at(SALPAKAN, "private", "d2"), ("d2d1",), "d2", excluded=kinds(""), first=2,
    ),
    "salpakan, after one reply": Row(
        "salpakan-classic", {"a5": "flag"}, at(SALPAKAN, "private", "d2"), ("d2d1", "a5a4"), "d2",
        excluded=kinds("flag"), first=2,
    ),
    "salpakan, arrived unopposed": Row(
        "salpakan-classic", {"a5": "flag"}, at(SALPAKAN, "private", "d2"), ("d2d1",), "d2",
        excluded=kinds("flag"), first=2, options={"arrival": "adjacent"},
    ),
    "salpakan, arrived beside an enemy": Row(
        "salpakan-classic", {"e1": "flag"}, at(SALPAKAN, "private", "d2"), ("d2d1",), "d2",
        excluded=kinds(""), first=2, options={"arrival": "adjacent"},
    ),
    "salpakan, an announced claim": Row(
        "salpakan-classic", {"a5": "flag"}, at(SALPAKAN, "flag", "d2"), ("d2d1",), "d2", left=kinds("flag"), first=2,
        options={"claim": "announced"},
    ),
    "salpakan, no claim announced": Row(
        "salpakan-classic", {"a5": "flag"}, at(SALPAKAN, "private", "d2"), ("d2d1",), "d2",
        excluded=kinds("flag"), first=2, options={"claim": "announced"},
    ),
    "capture flag, moved": Row(
        "hidden-capture-flag", {"a1": "flag", "b1": "miner"}, FLAG, ("g10g9",), "g10", excluded=kinds("bomb flag"),
        first=2,
    ),
    "capture flag, two squares": Row(
        "hidden-capture-flag", {"a1": "flag", "b1": "miner"}, FLAG, ("d10d8",), "d10", left=kinds("scout"), first=2,
    ),
    "capture flag, a miner won against a bomb or less": Row(
        "hidden-capture-flag", {"a1": "flag", "e9": "miner"}, FLAG, ("e9e10",), "e10", left=kinds("spy scout bomb"),
        options={"battle_reveal": "none"},
    ),
    "capture flag, a spy won": Row(
        "hidden-capture-flag", {"a1": "flag", "a9": "spy"}, FLAG, ("a9a10",), "a10", left=kinds("marshal"),
        options={"battle_reveal": "none"},
    ),
    "capture flag, a marshal lost": Row(
        "hidden-capture-flag", {"a1": "flag", "b1": "miner", "e9": "marshal"}, FLAG, ("e9e10",), "e10",
        left=kinds("bomb"), options={"battle_reveal": "none"},
    ),
    "gunjin, moved": Row("gunjin-shogi", {"a1": "flag"}, GUNJIN, ("g8g7",), "g8", excluded=kinds("mine"), first=2),
    "gunjin, two squares": Row(
        "gunjin-shogi", {"a1": "flag"}, GUNJIN, ("b9b7",), "b9", left=kinds("captain cavalry engineer aircraft"),
        first=2,
    ),
    "gunjin, three squares": Row(
        "gunjin-shogi", {"a1": "flag"}, GUNJIN, ("c9c6",), "c9", left=kinds("cavalry engineer aircraft"), first=2,
    ),
    "gunjin, four squares": Row(
        "gunjin-shogi", {"a1": "flag"}, GUNJIN, ("e9e5",), "e9", left=kinds("engineer aircraft"), first=2,
    ),
    "gunjin, not straight": Row(
        "gunjin-shogi", {"a1": "flag"}, GUNJIN, ("g9e5",), "g9", left=kinds("aircraft"), first=2,
    ),
    "gunjin, over a piece": Row(
        "gunjin-shogi", {"a1": "flag"}, GUNJIN, ("g9g7",), "g9", left=kinds("aircraft"), first=2,
    ),
    "gunjin, on a headquarters": Row(
        "gunjin-shogi", {"a1": "flag"}, at(GUNJIN, "tank", "d2"), ("d2d1",), "d2", left=kinds("tank aircraft engineer"),
        first=2,
    ),
    "gunjin, a mine was taken": Row(
        "gunjin-shogi", {"a1": "flag", "d4": "mine"}, at(GUNJIN, "engineer", "d5"), ("d5d4",), "d5",
        left=kinds("aircraft engineer"), first=2,
    ),
    "gunjin, a mine went with the attacker": Row(
        "gunjin-shogi", {"a1": "flag", "d4": "mine", "f4": "tank"}, at(GUNJIN, "flag", "d5"), ("d5d4",), "d5",
        left=kinds("flag"), first=2,
    ),
    "gunjin, B in attack": Row(
        "gunjin-shogi", {"a1": "flag", "d4": "tank"}, at(GUNJIN, "tank", "d5"), ("d5d4",), "d5",
        left=kinds("tank flag"), first=2,
    ),
    "gunjin, B in defence": Row(
        "gunjin-shogi", {"a1": "flag", "d4": "tank"}, at(GUNJIN, "tank", "d5"), ("d4d5",), "d5", left=kinds("tank"),
    ),
    "rails, moved": Row("luzhanqi", {"a1": "flag"}, RAILS, ("c11c10",), "c11", excluded=kinds("mine flag"), first=2),
    "rails, round a corner": Row(
        "luzhanqi", {"a1": "flag"}, at(RAILS, "engineer", "b11"), ("b11a8",), "b11", left=kinds("engineer"), first=2,
    ),
    "rails, straight": Row(
        "luzhanqi", {"a1": "flag"}, at(RAILS, "captain", "a11"), ("a11a8",), "a11",
        left=kinds("marshal captain engineer bomb"), first=2,
    ),
    "rails, B in defence": Row(
        "luzhanqi", {"a1": "flag", "c10": "captain"}, RAILS, ("c10c11",), "c11", left=kinds("captain bomb mine"),
        options={"battle_reveal": "none"},
    ),
    "rails, B in defence where mines stay": Row(
        "luzhanqi", {"a1": "flag", "c10": "captain"}, RAILS, ("c10c11",), "c11", left=kinds("captain bomb"),
        options={"battle_reveal": "none", "mine": "stays"},
    ),
    "rails, B with a marshal and no flag shown": Row(
        "luzhanqi", {"a1": "flag", "d10": "marshal"}, at(RAILS, "bomb", "d11"), ("d10d11",), "d11",
        left=kinds("bomb mine"), options={"battle_reveal": "none", "marshal_death_shows_flag": "on"},
    ),
    "rails, B with a marshal where no flag would be shown": Row(
        "luzhanqi", {"a1": "flag", "d10": "marshal"}, at(RAILS, "bomb", "d11"), ("d10d11",), "d11",
        left=kinds("marshal bomb mine"), options={"battle_reveal": "none"},
    ),
    "rails, B and the flag shown": Row(
        "luzhanqi", {"a1": "flag", "d10": "bomb"}, at(RAILS, "marshal", "d11"), ("d10d11",), "d11",
        left=kinds("marshal"), options={"battle_reveal": "none", "marshal_death_shows_flag": "on"},
    ),
    "river, moved": Row(
        "gunjin-shogi-23", ME, RIVER, ("e6e5",), "e6", excluded=kinds("mine flag"), first=2,
    ),
    "river, two forward": Row(
        "gunjin-shogi-23", ME, RIVER, ("b6b4",), "b6", left=kinds("tank cavalry engineer aircraft"), first=2,
    ),
    "river, three forward": Row(
        "gunjin-shogi-23", ME, at(RIVER, "engineer", "e7"), ("e6d6", "f2f3", "e7e4"), "e7",
        left=kinds("engineer aircraft"), first=2,
    ),
    "river, two back": Row(
        "gunjin-shogi-23", ME, at(RIVER, "engineer", "d5"), ("d5d7",), "d5", left=kinds("engineer aircraft"),
        first=2,
    ),
    "river, two sideways": Row(
        "gunjin-shogi-23", ME, at(RIVER, "engineer", "d5"), ("d5b5",), "d5", left=kinds("engineer"), first=2,
    ),
    "river, over a piece": Row(
        "gunjin-shogi-23", ME, RIVER, ("f7f5",), "f7", left=kinds("aircraft"), first=2,
    ),
    "river, off the bridges": Row(
        "gunjin-shogi-23", ME, at(RIVER, "aircraft", "d5"), ("d5d4",), "d5", left=kinds("aircraft"), first=2,
    ),
    "river, on the headquarters": Row(
        "gunjin-shogi-23", ME, at(RIVER, "spy", "b1"), ("b1c1",), "b1",
        left=kinds("captain cavalry engineer aircraft tank spy"), first=2,
    ),
    "river, D with a piece behind": Row(
        # A flag at b6 has the strength of b7, which may be the general.
        "gunjin-shogi-23", {**ME, "b5": "major"}, at(at(RIVER, "tank", "b6"), "captain", "b7"), ("b5b6",), "b6",
        left=kinds("general aircraft tank flag"),
    ),
    "river, D with nothing behind": Row(
        "gunjin-shogi-23", {**ME, "d5": "major"}, at(RIVER, "tank", "d6"), ("d5d6",), "d6",
        left=kinds("general aircraft tank"),
    ),
    "river, A with nothing behind": Row(
        "gunjin-shogi-23", {**ME, "d5": "engineer"}, at(RIVER, "flag", "d6"), ("d5d6",), "d6",
        left=kinds("tank spy mine flag"),
    ),
}
# fmt: on
