"""What a user asked for in a match: as the service is asked, and as the engine in this process does it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from shinpan import actions
from shinpan.v1.action_pb2 import Action

from engine_core import State


class Played(Protocol):
    """An action of a match."""

    def message(self) -> Action:
        """For the service."""

    def on(self, state: State) -> State:
        """The state after it; RefereeError when the engine refuses it."""


@dataclass(frozen=True, slots=True)
class Arranged:
    """A seat has placed its pieces: squares and kinds."""

    seat: int
    pieces: Mapping[str, str]

    def message(self) -> Action:
        """For the service."""
        return actions.arrange(self.seat, self.pieces)

    def on(self, state: State) -> State:
        """The state after it."""
        return state.arrange(self.seat, self.pieces).state


@dataclass(frozen=True, slots=True)
class Moved:
    """A seat has moved: `source << 8 | target`."""

    seat: int
    move: int

    def message(self) -> Action:
        """For the service."""
        return actions.move(self.seat, self.move)

    def on(self, state: State) -> State:
        """The state after it."""
        return state.play(self.move).state


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat has resigned."""

    seat: int

    def message(self) -> Action:
        """For the service."""
        return actions.resign(self.seat)

    def on(self, state: State) -> State:
        """The state after it."""
        return state.resign(self.seat).state
