"""GetGame tells the rules of every game: what a client puts into words from its answer alone is what the rules say."""

from collections import Counter
from collections.abc import Mapping

import pytest
from contract import Answer
from shinpan.v1 import game_pb2
from told_rules import summary, totals

import engine_core

GAMES = engine_core.games()

# Squares that exist, camps, headquarters, pieces of a seat, squares of a zone.
SIZES = {
    "hidden-hasami": (49, 0, 0, 7, 7),
    "hasami-shogi": (81, 0, 0, 9, 9),
    "dai-hasami-shogi": (81, 0, 0, 18, 18),
    "mak-yek": (64, 0, 0, 16, 16),
    "hasami-five": (81, 0, 0, 18, 18),
    "luzhanqi-mini": (56, 4, 4, 14, 14),
    "salpakan-classic": (72, 0, 0, 21, 27),
    "hidden-capture-flag": (92, 0, 0, 40, 40),
    "capture-flag-tournament": (92, 0, 0, 40, 40),
    "capture-flag-barrage": (92, 0, 0, 8, 40),
    "gunjin-shogi": (81, 0, 4, 31, 36),
    "gunjin-shogi-23": (46, 0, 2, 23, 23),
    "luzhanqi": (60, 10, 4, 25, 25),
    "luzhanqi-tournament": (60, 10, 4, 25, 25),
    "luzhanqi-four": (129, 20, 8, 25, 25),
}


@pytest.mark.parametrize("game_id", GAMES)
def test_sizes(answer: Answer, game_id: str) -> None:
    game = answer(game_id)
    terrains = Counter(square.terrain for square in game.board.squares)
    pieces = sum(kind.count for kind in game.kinds)
    camps, headquarters = terrains[game_pb2.TERRAIN_CAMP], terrains[game_pb2.TERRAIN_HEADQUARTERS]
    zones = {len(seat.zone.squares) for seat in game.seats}
    assert (len(game.board.squares), camps, headquarters, pieces) == SIZES[game_id][:4]
    assert zones == {SIZES[game_id][4]}
    assert len(game.seats) == (4 if game_id == "luzhanqi-four" else 2)


STUCK = "without a move loses, both mover wins"
STUCK_DRAW = "without a move loses, both draw"
PASSED = "without a move is passed over, both draw"

ENDINGS = {
    "hidden-hasami": ["loses with its leader", "loses with 1 left", "draw at occurrence 3", STUCK],
    "hasami-shogi": ["wins with 5 captured", "draw at occurrence 3", STUCK],
    "dai-hasami-shogi": ["wins with 5 captured", "draw at occurrence 3", STUCK],
    "mak-yek": ["wins with 5 captured", "draw at occurrence 3", STUCK],
    "hasami-five": ["wins with 5 on ranks files diagonals", "loses with 1 left", "draw at occurrence 3", STUCK],
    "luzhanqi-mini": ["loses with its flag", STUCK],
    "salpakan-classic": ["loses with its flag", "wins with its flag on a8 b8 c8 d8 e8 f8 g8 h8 i8, later", STUCK],
    "hidden-capture-flag": ["loses with its flag", STUCK],
    "capture-flag-tournament": ["loses with its flag", STUCK_DRAW],
    "capture-flag-barrage": ["loses with its flag", STUCK],
    "gunjin-shogi": ["loses with its flag", "wins on an enemy headquarters, but for aircraft tank engineer", STUCK],
    "gunjin-shogi-23": [
        "wins on an enemy headquarters, but for captain lieutenant second-lieutenant cavalry aircraft tank engineer "
        "spy mine flag",
        STUCK_DRAW,
    ],
    "luzhanqi": ["loses with its flag", PASSED],
    "luzhanqi-tournament": ["loses with its flag", STUCK_DRAW],
    "luzhanqi-four": ["loses with its flag", PASSED],
}


@pytest.mark.parametrize("game_id", GAMES)
def test_endings_in_order(answer: Answer, game_id: str) -> None:
    told = [line.partition(". ") for line in summary(answer(game_id)) if line[0].isdigit() and line[1] == "."]
    assert [number for number, _, _ in told] == [str(number) for number in range(1, len(told) + 1)]
    assert [text for _, _, text in told] == ENDINGS[game_id]


SEEN, OUTCOMES = "everything is seen", "battles tell their outcome only"
NAMED = "battles name both kinds"
SURVIVORS = "battles name both kinds, and the survivor is shown from then on"

