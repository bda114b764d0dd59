"""The public log of a match.

Nothing enters it that some viewer may not know, so hidden kinds never do.
"""

from typing import TYPE_CHECKING, Any

from .contact import Turn
from .endings import Result
from .position import Position

if TYPE_CHECKING:
    from .rules import Rules

Entry = tuple[Any, ...]


class Record:
    def __init__(self, rules: "Rules", first_seat: int) -> None:
        self._names = rules.board.names
        self._reveals_at_end = rules.options["reveal_at_end"] == "on"
        chosen = tuple(sorted(rules.options.items()))
        self._entries: list[Entry] = [("match", rules.name, chosen, first_seat)]

    def copy(self) -> "Record":
        other = Record.__new__(Record)
        other.__dict__.update(self.__dict__)
        other._entries = self._entries.copy()
        return other

    def frozen(self) -> tuple[Entry, ...]:
        return tuple(self._entries)

    def arranged(self, seat: int) -> None:
        self._entries.append(("arranged", seat))

    def began(self, position: Position) -> None:
        """Play begins; from now on everybody sees which squares each seat occupies."""
        occupied = tuple((seat, name) for seat, name in zip(position.owner, self._names, strict=True) if seat)
        self._entries.append(("board", occupied))

    def moved(self, ply: int, turn: Turn, named: tuple[str, str] | None, shown: int | None) -> None:
        names = self._names
        captured = tuple(sorted(names[square] for square in turn.captured))
        self._entries.append(
            (
                "move",
                ply,
                turn.seat,
                names[turn.origin],
                names[turn.target],
                turn.outcome,
                captured,
                named,
                None if shown is None else names[shown],
            )
        )

    def flag_shown(self, seat: int, square: int) -> None:
        self._entries.append(("flag-shown", seat, self._names[square]))

    def noted(self, what: str, seat: int, cause: str = "") -> None:
        self._entries.append((what, seat, cause))

    def ended(self, result: Result, position: Position) -> None:
        winners, reason = result
        self._entries.append(("result", tuple(sorted(winners)), reason))
        if self._reveals_at_end:
            pieces = tuple(
                (seat, self._names[square], kind)
                for seat, men in enumerate(position.men)
                for square, kind in sorted(men.items())
            )
            self._entries.append(("revealed", pieces))
