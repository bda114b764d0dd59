"""The files of tests/perft: positions, and how many move sequences and information states follow from each."""

from dataclasses import dataclass, field
from pathlib import Path

import oracle
from oracle.information import Followed

import engine_core

FOLDER = Path(__file__).resolve().parents[1] / "perft"


@dataclass
class Vector:
    """One position; the README of that folder says what the lines mean."""

    game: str
    id: str = ""
    note: str = ""
    options: dict[str, str] = field(default_factory=dict)
    begin: str = ""
    pieces: dict[int, dict[str, str]] = field(default_factory=dict)
    out: tuple[int, ...] = ()
    to_move: int = 1
    after: tuple[str, ...] = ()
    moves: tuple[int, ...] = ()
    """Move sequences of 1, 2, … moves."""
    swaps: tuple[tuple[int, str, str], ...] = ()
    """Seat and two squares of its pieces: each makes a twin in which they have each other's kinds."""
    views: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """By viewer the information states of the position and its twins after 0, 1, … moves; 0 is the spectator."""
    oracle_moves: int = 0
    """The depth to which the oracle has counted `moves`."""
    oracle_views: int = 0
    rules: str = ""
    """The name in rules.md of a position whose `moves` are stated there."""

    @property
    def arrangements(self) -> list[dict[int, dict[str, str]]]:
        """The pieces of the position and of its twins."""
        found = [self.pieces]
        for seat, one, other in self.swaps:
            men = self.pieces[seat]
            found.append(self.pieces | {seat: men | {one: men[other], other: men[one]}})
        return found

    def states(self) -> list[engine_core.State]:
        """The position and its twins in the engine."""
        game = engine_core.load(self.game, **self.options)
        found = []
        for pieces in self.arrangements:
            if self.begin == "position":
                state = game.position(pieces, self.to_move, self.out)
            else:
                state = game.start(first_seat=self.to_move)
                for seat, men in pieces.items():
                    state = state.arrange(seat, men).state
            for move in self.after:
                state = state.play(move).state
            found.append(state)
        return found

    def matches(self) -> list[Followed]:
        """The position and its twins in the oracle."""
        rules = oracle.game(self.game, self.options)
        found = []
        for pieces in self.arrangements:
            if self.begin == "position":
                match = rules.position(pieces, self.to_move, self.out)
            else:
                match = rules.start(self.to_move)
                for seat, men in pieces.items():
                    match.arrange(seat, men)
            followed = Followed.begin(match)
            for move in self.after:
                followed = followed.play(move)
            found.append(followed)
        return found


def read(path: Path) -> list[Vector]:
    """The positions of a file; ValueError names the line that is not understood."""
    found: list[Vector] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        word, _, rest = line.partition(" ")
        if not line or line.startswith("#"):
            continue
        try:
            if word == "id":
                found.append(Vector(path.stem, id=rest))
            else:
                _take(found[-1], word, rest.strip())
        except (IndexError, KeyError, ValueError) as error:
            raise ValueError(f"{path.name}, line {number}: {line!r} is not understood ({error})") from error
    return found


def _take(vector: Vector, word: str, rest: str) -> None:
    match word:
        case "note" | "begin" | "rules":
            setattr(vector, word, rest)
        case "options":
            vector.options = {name: value for name, _, value in (option.partition("=") for option in rest.split())}
        case "1" | "2" | "3" | "4":
            vector.pieces[int(word)] = _pieces(rest)
        case "swap":
            seat, one, other = rest.split()
            vector.swaps += ((int(seat), one, other),)
        case "out":
            vector.out = tuple(map(int, rest.split()))
        case "to-move":
            vector.to_move = int(rest)
        case "after":
            vector.after += tuple(rest.split())
        case "moves":
            vector.moves = _counts(rest, "D", first=1)
        case "views":
            viewer, _, counts = rest.partition(" ")
            vector.views[int(viewer)] = _counts(counts, "V", first=0)
        case "oracle":
            vector.oracle_moves, vector.oracle_views = (int(depth[1:]) for depth in rest.split())
        case _:
            raise ValueError("no such word")


def _pieces(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for group in text.split("; "):
        kind, *squares = group.split()
        found |= dict.fromkeys(squares, kind)
    return found


def _counts(text: str, letter: str, first: int) -> tuple[int, ...]:
    """`D1 35 ;D2 1120` as counts; the depths begin with `first` and have no gap."""
    counts: list[int] = []
    for item in text.split(" ;"):
        depth, count = item.split()
        if depth != f"{letter}{first + len(counts)}":
            raise ValueError(f"{depth} is not the next depth")
        counts.append(int(count))
    return tuple(counts)
