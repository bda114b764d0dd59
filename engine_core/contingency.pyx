# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False
"""Tables of numbers with given sums of rows and columns, each weighed with the ways to fill it; counts are exact.

A table stands for handing out distinct things of one sort per row to distinct places of one sort per column. Its weight
is the product of the factorials of all sums over that of all its numbers. The cells are gone through one by one, row
by row, over states of what the row and the columns have left: one number, with mixed radices. Weights are Python's
integers, which have no bound.
"""

cimport cython

from math import comb, factorial, prod

from libc.stdlib cimport free, malloc
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize

from engine_core.errors import BudgetExceeded

from engine_core.splitmix cimport next_random

MAX_STATES = 400_000
"""States that a count may pass, about a second's worth; the matches of known games need a tenth."""

cdef list binomials = []


cdef list _binomials(int top):
    """comb(top, n) for all n."""
    while len(binomials) <= top:
        binomials.append([comb(len(binomials), number) for number in range(len(binomials) + 1)])
    return binomials[top]


cdef void _let_others_run():
    """Give up the GIL for a moment, once a cell. Another thread may then fill the same tables, in lists of its own."""
    with nogil:
        pass


@cython.final
cdef class Tables:
    """All tables with these sums and nothing in a cell that is not open; `open_to[row]` lists the open columns."""

    def __init__(self, list rows, list columns, list open_to):
        cdef list turned = [
            [row for row, here in enumerate(open_to) if column in here] for column in range(len(columns))
        ]
        self.possible = sum(rows) == sum(columns) and all(open_to) and all(turned)
        one, two = _order(columns, open_to), _order(rows, turned)
        # The side is taken that leaves fewer states on the way.
        self.turned = two[1] < one[1]
        if self.turned:
            rows, columns, open_to, one = columns, rows, turned, two
        self.rows, self.columns = rows, columns
        self.radix = []
        self.whole = 1
        for column in columns:
            self.radix.append(self.whole)
            self.whole *= column + 1
        self.size = sum(map(len, open_to)) if self.possible else 0
        free(self.cells)
        self.cells = <Cell *>malloc(max(1, self.size) * sizeof(Cell))
        if self.cells == NULL:
            raise MemoryError
        if self.possible:
            self._lay_out(one[0], open_to)

    def __dealloc__(self):
        free(self.cells)

    def _lay_out(self, list order, list open_to):
        cdef int place = 0
        last_row = {column: row for row in order for column in open_to[row]}
        for index, row in enumerate(order):
            # Columns that end here are filled first: they leave no choice.
            here = sorted(open_to[row], key=lambda column: last_row[column] != row)
            for column in here:
                self.cells[place].row, self.cells[place].column = row, column
                self.cells[place].ends_row = column == here[len(here) - 1]
                self.cells[place].ends_column = last_row[column] == row
                self.cells[place].refill = self.rows[order[index + 1]] if index + 1 < len(order) else 0
                place += 1

    cdef int row_of(self, int cell) noexcept:
        return self.cells[cell].column if self.turned else self.cells[cell].row

    cdef int column_of(self, int cell) noexcept:
        return self.cells[cell].row if self.turned else self.cells[cell].column

    cdef void fill_forward(self):
        cdef int place, rest, left, least, most, number
        cdef dict layer, following
        cdef list ways_to
        cdef Py_ssize_t passed = 0
        whole = self.whole
        full = sum([column * weight for column, weight in zip(self.columns, self.radix)])
        if self.size:
            full += self.rows[self.cells[0].row] * whole
        layer = {full: 1}
        forward = [layer]
        for place in range(self.size):
            _let_others_run()
            cell = self.cells[place]
            weight, base = self.radix[cell.column], self.columns[cell.column] + 1
            step, refill = whole + weight, cell.refill * whole if cell.ends_row else 0
            following = {}
            for state, ways in layer.items():
                rest, left = state // whole, state // weight % base
                least = max(rest if cell.ends_row else 0, left if cell.ends_column else 0)
                most = min(rest, left)
                if least > most:
                    continue
                ways_to = _binomials(left)
                after = state - least * step + refill
                for number in range(least, most + 1):
                    following[after] = following.get(after, 0) + ways * ways_to[number]
                    after -= step
            layer = following
            forward.append(layer)
            passed += len(layer)
            if passed > MAX_STATES:
                raise BudgetExceeded("The ways to fit the evidence are too many to be counted.", limit=MAX_STATES)
        self.forward = forward

    cdef void fill_onward(self):
        cdef int place, rest, left, least, most, number
        cdef dict here, following
        cdef list ways_to
        whole = self.whole
        following = dict.fromkeys(self.forward[self.size], 1)
        onward = [following]
        for place in range(self.size - 1, -1, -1):
            _let_others_run()
            cell = self.cells[place]
            weight, base = self.radix[cell.column], self.columns[cell.column] + 1
            step, refill = whole + weight, cell.refill * whole if cell.ends_row else 0
            here = {}
            for state in self.forward[place]:
                rest, left = state // whole, state // weight % base
                least = max(rest if cell.ends_row else 0, left if cell.ends_column else 0)
                most = min(rest, left)
                ways_to = _binomials(left)
                after = state - least * step + refill
                total = 0
                for number in range(least, most + 1):
                    ways = following.get(after)
                    if ways is not None:
                        total += ways * ways_to[number]
                    after -= step
                if total:
                    here[state] = total
            following = here
            onward.append(here)
        onward.reverse()
        self.onward = onward

    @property
    def weight(self):
        """The weight of all tables together."""
        if self.total is None:
            total = 0
            if self.possible:
                self.fill_forward()
                total = sum(self.forward[self.size].values()) * prod(map(factorial, self.rows))
            self.total = total
        return self.total

    def totals(self):
        """For each (row, column) the sum of its numbers in all tables, each times the table's weight."""
        cdef int place, rest, left, least, most, number
        cdef dict following
        cdef list ways_to
        found = {}
        if not self.weight:
            return found
        if self.onward is None:
            self.fill_onward()
        scale = prod(map(factorial, self.rows))
        whole = self.whole
        for place in range(self.size):
            _let_others_run()
            cell = self.cells[place]
            weight, base = self.radix[cell.column], self.columns[cell.column] + 1
            step, refill = whole + weight, cell.refill * whole if cell.ends_row else 0
            following = self.onward[place + 1]
            total = 0
            for state, ways in self.forward[place].items():
                rest, left = state // whole, state // weight % base
                least = max(rest if cell.ends_row else 0, left if cell.ends_column else 0)
                most = min(rest, left)
                ways_to = _binomials(left)
                after = state - least * step + refill
                part = 0
                for number in range(least, most + 1):
                    onward = following.get(after)
                    if onward is not None:
                        part += onward * ways_to[number] * number
                    after -= step
                total += ways * part
            found[self.row_of(place), self.column_of(place)] = total * scale
        return found

    cdef void fill_draws(self):
        """Make what `draw` looks at from the ways that lead on. There must be a table."""
        cdef int place, rest, left, least, most, number
        cdef dict following, index_of
        cdef bytes choices, begins
        cdef Draw *draw
        cdef uint32_t *begin
        cdef Py_ssize_t count
        if self.onward is None:
            self.fill_onward()
        whole = self.whole
        self.draws, self.starts = [], []
        for place in range(self.size):
            cell = self.cells[place]
            weight, base = self.radix[cell.column], self.columns[cell.column] + 1
            step, refill = whole + weight, cell.refill * whole if cell.ends_row else 0
            following = self.onward[place + 1]
            index_of = {state: index for index, state in enumerate(following)}
            most = self.columns[cell.column]
            choices = PyBytes_FromStringAndSize(NULL, len(self.onward[place]) * (most + 1) * sizeof(Draw))
            begins = PyBytes_FromStringAndSize(NULL, len(self.onward[place]) * sizeof(uint32_t))
            draw = <Draw *>PyBytes_AS_STRING(choices)
            begin = <uint32_t *>PyBytes_AS_STRING(begins)
            count = 0
            for state, total in self.onward[place].items():
                begin[0] = <uint32_t>count
                begin += 1
                rest, left = state // whole, state // weight % base
                least = max(rest if cell.ends_row else 0, left if cell.ends_column else 0)
                most = min(rest, left)
                after = state - least * step + refill
                passed = 0
                for number in range(least, most + 1):
                    ways = following.get(after)
                    if ways is not None:
                        passed += ways * _binomials(left)[number]
                        draw[count].upto = min((passed << 64) // total, 0xFFFFFFFFFFFFFFFF)
                        draw[count].next = index_of[after]
                        draw[count].number = <uint8_t>number
                        count += 1
                    after -= step
                draw[count - 1].upto = 0xFFFFFFFFFFFFFFFF
            self.draws.append(choices[:count * sizeof(Draw)])
            self.starts.append(begins)

    cdef void draw(self, uint64_t *seed, uint8_t *numbers) noexcept:
        """Write the number of each cell of a table, drawn as its weight says but for a part in 2**60."""
        cdef int place
        cdef uint32_t state = 0
        cdef uint64_t pick
        cdef const Draw *draw
        for place in range(self.size):
            draw = <const Draw *>PyBytes_AS_STRING(self.draws[place])
            draw += (<const uint32_t *>PyBytes_AS_STRING(self.starts[place]))[state]
            pick = next_random(seed)
            while draw.upto < pick:
                draw += 1
            numbers[place] = draw.number
            state = draw.next


def _order(list columns, list open_to):
    """An order of the rows that leaves few columns half filled at a time, and about how many states it passes."""
    waiting, order, touched, states = set(range(len(open_to))), [], set(), 0
    while waiting:
        widths = {}
        for row in sorted(waiting):
            later = set()
            for other in waiting:
                if other != row:
                    later.update(open_to[other])
            widths[row] = prod([columns[column] + 1 for column in touched.union(open_to[row]) & later])
        best = min(widths, key=widths.__getitem__)
        waiting.remove(best)
        order.append(best)
        touched.update(open_to[best])
        states += widths[best] * len(open_to[best])
    return order, states
