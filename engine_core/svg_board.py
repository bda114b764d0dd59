"""The board of an SVG drawing: where squares lie, terrain, roads and rails, barriers and coordinates."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement

from engine_core.board import DIRECTIONS, Board

FIELD, POST = 48, 64
"""Side of a square, and the way from post to post, in units that are pixels at the drawing's natural size."""
LEFT, TOP, RIGHT, BOTTOM = 28, 10, 10, 28

SEAT_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
"""Fill of each seat: Okabe and Ito's colours, which people of every colour vision can tell apart."""

PAPER, LABEL = "#EFE9DA", "#4A463E"
SQUARE, GRID = "#FBF8EF", "#8A8478"
CAMP, HEADQUARTERS, VOID = "#DCE8CF", "#F1DCC0", "#A9B8BF"
ROAD, RAIL, BARRIER = "#8A8478", "#4A463E", "#55646B"


class Box(NamedTuple):
    """A rectangle; x goes right and y goes down."""

    x: int
    y: int
    width: int
    height: int

    @property
    def middle(self) -> tuple[int, int]:
        """Its centre."""
        return self.x + self.width // 2, self.y + self.height // 2

    def inset(self, by: int) -> "Box":
        """The rectangle smaller by so much on every side."""
        return Box(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)


class Layout:
    """Where the squares of a board lie when the seat `orientation` sits at the bottom."""

    def __init__(self, board: Board, orientation: int) -> None:
        self.board = board
        self.turns = tuple(DIRECTIONS).index(board.forward[orientation - 1])
        """Quarter turns clockwise from north to the direction that is up."""
        self.columns, self.rows = (board.ranks, board.files) if self.turns % 2 else (board.files, board.ranks)
        self.cells: dict[int, list[tuple[int, int]]] = {square: [] for square in range(len(board.squares))}
        """For each square the columns and rows of its cells; a merged square has several."""
        self.square_at: dict[tuple[int, int], int] = {}
        for rank in range(board.ranks):
            for file in range(board.files):
                square = board.at(file, rank)
                if square is not None:
                    cell = self.cell(file, rank)
                    self.cells[square].append(cell)
                    self.square_at[cell] = square
        self.is_graph = bool(board.rails) or any(
            board.roads(square) != {ray[0] for way in DIRECTIONS for ray in board.rays(square, way)}
            for square in self.cells
        )
        """Whether the board is drawn as posts and edges: it has rails, or roads that the grid has not."""
        self.pitch = POST if self.is_graph else FIELD
        self.width = LEFT + self.columns * self.pitch + RIGHT
        self.height = TOP + self.rows * self.pitch + BOTTOM

    def cell(self, file: int, rank: int) -> tuple[int, int]:
        """Column and row, from the upper left, of a file and rank."""
        far_file, far_rank = self.board.files - 1, self.board.ranks - 1
        return ((file, far_rank - rank), (far_rank - rank, far_file - file), (far_file - file, rank), (rank, file))[
            self.turns
        ]

    def corner(self, column: int, row: int) -> tuple[int, int]:
        """The upper left corner of a cell."""
        return LEFT + column * self.pitch, TOP + row * self.pitch

    def box(self, square: int) -> Box:
        """The smallest rectangle around the cells of a square."""
        columns, rows = zip(*self.cells[square], strict=True)
        left, top = min(columns), min(rows)
        width, height = max(columns) - left + 1, max(rows) - top + 1
        return Box(*self.corner(left, top), width * self.pitch, height * self.pitch)

    def mark(self, square: int) -> Box:
        """The rectangle for marks around a piece: as large as a field on any board."""
        return self.box(square).inset((self.pitch - FIELD) // 2)

    def seat_angle(self, seat: int) -> int:
        """Degrees clockwise from up to the direction that is forward to a seat."""
        return (tuple(DIRECTIONS).index(self.board.forward[seat - 1]) - self.turns) % 4 * 90


def draw_board(parent: Element, layout: Layout) -> None:
    """Draw everything that stays the same throughout a match."""
    if layout.is_graph:
        _lines(parent, "roads", _roads(layout), ROAD, 2)
        rails = "".join(_rails(layout))
        SubElement(parent, "path", {"class": "rails", "d": rails, "stroke": RAIL, "stroke-width": "7", "fill": "none"})
        sleepers = {"stroke": PAPER, "stroke-width": "4", "stroke-dasharray": "8 8", "fill": "none"}
        SubElement(parent, "path", {"class": "sleepers", "d": rails, **sleepers})
    else:
        whole = Box(*layout.corner(0, 0), layout.columns * FIELD, layout.rows * FIELD)
        rect(parent, whole, {"class": "void", "fill": VOID})
    _squares(parent, layout)
    if not layout.is_graph:
        _lines(parent, "grid", _borders(layout), GRID, 1)
    _lines(parent, "barriers", _barriers(layout), BARRIER, 7)
    _labels(parent, layout)


def rect(parent: Element, box: Box, attributes: dict[str, str]) -> Element:
    """Add a rectangle."""
    numbers = {name: str(value) for name, value in zip(("x", "y", "width", "height"), box, strict=True)}
    return SubElement(parent, "rect", numbers | attributes)


def _lines(parent: Element, name: str, segments: Iterator[str], colour: str, width: int) -> None:
    if d := "".join(segments):
        SubElement(parent, "path", {"class": name, "d": d, "stroke": colour, "stroke-width": str(width)})


def _squares(parent: Element, layout: Layout) -> None:
    """Every square with its terrain; its name is its title."""
    board = layout.board
    stroke = {"stroke": GRID} if layout.is_graph else {}
    group = SubElement(parent, "g", {"class": "squares", "fill": SQUARE, **stroke, "stroke-width": "2"})
    for square, name in enumerate(board.squares):
        seat = next((seat for seat, own in enumerate(board.headquarters, 1) if square in own), 0)
        terrain = "camp" if square in board.camps else f"headquarters of seat {seat}" if seat else ""
        one = SubElement(group, "g", {"class": f"square {terrain.split(' ')[0]}".strip(), "data-square": name})
        SubElement(one, "title").text = f"{name}: {terrain}" if terrain else name
        if layout.is_graph:
            _post(one, layout, square, seat)
        else:
            _field(one, layout, square, seat)


def _post(one: Element, layout: Layout, square: int, seat: int) -> None:
    x, y = layout.box(square).middle
    if square in layout.board.camps:
        SubElement(one, "circle", {"cx": f"{x}", "cy": f"{y}", "r": "25", "fill": CAMP})
    elif seat:
        arch = f"M{x - 24} {y + 24}v-26q0-24 24-24t24 24v26z"
        SubElement(one, "path", {"d": arch, "fill": HEADQUARTERS, "stroke": SEAT_COLOURS[seat - 1]})
    else:
        rect(one, Box(x - 16, y - 12, 32, 24), {"rx": "5"})


def _field(one: Element, layout: Layout, square: int, seat: int) -> None:
    corners = [layout.corner(*cell) for cell in layout.cells[square]]
    cells = "".join(f"M{x} {y}h{FIELD}v{FIELD}h-{FIELD}z" for x, y in corners)
    camp = square in layout.board.camps
    terrain = {"fill": CAMP if camp else HEADQUARTERS} if camp or seat else {}
    SubElement(one, "path", {"d": cells, **terrain})
    box = layout.box(square)
    if camp:
        x, y = box.middle
        SubElement(one, "circle", {"cx": f"{x}", "cy": f"{y}", "r": "22", "fill": "none", "stroke": GRID})
    elif seat:
        rect(one, box.inset(3), {"rx": "4", "fill": "none", "stroke": SEAT_COLOURS[seat - 1]})


def _borders(layout: Layout) -> Iterator[str]:
    """The lines between different squares and around the board."""
    at = layout.square_at.get
    for row in range(layout.rows + 1):
        for column in range(layout.columns + 1):
            here, (x, y) = at((column, row)), layout.corner(column, row)
            if here != at((column, row - 1)):
                yield f"M{x} {y}h{FIELD}"
            if here != at((column - 1, row)):
                yield f"M{x} {y}v{FIELD}"


def _barriers(layout: Layout) -> Iterator[str]:
    """A bar between the cells of neighbours that are not joined."""
    board = layout.board
    for rank in range(board.ranks):
        for file in range(board.files):
            for way in ("north", "east"):
                east, north = DIRECTIONS[way]
                here, there = board.at(file, rank), board.at(file + east, rank + north)
                if here is None or there is None or here == there:
                    continue
                if there in {ray[0] for ray in board.rays(here, way)}:
                    continue
                bar = layout.pitch // 2
                (column, row), (to_column, to_row) = layout.cell(file, rank), layout.cell(file + east, rank + north)
                x, y = LEFT + (column + to_column + 1) * bar, TOP + (row + to_row + 1) * bar
                yield f"M{x - bar} {y}h{2 * bar}" if column == to_column else f"M{x} {y - bar}v{2 * bar}"


def _roads(layout: Layout) -> Iterator[str]:
    """A straight line for every road that is no rail."""
    board = layout.board
    for square in layout.cells:
        (x, y) = layout.box(square).middle
        for other in sorted(board.roads(square) - board.rail_neighbours(square)):
            if other > square:
                to_x, to_y = layout.box(other).middle
                yield f"M{x} {y}L{to_x} {to_y}"


def _rails(layout: Layout) -> Iterator[str]:
    """A line for every rail between two posts, each once; around a corner it goes on as it came."""
    drawn: set[frozenset[int]] = set()
    for line in layout.board.rails:
        points = [layout.box(square).middle for square in line]
        for place, ((x, y), (to_x, to_y)) in enumerate(pairwise(points)):
            edge = frozenset(line[place : place + 2])
            if edge in drawn:
                continue
            drawn.add(edge)
            bend = ""
            if x != to_x and y != to_y:
                bend = f"Q{x} {to_y} " if _comes_upright(points, place) else f"Q{to_x} {y} "
            yield f"M{x} {y}{bend or 'L'}{to_x} {to_y}"


def _comes_upright(points: list[tuple[int, int]], place: int) -> bool:
    """Whether a line runs up or down into the corner that follows its point `place`."""
    if place:
        return points[place - 1][0] == points[place][0]
    return place + 2 < len(points) and points[place + 2][0] != points[place + 1][0]


def _labels(parent: Element, layout: Layout) -> None:
    """Files and ranks below and at the left."""
    board = layout.board
    files = [chr(ord("a") + file) for file in range(board.files)]
    ranks = [str(rank + 1) for rank in range(board.ranks)]
    across, down = ((files, ranks[::-1]), (ranks[::-1], files[::-1]), (files[::-1], ranks), (ranks, files))[
        layout.turns
    ]
    style = {"fill": LABEL, "font-size": "14", "text-anchor": "middle"}
    group = SubElement(parent, "g", {"class": "coordinates", **style})
    for column, text in enumerate(across):
        x, _ = layout.corner(column, 0)
        SubElement(group, "text", {"x": f"{x + layout.pitch // 2}", "y": f"{layout.height - 9}"}).text = text
    for row, text in enumerate(down):
        _, y = layout.corner(0, row)
        SubElement(group, "text", {"x": f"{LEFT // 2}", "y": f"{y + layout.pitch // 2 + 5}"}).text = text
