"""What the seats, or others, do beside the board: giving up, agreeing on a draw, adjudicating."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from .endings import Result, draw

if TYPE_CHECKING:
    from .record import Record
    from .rules import Rules

FORFEIT_CAUSES = ("time", "abandonment", "ruling")

C = TypeVar("C", bound="Conduct")
P = ParamSpec("P")
T = TypeVar("T")


class IllegalAction(Exception):
    """The rules do not allow this action now."""


def accepted_action(action: Callable[Concatenate[C, P], T]) -> Callable[Concatenate[C, P], T]:
    """An action before the end; it counts as a revision unless it was refused."""

    def wrapped(match: C, /, *args: P.args, **kwargs: P.kwargs) -> T:
        if match.result is not None:
            raise IllegalAction("the match is over")
        revision = match.revision + 1
        answer = action(match, *args, **kwargs)
        match.revision = revision
        return answer

    return wrapped


class Conduct(ABC):
    """The part of a match that needs no board."""

    rules: "Rules"
    record: "Record"
    phase: str
    to_move: int | None
    revision: int
    result: Result | None
    out: frozenset[int]
    draw_offer: frozenset[int]
    """The seats that have agreed, as long as an offer is open."""
    coverage: set[str]

    @property
    @abstractmethod
    def in_play(self) -> list[int]: ...

    @abstractmethod
    def next_in_play(self, seat: int) -> int: ...

    @abstractmethod
    def begin_when_arranged(self) -> None: ...

    @abstractmethod
    def prepare_moves(self, seat: int) -> set[str]: ...

    @abstractmethod
    def give_turn(self, seat: int) -> None: ...

    @abstractmethod
    def leave(self, seat: int, cause: str) -> Result | None: ...

    @abstractmethod
    def end(self, result: Result) -> None: ...

    @accepted_action
    def resign(self, seat: int) -> None:
        self._give_up(seat, "resigned")

    @accepted_action
    def forfeit(self, seat: int, cause: str) -> None:
        if cause not in FORFEIT_CAUSES:
            raise IllegalAction(f"no cause for a forfeit: {cause}")
        self._give_up(seat, cause)

    def _give_up(self, seat: int, cause: str) -> None:
        self.require_in_play(seat)
        result = self.leave(seat, cause)
        if result:
            self.end(result)
        elif self.phase == "arrangement":
            self.begin_when_arranged()
        elif seat == self.to_move:
            self.give_turn(self.next_in_play(seat))
        elif self.to_move is not None:
            # The pieces that have left the board stood in the way of some moves.
            self.prepare_moves(self.to_move)

    @accepted_action
    def adjudicate(self, winners: Iterable[int]) -> None:
        """End the match by somebody's decision; no winners make a draw."""
        named = tuple(winners)
        chosen = frozenset(named)
        if len(chosen) < len(named):
            raise IllegalAction("a winner is named twice")
        if not self.rules.sides.may_win(chosen):
            raise IllegalAction("winners must be whole sides, and not all of them")
        self.end((chosen, "adjudicated"))

    @accepted_action
    def offer_draw(self, seat: int) -> None:
        self.require_in_play(seat)
        if self.phase != "play" or self.draw_offer:
            raise IllegalAction("no draw can be offered now")
        self.record.noted("draw-offered", seat)
        self.coverage.add("offer:opened")
        self.draw_offer = frozenset((seat,))

    @accepted_action
    def accept_draw(self, seat: int) -> None:
        self._require_open_offer(seat)
        self.record.noted("draw-accepted", seat)
        self.draw_offer |= {seat}
        if self.draw_offer.issuperset(self.in_play):
            self.coverage.add("offer:accepted")
            self.end(draw("agreed-draw"))

    @accepted_action
    def decline_draw(self, seat: int) -> None:
        self._require_open_offer(seat)
        self.record.noted("draw-declined", seat)
        self.close_offer("declined")

    def _require_open_offer(self, seat: int) -> None:
        self.require_in_play(seat)
        if not self.draw_offer or seat in self.draw_offer:
            raise IllegalAction("there is no draw offer to answer")

    def close_offer(self, how: str) -> None:
        self.coverage.add(f"offer:{how}")
        self.draw_offer = frozenset()

    def require_in_play(self, seat: int) -> None:
        if seat not in self.in_play:
            raise IllegalAction(f"no such seat in play: {seat}")
