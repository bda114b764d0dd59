"""The part of `plausible` that is about moves: what kinds can do, how many moves a way takes, and the history."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import oracle
from oracle.contact import Battle, Matrix

from .layout import NONE, Fields, Piece

HEADQUARTERS = {"luzhanqi-mini": ("b1", "f1"), "gunjin-shogi": ("d1", "f1")}


class Ground:
    """The rules of one game, as the checks of a state want them."""

    def __init__(self, rules: oracle.Rules) -> None:
        self.rules, self.board = rules, rules.board
        contact = rules.contact
        self.matrix: Matrix = contact.matrix if isinstance(contact, Battle) else {}
        squares = HEADQUARTERS.get(rules.name, ())
        self.headquarters = {seat: self.board.for_seat(squares, seat) for seat in rules.all_seats}
        self.goal: dict[int, frozenset[int]] = {
            seat: self.board.back_row(3 - seat) if rules.opens_claims else frozenset() for seat in rules.all_seats
        }
        self.camps = {self.board.index[name] for name in rules.sanctuaries}
        self._ways: dict[tuple[str, int], dict[int, int]] = {}

    @cached_property
    def _reach(self) -> dict[str, frozenset[tuple[int, int]]]:
        """For each kind that moves all its moves on an empty board."""
        empty = [0] * self.board.size
        return {
            kind: frozenset(
                (square, target) for square in range(self.board.size) for target in how.destinations(square, 1, empty)
            )
            for kind, how in self.rules.movement.items()
            if how is not None
        }

    @cached_property
    def _sets(self) -> set[frozenset[str]]:
        """The sets of kinds that moves can tell: of those that have a move, all that have it."""
        reach = self._reach
        return {frozenset(other for other in reach if reach[kind] <= reach[other]) for kind in reach}

    def can_be_told(self, kinds: set[str]) -> bool:
        return frozenset(kinds) in self._sets

    def able(self, owner: list[int], seat: int, source: int, target: int) -> set[str]:
        """The kinds that could make a move."""
        if target in self.camps and owner[target]:
            return set()
        return {
            kind
            for kind, how in self.rules.movement.items()
            if how is not None and target in how.destinations(source, seat, owner)
        }

    def targets(self, owner: list[int], seat: int, square: int, kind: str) -> list[int]:
        """Where a piece could go, restrictions on repeated moves aside."""
        how = self.rules.movement[kind]
        reached = [] if how is None else how.destinations(square, seat, owner)
        return [target for target in reached if not owner[target] or target not in self.camps]

    def can_move(self, owner: list[int], kinds: dict[int, str], seat: int) -> bool:
        """Whether a seat has a move, restrictions aside."""
        return any(owner[square] == seat and self.targets(owner, seat, square, kind) for square, kind in kinds.items())

    @cached_property
    def steps_only(self) -> bool:
        """Whether every move changes the colour of the square, as on a chessboard."""
        return all(self.colour(square) != self.colour(to) for moves in self._reach.values() for square, to in moves)

    def colour(self, square: int) -> int:
        name = self.board.names[square]
        return (ord(name[0]) + int(name[1:])) % 2

    def fewest(self, piece: Piece, kind: str, stations: Sequence[frozenset[int]]) -> int:
        """The fewest moves of a piece that has moved, by way of these squares, to where it is or from the board."""
        last = [] if piece.square == NONE else [frozenset((piece.square,))]
        ways = {piece.start: 0}
        for squares in (*stations, *last):
            ways = {
                square: min(made + self._distance(kind, place, square) for place, made in ways.items())
                for square in squares
            }
        return max(min(ways.values()), 2 if piece.square == piece.start else 1)

    def _distance(self, kind: str, start: int, target: int) -> int:
        how = self.rules.movement[kind]
        if how is None:
            return 0
        if (kind, start) not in self._ways:
            found, border, empty = {start: 0}, [start], [0] * self.board.size
            while border:
                square = border.pop(0)
                for to in how.destinations(square, 1, empty):
                    if to not in found:
                        found[to] = found[square] + 1
                        border.append(to)
            self._ways[kind, start] = found
        return self._ways[kind, start].get(target, 1 << 30)

    def occurrences(self, fields: Fields, owner: list[int]) -> int:
        """How often the board has stood with the same seat to move in the moves of the history."""
        board, found = list(owner), 1
        for number, move in enumerate(reversed(fields.history), 1):
            source, target = divmod(move, 256)
            board[source], board[target] = board[target], 0
            found += board == owner and number % 2 == 0
        return found

    def brackets(self, owner: list[int], square: int) -> bool:
        """Whether the stone on a square has enemies beside it in a run that an own stone closes."""
        seat = owner[square]
        for ray in self.board.rays[square]:
            end = next((place for place, other in enumerate(ray) if owner[other] in (0, seat)), 0)
            if end and owner[ray[end]] == seat:
                return True
        return False


def history_inconsistencies(
    fields: Fields, ground: Ground, owner: list[int], mover: Callable[[int], int], *, custodial: bool
) -> Iterator[str]:
    """Take the moves that are kept back, and see that they were quiet moves of their pieces."""
    at = {piece.square: piece for piece in fields.pieces if piece.square != NONE}
    names = dict(enumerate(ground.rules.kinds, 1))
    board, history = list(owner), fields.history
    moves = list(reversed(history)) or list(_interleaved(fields, mover))[: fields.quiet]
    if custodial and len(history) != fields.quiet:
        yield "the history is not the quiet plies"
    if len(history) > fields.quiet:
        yield "a history longer than the quiet plies"
    if moves and fields.ply and moves[0] != fields.last_source << 8 | fields.last_target:
        yield "the moves that are kept do not end with the last one"
    movers: set[int] = set()
    for number, move in enumerate(moves):
        source, target = divmod(move, 256)
        piece = at.pop(target, None)
        if piece is None or piece.seat != mover(fields.ply - number) or board[source] or not piece.marks:
            yield "a move that cannot be taken back"
            return
        if custodial and ground.brackets(board, target):
            yield "a quiet move that should have captured"
        board[source], board[target] = piece.seat, 0
        at[source] = piece
        movers.add(piece.start)
        able = ground.able(board, piece.seat, source, target)
        if names[piece.kind] not in able:
            yield "a move that its piece could not make"
        elif any(piece.able >> (index - 1) & 1 and kind not in able for index, kind in names.items()):
            yield "a move tells more about its piece than is kept"
    if len(moves) == fields.ply and any(
        (piece.square != NONE and bool(piece.marks)) != (piece.start in movers) for piece in fields.pieces
    ):
        yield "the pieces that have moved are not those of the moves"
    if len(moves) == fields.ply and any(piece.start != square for square, piece in at.items()):
        yield "the moves do not lead back to the start"
    if custodial and any(
        ground.occurrences(_earlier(fields, number), _taken_back(owner, history, number)) >= 3
        for number in range(1, len(history))
    ):
        yield "a third occurrence before the last move"
    for seat, recent in fields.recent.items():
        made = (fields.ply + (seat == fields.first_seat)) // 2
        if len(recent) != min(made, int(ground.rules.options["two_squares"])):
            yield "more or fewer last moves than were made"


def _interleaved(fields: Fields, mover: Callable[[int], int]) -> Iterator[int]:
    """The last moves of both seats, the latest first, as long as they are kept."""
    left = {seat: list(moves) for seat, moves in fields.recent.items()}
    ply = fields.ply
    while ply and left.get(mover(ply)):
        yield left[mover(ply)].pop()
        ply -= 1


def _earlier(fields: Fields, number: int) -> Fields:
    earlier = Fields(fields.names, fields.digest)
    earlier.history = fields.history[: len(fields.history) - number]
    return earlier


def _taken_back(owner: list[int], history: list[int], number: int) -> list[int]:
    board = list(owner)
    for move in reversed(history[len(history) - number :]):
        source, target = divmod(move, 256)
        board[source], board[target] = board[target], 0
    return board
