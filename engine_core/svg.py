"""A view drawn as SVG: a function of the view and of the moves given, with the same bytes each time."""

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from engine_core.errors import InvalidSeat
from engine_core.svg_board import PAPER, SEAT_COLOURS, Layout, draw_board, rect
from engine_core.view import CLAIM, HIDDEN, LAST_SOURCE, LAST_TARGET, REFEREE, SHOWN, SPECTATOR, View

SEAT_INKS = ("#FFFFFF", "#000000", "#000000", "#000000")
"""Colour of the letters on each seat's tiles: at least 4.5 to 1 against SEAT_COLOURS."""

_OUTLINE = "#1B1B1B"
_TILE = "M-15 20h30q4 0 4-4v-25q0-3-3-4l-13-6q-3-1-6 0l-13 6q-3 1-3 4v25q0 4 4 4z"
_BACK = _TILE + "M-11 12l22-22M11 12l-22-22"
_EYE = "M-7 0q7-8 14 0q-7 8-14 0zM-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0z"
_STAR = "M0-8l2 5h6l-5 4 2 6-5-4-5 4 2-6-5-4h6z"
_LAST = {"fill": "#F0E442", "stroke": "#7A6A00", "stroke-width": "3", "rx": "5"}
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg_diagram(view: View, moves: Iterable[int], source: str | None, orientation: int, size: int | None) -> str:
    """What `View.svg` returns; `moves` are packed: source << 8 | target."""
    game = view.game
    if orientation not in game.seats:
        raise InvalidSeat(f"{game.id} has no seat {orientation}; seats are 1 to {len(game.seats)}.", seat=orientation)
    if source is not None and source not in game.squares:
        raise ValueError(f"{source!r:.40} is not a square of {game.id}; its squares are like {game.squares[0]}.")
    if size is not None and size < 1:
        raise ValueError(f"An SVG is at least 1 pixel wide, not {size}.")
    layout = Layout(game.ruleset.board, orientation)
    who = {SPECTATOR: "the spectator", REFEREE: "the referee"}.get(view.viewer, f"seat {view.viewer}")
    title = _xml(f"{game.name}, as {who} sees it")
    width = layout.width if size is None else size
    root = Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {layout.width} {layout.height}",
            "width": f"{width}",
            "height": f"{round(layout.height * width / layout.width)}",
            "role": "img",
            "aria-label": title,
            "font-family": "sans-serif",
        },
    )
    SubElement(root, "title").text = title
    SubElement(root, "rect", {"width": "100%", "height": "100%", "rx": "8", "fill": PAPER})
    draw_board(root, layout)
    _last_move(root, layout, view)
    for seat in game.seats:
        _pieces(root, layout, view, seat)
    _moves(root, layout, view, moves, None if source is None else game.squares.index(source))
    indent(root, "")
    return tostring(root, encoding="unicode") + "\n"


def _last_move(root: Element, layout: Layout, view: View) -> None:
    """The square that the last move left in dashes, the one where it ended in a full line."""
    for square, flags in enumerate(view.flags):
        box = layout.mark(square).inset(3)
        if flags & LAST_SOURCE:
            rect(root, box, {"class": "last-source", **_LAST, "fill-opacity": "0.5", "stroke-dasharray": "6 4"})
        if flags & LAST_TARGET:
            rect(root, box, {"class": "last-target", **_LAST, "fill-opacity": "0.8"})


def _pieces(root: Element, layout: Layout, view: View, seat: int) -> None:
    """The tiles of one seat. They point forward, and have the seat's number at their base."""
    kinds = view.game.ruleset.kinds
    text = {"font-size": "22", "font-weight": "bold", "text-anchor": "middle", "fill": SEAT_INKS[seat - 1]}
    group = SubElement(root, "g", {"class": f"pieces seat{seat}", **text})
    angle = layout.seat_angle(seat)
    for square, name in enumerate(view.game.squares):
        if view.seats[square] != seat:
            continue
        kind, flags = view.kinds[square], view.flags[square]
        x, y = layout.box(square).middle
        piece = SubElement(group, "g", {"class": "piece", "data-square": name, "transform": f"translate({x} {y})"})
        what = f"hidden piece of seat {seat}" if kind == HIDDEN else f"{kinds[kind - 1].name} of seat {seat}"
        shown, claims = ", shown to everybody" * bool(flags & SHOWN), ", claims the match" * bool(flags & CLAIM)
        SubElement(piece, "title").text = _xml(f"{name}: {what}{shown}{claims}")
        turn = {"transform": f"rotate({angle})"} if angle else {}
        tile = {"d": _TILE} if kind != HIDDEN else {"class": "back", "d": _BACK}
        SubElement(piece, "path", {**tile, "fill": SEAT_COLOURS[seat - 1], "stroke": _OUTLINE, **turn})
        if kind != HIDDEN:
            SubElement(piece, "text", {"class": "letter", "y": "8"}).text = kinds[kind - 1].letter
        x, y = _turned(-13, 13, angle)
        SubElement(piece, "text", {"class": "seat", "x": f"{x}", "y": f"{y + 4}", "font-size": "11"}).text = str(seat)
        for has, mark, d, fill, corner in (
            (SHOWN, "shown", _EYE, "#FFFFFF", (11, 14)),
            (CLAIM, "claim", _STAR, "#F0E442", (15, -15)),
        ):
            if flags & has:
                x, y = _turned(*corner, angle)
                look = {"class": mark, "d": d, "fill": fill, "stroke": _OUTLINE, "transform": f"translate({x} {y})"}
                SubElement(piece, "path", look)


def _moves(root: Element, layout: Layout, view: View, moves: Iterable[int], selected: int | None) -> None:
    """A frame around each source, a dot on each empty target, a ring around a piece that is one."""
    pairs = [divmod(move, 256) for move in moves]
    sources = {source for source, _ in pairs if selected in (None, source)} | ({selected} - {None})
    targets = {target for source, target in pairs if selected in (None, source)}
    if not sources:
        return
    group = SubElement(root, "g", {"class": "moves", "stroke": _OUTLINE, "pointer-events": "none"})
    for square, name in enumerate(view.game.squares):
        box = layout.mark(square)
        x, y = box.middle
        at = {"data-square": name, "cx": f"{x}", "cy": f"{y}"}
        if square in sources:
            frame = {"class": "source", "data-square": name, "fill": "none", "stroke-width": "3", "rx": "6"}
            rect(group, box.inset(2), frame)
        if square in targets and view.seats[square]:
            SubElement(group, "circle", {"class": "target", **at, "r": "23", "fill": "none", "stroke-width": "3"})
        elif square in targets:
            SubElement(group, "circle", {"class": "target", **at, "r": "7", "fill": _OUTLINE, "stroke": PAPER})


def _turned(x: int, y: int, angle: int) -> tuple[int, int]:
    """A point after a turn clockwise by 0, 90, 180 or 270 degrees."""
    return {0: (x, y), 90: (-y, x), 180: (-x, -y), 270: (y, -x)}[angle]


def _xml(text: str) -> str:
    """The text with a replacement character for each that XML cannot hold."""
    return _NO_XML.sub("\ufffd", text)
