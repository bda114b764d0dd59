"""Games as the service describes them, and what they tell of moves and views."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from shinpan.v1 import game_pb2
from shinpan.values import View

_HIDDEN = 255
"""The kind of a piece in a view whose viewer may not know it."""

_FLAGS = (1, 2, 16)
"""Bits of a view's flags: moved, shown, claims."""


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that is fixed when a match starts."""

    name: str
    meaning: str
    """What it decides, a sentence."""
    values: tuple[str, ...]
    """The values it can have; "N" stands for any whole number from 1."""
    default: str

    @classmethod
    def of(cls, message: game_pb2.Option) -> "Option":
        """From its message."""
        return cls(message.name, message.meaning, tuple(message.values), message.default_value)


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in the list of games."""

    id: str
    """For example "hidden-hasami"."""
    name: str
    """Its name for people."""
    summary: str
    """What it is about, a sentence or two."""
    seats: int
    """Number of seats."""
    options: tuple[Option, ...]
    revision: int
    """The revision of its rules that new matches take."""

    @classmethod
    def of(cls, message: game_pb2.GameSummary) -> "GameSummary":
        """From its message."""
        options = tuple(Option.of(option) for option in message.options)
        return cls(message.id, message.name, message.summary, message.seats, options, message.revision)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on the board, as one viewer may know it."""

    square: str
    """Where it stands."""
    seat: int
    """Its owner."""
    kind: str | None
    """Id of its kind, for example "spy"; None when the viewer may not know it."""
    origin: str
    """Where it started, which names it for the whole match."""
    moved: bool
    shown: bool
    """Its kind is shown to everybody."""
    claims: bool
    """It is a flag that claims from its square."""


@dataclass(frozen=True)
class Game:
    """A game with its options chosen."""

    message: game_pb2.Game
    """The whole description."""

    @property
    def id(self) -> str:
        """Its id, for example "hidden-hasami"."""
        return self.message.id

    @property
    def name(self) -> str:
        """Its name for people."""
        return self.message.name

    @property
    def revision(self) -> int:
        """The revision of its rules, from 1."""
        return self.message.revision

    @cached_property
    def options(self) -> Mapping[str, str]:
        """The value of every option."""
        return dict(self.message.chosen)

    @cached_property
    def squares(self) -> tuple[str, ...]:
        """Names of the squares; a square's index is its place here."""
        return tuple(square.name for square in self.message.board.squares)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """Ids of the kinds; views count them from 1."""
        return tuple(kind.id for kind in self.message.kinds)

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """Numbers of the seats."""
        return tuple(seat.number for seat in self.message.seats)

    @cached_property
    def _by_number(self) -> tuple[Mapping[int, str], Mapping[int, str | None]]:
        """Squares and kinds as views count them."""
        kinds: dict[int, str | None] = dict(enumerate(self.kinds, 1))
        return dict(enumerate(self.squares, 1)), kinds | {_HIDDEN: None}

    def move_text(self, move: int) -> str:
        """A move as a number, `source << 8 | target`, in text such as "b3b4"; ValueError when it leaves the board."""
        source, target = divmod(move, 256)
        count = len(self.squares)
        if not 0 <= source < count or target >= count:
            raise ValueError(f"{move} is no move of {self.id}, whose board has {count} squares")
        return self.squares[source] + self.squares[target]

    def packed_move(self, text: str) -> int:
        """A move in text, such as "b3b4", as a number; ValueError when it is not two squares of the board."""
        for end in range(1, len(text)):
            source, target = text[:end], text[end:]
            if source in self.squares and target in self.squares:
                return self.squares.index(source) << 8 | self.squares.index(target)
        raise ValueError(f"{text!r} is no move of {self.id}: a move is two squares of its board, like b3b4")

    def pieces(self, view: View) -> tuple[Piece, ...]:
        """The pieces of a view, in the order of the squares; ValueError when it is of another game or other options."""
        columns = (view.seats, view.kinds, view.origins, view.flags)
        origins, kinds = self._by_number
        try:
            return tuple(
                Piece(square, seat, kinds[kind], origins[origin], *(bool(flags & bit) for bit in _FLAGS))
                for square, seat, kind, origin, flags in zip(self.squares, *columns, strict=True)
                if seat
            )
        except (KeyError, ValueError):
            raise ValueError(f"the view is not of {self.id} with these options") from None
