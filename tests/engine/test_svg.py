"""Drawings of views: what is on them, where, and that they tell a viewer nothing that its view does not."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

import engine_core
from engine_core import REFEREE, SPECTATOR, Game, View
from engine_core.errors import InvalidSeat, MalformedMove
from engine_core.view import SHOWN

from .drawings import XMLNS, Drawing, contrast, title
from .shared import SHARED, needs_shared, playing

GAMES = engine_core.games()
MERGED = {"gunjin-shogi-23": {"c1": {"c1", "d1"}, "c8": {"c8", "d8"}}}
CLAIM_NEAR = {1: {"i1": "private", "e7": "flag"}, 2: {"a6": "flag", "f7": "private"}}


def viewers(game: Game) -> tuple[int, ...]:
    return (SPECTATOR, *game.seats, REFEREE)


def lies_on(game: Game, square: str) -> set[str]:
    """The names of the cells of a square."""
    return MERGED.get(game.id, {}).get(square, {square})


def standing(view: View) -> dict[str, tuple[int, str]]:
    """What a view says: square to seat and letter, "" for a hidden kind."""
    letters = {0: "", 255: ""} | {number: kind.letter for number, kind in enumerate(view.game.ruleset.kinds, 1)}
    rows = zip(view.game.squares, view.seats, view.kinds, strict=True)
    return {square: (seat, letters[kind]) for square, seat, kind in rows if seat}


def markup(element: Element) -> str:
    return ElementTree.tostring(element, encoding="unicode").strip()


def backs(view: View) -> dict[int, set[str]]:
    """The markup of the hidden pieces of each seat, without where they stand."""
    drawing = Drawing(view.svg())
    found: dict[int, set[str]] = {}
    for piece in drawing.all("piece"):
        square = piece.get("data-square", "")
        if standing(view)[square][1] == "":
            text = re.sub(r"translate\(\d+ \d+\)", "", markup(piece), count=1)
            found.setdefault(drawing.seat_of(piece), set()).add(
                text.replace(f'"{square}"', "").replace(f"{square}:", "")
            )
    return found


@pytest.mark.parametrize("plies", [0, 30])
@pytest.mark.parametrize("name", GAMES)
def test_tiles_are_the_pieces_of_the_view(name: str, plies: int) -> None:
    state = playing(name, seed=5, plies=plies)
    game = state.game
    names = [kind.name for kind in game.ruleset.kinds]
    for viewer in viewers(game):
        view = state.view(viewer)
        for orientation in game.seats:
            drawing = Drawing(view.svg(orientation=orientation))
            pieces = drawing.all("piece")
            seen = {}
            for piece in pieces:
                square = piece.get("data-square", "")
                assert drawing.place(piece) == lies_on(game, square)
                letters = [text.text or "" for text in piece.iter(f"{XMLNS}text") if text.get("class") == "letter"]
                seen[square] = (drawing.seat_of(piece), "".join(letters))
                assert len(piece.findall(f"{XMLNS}path[@class='back']")) == (not letters)
                assert any(kind in title(piece) for kind in names) == bool(letters)
                assert title(piece).startswith(f"{square}: ")
            assert len(pieces) == len(seen)
            assert seen == standing(view)
            assert len(drawing.all("letter")) == sum(letter != "" for _, letter in standing(view).values())


@pytest.mark.parametrize("name", GAMES)
def test_squares_and_the_whole(name: str) -> None:
    state = playing(name, seed=5, plies=3)
    text = state.view(1).svg()
    drawing = Drawing(text)
    assert [square.get("data-square") for square in drawing.all("square")] == list(state.game.squares)
    assert (drawing.root.tag, drawing.root.get("role")) == (f"{XMLNS}svg", "img")
    assert title(drawing.root) == drawing.root.get("aria-label") == f"{state.game.name}, as seat 1 sees it"
    assert drawing.root.get("viewBox") == f"0 0 {drawing.root.get('width')} {drawing.root.get('height')}"
    for what, seat in (("camp", 0), *(("headquarters", seat) for seat in state.game.seats)):
        board = state.game.ruleset.board
        expected = board.headquarters[seat - 1] if seat else board.camps
        ends = f": {what} of seat {seat}" if seat else f": {what}"
        drawn = {square.get("data-square") for square in drawing.all("square") if title(square).endswith(ends)}
        assert drawn == {state.game.squares[square] for square in expected}
    assert not re.search(r"<style|<script|href|url\(|http(?!://www\.w3\.org/2000/svg\")|@import", text)
    assert len(text.encode()) < 60_000
    assert state.view(1)._repr_svg_() == text


@pytest.mark.parametrize("name", GAMES)
def test_hidden_pieces_of_a_seat_look_the_same(name: str) -> None:
    state = playing(name, seed=2, plies=40)
    view = state.view(SPECTATOR)
    found = backs(view)
    assert set(found) == {seat for seat, letter in standing(view).values() if letter == ""}
    assert all(len(looks) == 1 for looks in found.values())


def test_seats_are_told_by_more_than_colour() -> None:
    found = backs(playing("luzhanqi-four", seed=2, plies=0).view(SPECTATOR))
    plain = {seat: re.sub(r"fill=\"#\w+\"|of seat \d", "", look) for seat, (look,) in found.items()}
    assert len(set(plain.values())) == 4
    digits = {seat: re.findall(r">(\d)</", look) for seat, look in plain.items()}
    assert digits == {seat: [str(seat)] for seat in (1, 2, 3, 4)}
    angles = {seat: re.findall(r"rotate\((\d+)\)", look) for seat, look in plain.items()}
    assert angles == {1: [], 2: ["90"], 3: ["180"], 4: ["270"]}


def test_letters_are_legible_on_every_tile() -> None:
    drawing = Drawing(playing("luzhanqi-four", seed=2, plies=0).view(REFEREE).svg())
    (paper,) = (element.get("fill", "") for element in drawing.root.findall(f"{XMLNS}rect") if element.get("rx"))
    for seat in (1, 2, 3, 4):
        (group,) = drawing.all(f"seat{seat}")
        tiles = {path.get("fill", "") for path in group.iter(f"{XMLNS}path")}
        assert len(tiles) == 1
        assert contrast(group.get("fill", ""), *tiles) >= 4.5
        outlines = {path.get("stroke", "") for path in group.iter(f"{XMLNS}path")}
        assert all(contrast(outline, paper) >= 4.5 for outline in outlines)


@pytest.mark.parametrize("name", [name for name in GAMES if not engine_core.load(name).ruleset.perfect_information])
def test_what_is_hidden_changes_no_byte(name: str) -> None:
    game = engine_core.load(name)
    pieces = playing(name, seed=7, plies=16).pieces()
    for viewer in (SPECTATOR, *game.seats):
        others = {
            seat: men if seat == viewer else dict(zip(men, reversed(men.values()), strict=True))
            for seat, men in pieces.items()
        }
        one, two = (game.position(men, to_move=viewer or 1) for men in (pieces, others))
        own = one.legal_moves() if viewer else []
        assert one.view(viewer).svg(own) == two.view(viewer).svg(own)
        for seat in {REFEREE, *game.seats} - {viewer}:
            assert one.view(seat).svg() != two.view(seat).svg()


def test_nothing_of_an_arrangement_shows_before_play() -> None:
    game = engine_core.load("luzhanqi-mini")
    first, second = (game.start().arrange(2, game.random_arrangement(2, seed=seed)).state for seed in (1, 2))
    assert first.view(1).svg() == second.view(1).svg() == game.start().view(1).svg()
    assert Drawing(first.view(1).svg()).all("piece") == []
    assert len(Drawing(first.view(2).svg()).all("piece")) == game.ruleset.roster_size


@pytest.mark.parametrize("name", GAMES)
def test_last_move(name: str) -> None:
    before = playing(name, seed=4, plies=11)
    move = str(before.legal_moves()[0])
    state = before.play(move).state
    source, target = (state.game.squares[index] for index in divmod(int(state.last_move or 0), 256))
    assert move == source + target
    for viewer in viewers(state.game):
        drawing = Drawing(state.view(viewer).svg())
        ((left,), (reached,)) = drawing.all("last-source"), drawing.all("last-target")
        assert (drawing.place(left), drawing.place(reached)) == (
            lies_on(state.game, source),
            lies_on(state.game, target),
        )
    opening = Drawing(playing(name, seed=4, plies=0).view(1).svg())
    assert (opening.all("last-source"), opening.all("last-target")) == ([], [])


@pytest.mark.parametrize("name", GAMES)
def test_legal_targets(name: str) -> None:
    state = playing(name, seed=6, plies=20)
    game, moves, seat = state.game, state.legal_moves(), state.to_move
    assert seat is not None
    view, squares = state.view(seat), state.game.squares
    source = moves[0].source
    for selected in (None, squares[source]):
        drawing = Drawing(view.svg(moves, source=selected))
        wanted = [move for move in moves if selected in (None, squares[move.source])]
        sources, targets = drawing.all("source"), drawing.all("target")
        assert {mark.get("data-square") for mark in sources} == {squares[move.source] for move in wanted}
        assert {mark.get("data-square") for mark in targets} == {squares[move.target] for move in wanted}
        for mark in (*sources, *targets):
            assert drawing.place(mark) == lies_on(game, mark.get("data-square", ""))
        rings = {mark.get("data-square") for mark in targets if mark.get("fill") == "none"}
        assert rings == {squares[move.target] for move in wanted if view.seats[move.target]}
    assert view.svg(map(str, moves)) == view.svg(map(int, moves)) == view.svg(moves) != view.svg()


def test_a_source_alone_is_marked() -> None:
    drawing = Drawing(playing("mak-yek", seed=1, plies=0).view(1).svg(source="b3"))
    assert [drawing.place(mark) for mark in drawing.all("source")] == [{"b3"}]
    assert drawing.all("target") == []


def test_a_claim_is_marked_for_who_may_see_it() -> None:
    state = engine_core.load("salpakan-classic").position(CLAIM_NEAR, to_move=1).play("e7e8").state
    for viewer, marks in ((SPECTATOR, 0), (1, 1), (2, 0), (REFEREE, 1)):
        drawing = Drawing(state.view(viewer).svg())
        (flag,) = (piece for piece in drawing.all("piece") if piece.get("data-square") == "e8")
        assert (len(drawing.all("claim")), len(flag.findall(f"{XMLNS}path[@class='claim']"))) == (marks, marks)
        assert title(flag).endswith("claims the match") == bool(marks)


@pytest.mark.parametrize("reveal", ["none", "shown"])
def test_shown_pieces_are_marked(reveal: str) -> None:
    game = engine_core.load("luzhanqi-mini", battle_reveal=reveal)
    pieces = {1: {"b1": "flag", "c3": "officer", "e3": "soldier"}, 2: {"f8": "flag", "c4": "soldier", "a7": "engineer"}}
    view = game.position(pieces, to_move=1).play("c3c4").state.view(2)
    marked = [piece.get("data-square") for piece in Drawing(view.svg()).all("piece") if "shown to" in title(piece)]
    assert marked == (["c4"] if reveal == "shown" else [])
    assert len(Drawing(view.svg()).all("shown")) == len(marked)
    assert sum(flags & SHOWN for flags in view.flags) == SHOWN * len(marked)


@pytest.mark.parametrize(("name", "roads", "rails", "curves"), [("luzhanqi", 98, 35, 0), ("luzhanqi-four", 196, 92, 4)])
def test_numbers_of_roads_and_rails(name: str, roads: int, rails: int, curves: int) -> None:
    for orientation in engine_core.load(name).seats:
        drawing = Drawing(engine_core.load(name).start().view(1).svg(orientation=orientation))
        assert (len(drawing.lines("roads")), len(drawing.lines("rails"))) == (roads, rails)
        assert (len(drawing.joined("roads")), len(drawing.joined("rails"))) == (roads, rails)
        assert sum(line.control is not None for line in drawing.lines("rails")) == curves
        assert drawing.all("grid") == []


@needs_shared
@pytest.mark.parametrize(
    ("name", "file"), [("luzhanqi", "luzhanqi_graph.json"), ("luzhanqi-four", "luzhanqi_four_graph.json")]
)
def test_roads_and_rails_edge_by_edge(name: str, file: str) -> None:
    graph = json.loads((SHARED / file).read_text(encoding="utf-8"))
    rails = {frozenset(edge) for edge in graph["rails"]}
    for orientation in engine_core.load(name).seats:
        drawing = Drawing(engine_core.load(name).start().view(1).svg(orientation=orientation))
        assert drawing.joined("rails") == rails
        assert drawing.joined("roads") == {frozenset(edge) for edge in graph["edges"]} - rails


def test_curved_rails_leave_and_arrive_along_their_lines() -> None:
    drawing = Drawing(engine_core.load("luzhanqi-four").start().view(1).svg())
    corners = {
        frozenset(drawing.names(*line.start) | drawing.names(*line.end)): drawing.names(*line.control)
        for line in drawing.lines("rails")
        if line.control is not None
    }
    # Up the arm of seat 1 on file k, then east along rank 7: the two lines meet at k7; and so on around the board.
    assert corners == {
        frozenset({"k6", "l7"}): {"k7"},
        frozenset({"f7", "g6"}): {"g7"},
        frozenset({"g12", "f11"}): {"g11"},
        frozenset({"l11", "k12"}): {"k11"},
    }


@pytest.mark.parametrize("name", sorted(set(GAMES) - {"luzhanqi", "luzhanqi-tournament", "luzhanqi-four"}))
def test_other_boards_are_fields(name: str) -> None:
    drawing = Drawing(engine_core.load(name).start().view(1).svg())
    assert (drawing.all("rails"), drawing.all("roads")) == ([], [])
    assert len(drawing.all("grid")) == 1


def test_a_merged_square_is_drawn_once() -> None:
    game = engine_core.load("gunjin-shogi-23")
    state = game.position({1: {"c1": "major", "a1": "flag"}, 2: {"c8": "mine", "a8": "flag", "a7": "spy"}}, to_move=1)
    drawing = Drawing(state.view(1).svg())
    names = [square.get("data-square") for square in drawing.all("square")]
    assert len(names) == 46
    assert names.count("c1") == 1
    assert not {"d1", "d8"} & set(names)
    assert {frozenset(drawing.place(piece)) for piece in drawing.all("piece")} == {
        frozenset({name}) for name in ("a1", "a7", "a8")
    } | {frozenset({"c1", "d1"}), frozenset({"c8", "d8"})}
    borders = [(line.start, line.end) for line in drawing.lines("grid") if line.start[0] == line.end[0]]
    middles = [frozenset(drawing.names(x, (y + to_y) / 2)) for (x, y), (_, to_y) in borders]
    assert frozenset({"c2", "d2"}) in middles
    assert frozenset({"c1", "d1"}) not in middles
    assert frozenset({"c8", "d8"}) not in middles


@pytest.mark.parametrize(
    ("name", "pairs"),
    [
        ("gunjin-shogi-23", {"a4 a5", "c4 c5", "d4 d5", "f4 f5"}),
        ("luzhanqi", {"b6 b7", "d6 d7"}),
        ("luzhanqi-four", set()),
        ("gunjin-shogi", set()),
    ],
)
def test_barriers(name: str, pairs: set[str]) -> None:
    for orientation in (1, 2):
        drawing = Drawing(engine_core.load(name).start().view(1).svg(orientation=orientation))
        found = set()
        for line in drawing.lines("barriers"):
            (x, y), (to_x, to_y) = line.start, line.end
            assert y == to_y
            up, down = (drawing.names((x + to_x) / 2, y + by) for by in (-30, 30))
            found.add(" ".join(sorted(up | down)))
        assert found == pairs


def test_names_are_escaped() -> None:
    rules = engine_core.load("hidden-hasami").ruleset
    names = ("<b>&amp;\"'</b>", "]]>\x01")
    kinds = tuple(replace(kind, name=name) for kind, name in zip(rules.kinds, names, strict=True))
    game = Game(replace(rules, name="<&\" '>", kinds=kinds))
    state = game.start()
    for seat in game.seats:
        state = state.arrange(seat, game.random_arrangement(seat, seed=seat)).state
    drawing = Drawing(state.view(REFEREE).svg())
    assert title(drawing.root) == drawing.root.get("aria-label") == "<&\" '>, as the referee sees it"
    titles = {title(piece).split(": ", 1)[1] for piece in drawing.all("piece")}
    assert titles == {f"{name} of seat {seat}" for name in ("<b>&amp;\"'</b>", "]]>\ufffd") for seat in (1, 2)}


def test_size_scales_the_drawing() -> None:
    view = playing("hidden-capture-flag", seed=1, plies=0).view(1)
    natural, large = Drawing(view.svg()).root, Drawing(view.svg(size=1036)).root
    assert (natural.get("width"), large.get("width"), large.get("height")) == ("518", "1036", "1036")
    assert natural.get("viewBox") == large.get("viewBox")


def test_refused_arguments() -> None:
    view = playing("hidden-hasami", seed=1, plies=0).view(1)
    with pytest.raises(InvalidSeat, match=r"no seat 3; seats are 1 to 2"):
        view.svg(orientation=3)
    with pytest.raises(MalformedMove, match="a1z9"):
        view.svg(["a1z9"])
    with pytest.raises(ValueError, match=r"'z9' is not a square of hidden-hasami"):
        view.svg(source="z9")
    with pytest.raises(ValueError, match="at least 1 pixel"):
        view.svg(size=0)


def test_bytes_do_not_depend_on_the_process() -> None:
    code = (
        "import engine_core, hashlib; game = engine_core.load('luzhanqi-four'); state = game.start()\n"
        "for seat in game.seats: state = state.arrange(seat, game.random_arrangement(seat, seed=seat)).state\n"
        "print(hashlib.sha256(state.view(1).svg(state.legal_moves()).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1
