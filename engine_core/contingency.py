"""Tables of numbers with given sums of rows and columns, each weighed with the ways to fill it; all exact.

A table stands for handing out distinct things of one sort per row to distinct places of one sort per column. Its weight
is the product of the factorials of all sums over that of all its numbers. The cells are gone through one by one, row
by row, over states of what the row and the columns have left.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from math import comb, factorial, prod
from random import Random
from typing import NamedTuple


class Cell(NamedTuple):
    """A place of the table, and whether it is the last one of its row or column to be filled."""

    row: int
    column: int
    ends_row: bool
    ends_column: bool
    refill: int
    """What the next row holds, if this ends one."""


class Choice(NamedTuple):
    """What can go into a cell: the number, in how many ways, and what is left after it."""

    number: int
    ways: int
    after: int


class Tables:
    """All tables with these sums and nothing in a cell that is not open; `open_to[row]` lists the open columns."""

    def __init__(self, rows: Sequence[int], columns: Sequence[int], open_to: Sequence[Sequence[int]]) -> None:
        turned = [[row for row, here in enumerate(open_to) if column in here] for column in range(len(columns))]
        self._possible = sum(rows) == sum(columns) and all(open_to) and all(turned)
        one, two = _order(columns, open_to), _order(rows, turned)
        # The side is taken that leaves fewer states on the way.
        self._turned = two[1] < one[1]
        if self._turned:
            rows, columns, open_to, one = columns, rows, turned, two
        self._rows, self._columns = rows, columns
        self._cells = _cells(rows, one[0], open_to) if self._possible else []
        self._radix = [1]
        for column in columns:
            self._radix.append(self._radix[-1] * (column + 1))

    def _choices(self, cell: Cell, state: int) -> list[Choice]:
        whole, weight = self._radix[-1], self._radix[cell.column]
        rest, left = state // whole, state // weight % (self._columns[cell.column] + 1)
        least = max(rest if cell.ends_row else 0, left if cell.ends_column else 0)
        refill = cell.refill * whole if cell.ends_row else 0
        return [
            Choice(number, comb(left, number), state - number * (whole + weight) + refill)
            for number in range(least, min(rest, left) + 1)
        ]

    @cached_property
    def _layers(self) -> list[dict[int, int]]:
        """Before each cell and after the last: the states, and how many ways lead there."""
        full = sum(column * weight for column, weight in zip(self._columns, self._radix, strict=False))
        first = self._rows[self._cells[0].row] * self._radix[-1] if self._cells else 0
        layers = [{first + full: 1}]
        for cell in self._cells:
            following: dict[int, int] = defaultdict(int)
            for state, ways in layers[-1].items():
                for choice in self._choices(cell, state):
                    following[choice.after] += ways * choice.ways
            layers.append(following)
        return layers

    @cached_property
    def _onward(self) -> list[dict[int, int]]:
        """For the same states: how many ways lead from there to the end."""
        onward: list[dict[int, int]] = [dict.fromkeys(self._layers[-1], 1)]
        for cell, layer in zip(reversed(self._cells), reversed(self._layers[:-1]), strict=True):
            following, here = onward[-1], dict[int, int]()
            for state in layer:
                ways = sum(choice.ways * following.get(choice.after, 0) for choice in self._choices(cell, state))
                if ways:
                    here[state] = ways
            onward.append(here)
        return onward[::-1]

    @cached_property
    def _scale(self) -> int:
        return prod(factorial(row) for row in self._rows)

    @cached_property
    def weight(self) -> int:
        """The weight of all tables together."""
        return sum(self._layers[-1].values()) * self._scale if self._possible else 0

    @cached_property
    def totals(self) -> dict[tuple[int, int], int]:
        """For each (row, column) the sum of its numbers in all tables, each times the table's weight."""
        found = {}
        for place, cell in enumerate(self._cells if self.weight else ()):
            following = self._onward[place + 1]
            total = sum(
                ways * choice.ways * choice.number * following.get(choice.after, 0)
                for state, ways in self._layers[place].items()
                for choice in self._choices(cell, state)
            )
            found[self._named(cell)] = total * self._scale
        return found

    def draw(self, random: Random) -> dict[tuple[int, int], int]:
        """A table, as its (row, column) numbers; as likely as its weight. There must be one."""
        (state,) = self._layers[0]
        drawn = {}
        for cell, following in zip(self._cells, self._onward[1:], strict=True):
            choices = [choice for choice in self._choices(cell, state) if choice.after in following]
            pick = random.randrange(sum(choice.ways * following[choice.after] for choice in choices))
            for choice in choices:
                pick -= choice.ways * following[choice.after]
                if pick < 0:
                    break
            drawn[self._named(cell)] = choice.number
            state = choice.after
        return drawn

    def _named(self, cell: Cell) -> tuple[int, int]:
        return (cell.column, cell.row) if self._turned else (cell.row, cell.column)


def _order(columns: Sequence[int], open_to: Sequence[Sequence[int]]) -> tuple[list[int], int]:
    """An order of the rows that leaves few columns half filled at a time, and about how many states it passes."""
    waiting, order, touched, states = set(range(len(open_to))), list[int](), set[int](), 0
    while waiting:
        widths = {}
        for row in sorted(waiting):
            later = {column for other in waiting - {row} for column in open_to[other]}
            widths[row] = prod(columns[column] + 1 for column in touched.union(open_to[row]) & later)
        best = min(widths, key=widths.__getitem__)
        waiting.remove(best)
        order.append(best)
        touched.update(open_to[best])
        states += widths[best] * len(open_to[best])
    return order, states


def _cells(rows: Sequence[int], order: Sequence[int], open_to: Sequence[Sequence[int]]) -> list[Cell]:
    last_row = {column: row for row in order for column in open_to[row]}
    cells = []
    for row, after in zip(order, [*order[1:], None], strict=True):
        refill = 0 if after is None else rows[after]
        # Columns that end here are filled first: they leave no choice.
        here = sorted(open_to[row], key=lambda column: last_row[column] != row)
        cells += [Cell(row, column, column == here[-1], last_row[column] == row, refill) for column in here]
    return cells