# Other lines that the rules of a game must have, and the beginnings of lines that must not be there.
LINES: Mapping[str, tuple[list[str], list[str]]] = {
    "hidden-hasami": (
        ["1 leader (L): forward any distance, backward any distance, sideways any distance", "kinds are hidden"],
        ["leader not", "leader only", "no "],
    ),
    "hasami-shogi": ([SEEN, "captures runs between two of its own", "starts on a1 b1 c1 d1 e1 f1 g1 h1 i1"], []),
    "dai-hasami-shogi": ([SEEN, "captures runs between two of its own"], []),
    "mak-yek": (
        [
            "captures runs between two of its own, intervention",
            "starts on a1 b1 c1 d1 e1 f1 g1 h1 a3 b3 c3 d3 e3 f3 g3 h3",
        ],
        [],
    ),
    "hasami-five": (
        [SEEN, "18 stone (S): forward any distance, backward any distance, sideways any distance, over a neighbour"],
        [],
    ),
    "luzhanqi-mini": (
        [OUTCOMES, "flag only on b1 f1", "mine only on a1 b1 c1 d1 e1 f1 g1", "bomb only on a1 b1 c1 d1 e1 f1 g1"],
        ["commander only", "nothing leaves"],
    ),
    "salpakan-classic": (
        [
            OUTCOMES,
            "arranges 21 pieces on 27 squares, 6 stay empty",
            "6 private (I): forward 1, backward 1, sideways 1",
        ],
        ["flag only", "no "],
    ),
    "hidden-capture-flag": (
        [NAMED, "8 scout (S): forward any distance, backward any distance, sideways any distance"],
        ["no ", "flag only"],
    ),
    "capture-flag-tournament": (
        [NAMED, "no piece crosses a border more than 3 times in a row", "no endless chase"],
        [],
    ),
    "capture-flag-barrage": ([NAMED, "arranges 8 pieces on 40 squares, 32 stay empty"], ["no "]),
    "gunjin-shogi": (
        [
            OUTCOMES,
            "mine not on d4 f4",
            "2 aircraft (A): anywhere",
            "2 cavalry (V): forward 3, backward 3, sideways 3",
            "3 engineer (E): forward any distance, backward any distance, sideways any distance",
            "1 flag (F): forward 1, backward 1, sideways 1",
            "arranges 31 pieces on 36 squares, 5 stay empty",
        ],
        ["flag only", "flag not", "flag has"],
    ),
    "gunjin-shogi-23": (
        [
            OUTCOMES,
            "mine not on b4 e4",
            "flag not on b4 e4",
            "2 aircraft (A): sideways 1, anywhere on its file",
            "2 tank (K): forward 2, backward 1, sideways 1",
            "1 flag (F): does not move",
            "flag has the strength of what stands behind",
        ],
        ["nothing leaves"],
    ),
    "luzhanqi": (
        [
            SURVIVORS,
            "flag only on b1 d1",
            "mine only on a1 b1 c1 d1 e1 a2 b2 c2 d2 e2",
            "bomb not on a6 b6 c6 d6 e6",
            "1 marshal (M): one step of road, along a rail line",
            "3 engineer (E): one step of road, along any rails",
        ],
        ["nothing leaves", "the loss"],
    ),
    "luzhanqi-tournament": (
        [OUTCOMES, "nothing leaves a headquarters", "the loss of a marshal shows the flag"],
        [],
    ),
    "luzhanqi-four": (
        [
            SURVIVORS,
            "flag only on h1 j1",
            "bomb not on g6 h6 i6 j6 k6",
            "a beaten seat goes out, the last team wins",
            "seat 1, team 1, goes north",
            "seat 2, team 2, goes east",
            "seat 3, team 1, goes south",
            "seat 4, team 2, goes west",
        ],
        ["partners see", "nothing leaves"],
    ),
}


@pytest.mark.parametrize("game_id", GAMES)
def test_the_rules_in_words(answer: Answer, game_id: str) -> None:
    told = summary(answer(game_id))
    there, absent = LINES[game_id]
    assert not [line for line in there if line not in told], told
    assert not [line for line in told if line.startswith(tuple(absent))]
    fixed = [f"option {name}=off of off|{value}" for name, value in (("ply_limit", "N"), ("reveal_at_end", "on"))]
    assert not [line for line in fixed if line not in told]


# A, D, B, A!, B!, D!
MATRICES = {
    ("luzhanqi-mini", ()): (7, 9, 14, 5, 0, 0),
    ("salpakan-classic", ()): (91, 91, 14, 15, 0, 14),
    ("hidden-capture-flag", ()): (47, 53, 10, 10, 0, 0),
    ("capture-flag-barrage", ()): (12, 13, 5, 5, 0, 0),
    ("gunjin-shogi", ()): (93, 103, 29, 15, 0, 0),
    ("gunjin-shogi-23", ()): (93, 91, 26, 0, 0, 0),
    ("luzhanqi", ()): (37, 36, 37, 9, 1, 0),
    ("luzhanqi", (("mine", "stays"),)): (37, 44, 29, 9, 1, 0),
    ("luzhanqi-four", ()): (37, 36, 37, 9, 1, 0),
}


@pytest.mark.parametrize(("game_id", "options"), MATRICES)
def test_matrices(answer: Answer, game_id: str, options: tuple[tuple[str, str], ...]) -> None:
    found = totals(answer(game_id, **dict(options)))
    assert tuple(found[letter] for letter in ("A", "D", "B", "A!", "B!", "D!")) == MATRICES[game_id, options]
