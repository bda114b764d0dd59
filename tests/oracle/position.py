"""Which piece stands on which square at one moment."""

from collections.abc import Iterable


class Position:
    """Everything is kept twice, by square and by seat, since both are asked for all the time."""

    __slots__ = ("_bits", "key", "men", "owner", "shown")

    def __init__(self, squares: int, seats: int) -> None:
        self.owner = [0] * squares
        self.men: list[dict[int, str]] = [{} for _ in range(seats + 1)]
        """Per seat (0 is unused) the kind on each of its squares."""
        self.shown: set[int] = set()
        """Squares whose piece has its kind shown to everybody."""
        self.key = 0
        """The occupied squares by seat as one number; equal exactly for equal public boards."""
        self._bits = [[1 << (seat * squares + at) for at in range(squares)] for seat in range(seats)]

    def copy(self) -> "Position":
        other = Position.__new__(Position)
        other.owner = self.owner.copy()
        other.men = [men.copy() for men in self.men]
        other.shown = self.shown.copy()
        other.key = self.key
        other._bits = self._bits
        return other

    def place(self, seat: int, square: int, kind: str) -> None:
        self.owner[square] = seat
        self.men[seat][square] = kind
        self.key ^= self._bits[seat - 1][square]

    def remove(self, square: int) -> str:
        """Take a piece off the board and tell its kind."""
        seat = self.owner[square]
        self.owner[square] = 0
        self.key ^= self._bits[seat - 1][square]
        self.shown.discard(square)
        return self.men[seat].pop(square)

    def clear(self, seat: int) -> None:
        """Take all pieces of a seat off the board."""
        for square in list(self.men[seat]):
            self.remove(square)

    def move(self, origin: int, target: int) -> None:
        """Move a piece to an empty square; a shown piece stays shown."""
        seat = self.owner[origin]
        shown = origin in self.shown
        self.place(seat, target, self.remove(origin))
        if shown:
            self.shown.add(target)

    def key_after(self, seat: int, origin: int, target: int) -> int:
        """The key that a move to an empty square would lead to."""
        bits = self._bits[seat - 1]
        return self.key ^ bits[origin] ^ bits[target]

    def has_enemy(self, seat: int, squares: Iterable[int]) -> bool:
        owner = self.owner
        return any(owner[square] not in (0, seat) for square in squares)
