"""A game: a ruleset with its options chosen, from which matches start."""

from collections.abc import Iterable, Mapping
from functools import cached_property

from engine_core.arrangement import Arrangements
from engine_core.errors import InvalidPosition, InvalidSeat
from engine_core.lowering import lower, relower
from engine_core.match import State, fixed_state, loaded_state, opening_state
from engine_core.notation import MoveTable
from engine_core.ruleset import Ruleset
from engine_core.tables import Tables

MAX_MATCH_ID = 32


class Game:
    """The rules of a game with its options chosen. Games with equal rules have equal digests."""

    def __init__(self, ruleset: Ruleset, like: "Game | None" = None) -> None:
        """With `like`, the tables are made from those of a game that differs in limits and in what the end reveals."""
        self.ruleset = ruleset
        if like is None:
            self.tables = Tables(lower(ruleset))
            self.moves = MoveTable(ruleset.board.squares)
        else:
            self.tables = Tables(relower(like.tables.lowered, ruleset), like.tables)
            self.moves = like.moves
        self.tables.head = self.codec_head

    @cached_property
    def id(self) -> str:
        """The game's id, such as "hidden-hasami"."""
        return self.ruleset.id

    @property
    def name(self) -> str:
        """The game's name for people."""
        return self.ruleset.name

    @property
    def revision(self) -> int:
        """Which revision of the game this is, from 1."""
        return self.ruleset.revision

    @property
    def options(self) -> Mapping[str, str]:
        """The value of every option."""
        return self.ruleset.chosen

    @property
    def squares(self) -> tuple[str, ...]:
        """The names of the existing squares, rank by rank from a1; a square's index is its place here."""
        return self.ruleset.board.squares

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The ids of the kinds; views count them from 1."""
        return tuple(kind.id for kind in self.ruleset.kinds)

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """The seats, from 1."""
        return tuple(range(1, self.ruleset.seats + 1))

    @property
    def digest(self) -> bytes:
        """16 bytes that name these rules; names and texts do not count."""
        return self.tables.digest

    @cached_property
    def codec_head(self) -> bytes:
        """How a state names this game: id, the options that differ from their defaults, digest."""
        given = [
            f"{option.name}={self.options[option.name]}".encode()
            for option in self.ruleset.options
            if self.options[option.name] != option.default
        ]
        parts = [self.id.encode(), *given]
        head = bytes((len(parts),)) + b"".join(bytes((len(part),)) + part for part in parts)
        return head + self.digest

    def start(self, *, first_seat: int = 1, match_id: bytes = b"") -> State:
        """A new match, waiting for the arrangements, or in play where pieces have their places.

        `match_id`: up to 32 bytes of the backend's own.
        """
        self._seat(first_seat)
        if self.ruleset.fixed_start:
            pieces = [
                (seat, square, kind)
                for seat, zone in enumerate(self.ruleset.zones, 1)
                for kind, squares in enumerate(zone.allowed, 1)
                for square in squares
            ]
            return fixed_state(self, sorted(pieces), first_seat, _match_id(match_id))
        return opening_state(self, first_seat, _match_id(match_id))

    def position(
        self,
        pieces: Mapping[int, Mapping[str, str]],
        to_move: int,
        out: Iterable[int] = (),
        *,
        match_id: bytes = b"",
    ) -> State:
        """Any position, for puzzles and tests: for each seat its pieces, square to kind. They are the roster.

        Its history is empty. `out` names seats that are out already, in games that go on without them.
        """
        self._seat(to_move)
        gone = tuple(out)
        squares = {name: index for index, name in enumerate(self.squares)}
        kinds = {kind: number for number, kind in enumerate(self.kinds, 1)}
        placed: dict[int, tuple[int, int, int]] = {}
        for seat, men in pieces.items():
            self._seat(seat)
            for square, kind in men.items():
                if square not in squares:
                    raise InvalidPosition(f"{square!r:.40} is not a square of {self.id}.", square=square)
                if kind not in kinds:
                    raise InvalidPosition(
                        f"There is no kind {kind!r:.40}; the kinds are {', '.join(kinds)}.", kind=kind
                    )
                if squares[square] in placed:
                    raise InvalidPosition(f"{square} holds two pieces; a square holds one.", square=square)
                placed[squares[square]] = (seat, squares[square], kinds[kind])
        for seat in gone:
            self._seat(seat)
            if not self.ruleset.last_side_wins:
                raise InvalidPosition(f"{self.id} ends when a seat is beaten; none can be out of it.", seat=seat)
            if seat == to_move or any(owner == seat for owner, _, _ in placed.values()):
                raise InvalidPosition(f"Seat {seat} is out, so it has no pieces and is not to move.", seat=seat)
        sides = {team for seat, team in zip(self.seats, self.ruleset.teams, strict=True) if seat not in gone}
        if len(sides) < 2:
            raise InvalidPosition("A position needs two sides that are in play.")
        return loaded_state(self, sorted(placed.values()), to_move, gone, _match_id(match_id))

    def random_arrangement(self, seat: int, seed: int) -> dict[str, str]:
        """A legal arrangement of a seat, square to kind, all equally likely; a seed gives the same one each time."""
        return self._arrangements(seat).draw(seed)

    def arrangement_count(self, seat: int) -> int:
        """How many legal arrangements a seat has."""
        return self._arrangements(seat).count

    def _arrangements(self, seat: int) -> Arrangements:
        self._seat(seat)
        return self._arrangements_by_seat[seat - 1]

    @cached_property
    def _arrangements_by_seat(self) -> tuple[Arrangements, ...]:
        return tuple(Arrangements(self.ruleset, seat) for seat in self.seats)

    def _seat(self, seat: int) -> None:
        if seat not in self.seats:
            raise InvalidSeat(f"{self.id} has no seat {seat}; seats are 1 to {len(self.seats)}.", seat=seat)

    def __repr__(self) -> str:
        return f"<Game {self.id} {dict(self.options)}>"


def _match_id(match_id: bytes) -> bytes:
    if len(match_id) > MAX_MATCH_ID:
        raise InvalidPosition(f"A match id has at most {MAX_MATCH_ID} bytes, not {len(match_id)}.", size=len(match_id))
    return bytes(match_id)
