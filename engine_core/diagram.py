"""A view drawn as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine_core.view import View

_HIDDEN = 255
_LAST_SOURCE = 4
_LAST_TARGET = 8


def text_diagram(view: View) -> str:
    """The board of a view with ranks at the left and files below, seat 1 at the bottom.

    A piece is its seat's number and its kind's letter, such as `1L`; a hidden piece is its seat's number and `?`. An
    empty square is `.`, a camp `o`, a headquarters `#`; a void is blank. The last move is marked: `*` behind the square
    that it left, `<` behind the one where it ended.
    """
    board = view.game.ruleset.board
    letters = [kind.letter for kind in view.game.ruleset.kinds]
    headquarters = frozenset().union(*board.headquarters)
    lines = []
    for rank in range(board.ranks - 1, -1, -1):
        cells = []
        for file in range(board.files):
            square = board.at(file, rank)
            if square is None:
                cells.append("    ")
                continue
            if seat := view.seats[square]:
                kind = view.kinds[square]
                mark = f"{seat}{'?' if kind == _HIDDEN else letters[kind - 1]}"
            else:
                mark = " o" if square in board.camps else " #" if square in headquarters else " ."
            flags = view.flags[square]
            tail = "<" if flags & _LAST_TARGET else "*" if flags & _LAST_SOURCE else " "
            cells.append(f" {mark}{tail}")
        lines.append(f"{rank + 1:2} {''.join(cells).rstrip()}")
    lines.append("   " + "".join(f"  {chr(ord('a') + file)} " for file in range(board.files)).rstrip())
    return "\n".join(lines) + "\n"
