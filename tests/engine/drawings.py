"""Reading an SVG drawing back: its elements by class, and squares from where things lie, by the board's own labels."""

import re
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

XMLNS = "{http://www.w3.org/2000/svg}"
_SUBPATH = re.compile(r"M(-?\d+) (-?\d+)(?:Q(-?\d+) (-?\d+) |L|(?=[hv]))(?:h(\d+)|v(\d+)|(-?\d+) (-?\d+))")


class Line(NamedTuple):
    """A piece of a path: its ends and, where it is curved, its control point."""

    start: tuple[int, int]
    end: tuple[int, int]
    control: tuple[int, int] | None


class Drawing:
    """A drawing that has been parsed."""

    def __init__(self, text: str) -> None:
        self.root = ElementTree.fromstring(text)
        self._parent = {child: parent for parent in self.root.iter() for child in parent}
        labels = [(label.text or "", float(label.get("x", "")), float(label.get("y", "")))
                  for label in self._texts("coordinates")]  # fmt: skip
        # Labels below have one height, those at the left one distance from the edge.
        below, left = max(y for _, _, y in labels), min(x for _, x, _ in labels)
        self.columns = {x: text for text, x, y in labels if y == below}
        self.rows = {y - 5: text for text, x, y in labels if x == left}

    def _texts(self, group: str) -> list[Element]:
        (found,) = self.all(group)
        return list(found.iter(f"{XMLNS}text"))

    def all(self, name: str) -> list[Element]:
        """The elements of a class, in their order."""
        return [element for element in self.root.iter() if name in element.get("class", "").split(" ")]

    def seat_of(self, piece: Element) -> int:
        """The seat whose group a piece stands in."""
        (seat,) = re.findall(r"\bseat([1-4])\b", self._parent[piece].get("class", ""))
        return int(seat)

    def names(self, x: float, y: float) -> set[str]:
        """The square at a point; two names where it is right between two labels of a row or a column."""
        columns = [text for at, text in self.columns.items() if abs(at - x) <= 24]
        rows = [text for at, text in self.rows.items() if abs(at - y) <= 24]
        return {a + b if a.isalpha() else b + a for a in columns for b in rows}

    def place(self, element: Element) -> set[str]:
        """The square in whose middle an element lies, as `names` tells it."""
        if element.get("transform"):
            x, y = re.findall(r"^translate\((\d+) (\d+)\)$", element.get("transform", ""))[0]
        elif element.tag == f"{XMLNS}rect":
            x, y = (
                float(element.get(a, "")) + float(element.get(b, "")) / 2 for a, b in (("x", "width"), ("y", "height"))
            )
        else:
            x, y = element.get("cx", ""), element.get("cy", "")
        return self.names(float(x), float(y))

    def lines(self, name: str) -> list[Line]:
        """The pieces of the path of a class; none where it is not drawn."""
        found = []
        for element in self.all(name):
            path = element.get("d", "")
            for match in _SUBPATH.finditer(path):
                x, y, cx, cy, right, down, to_x, to_y = (None if text is None else int(text) for text in match.groups())
                assert x is not None
                assert y is not None
                end = (x + right, y) if right else (x, y + down) if down else (to_x or 0, to_y or 0)
                found.append(Line((x, y), end, None if cx is None or cy is None else (cx, cy)))
            assert len(found) == path.count("M"), path
        return found

    def joined(self, name: str) -> set[frozenset[str]]:
        """The pairs of squares that the lines of a class join."""
        ends = [(self.names(*line.start), self.names(*line.end)) for line in self.lines(name)]
        assert all(len(a) == len(b) == 1 for a, b in ends)
        return {a | b for start, end in ends for a, b in [(frozenset(start), frozenset(end))]}


def title(element: Element) -> str:
    """The title of an element."""
    return element.findtext(f"{XMLNS}title", "")


def luminance(colour: str) -> float:
    """Relative luminance of "#rrggbb" by the WCAG."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, two: str) -> float:
    """Contrast ratio of two colours by the WCAG, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(two)))
    return (light + 0.05) / (dark + 0.05)
