"""One match in two referees: the engine and the oracle get the same actions and must say the same."""

from collections.abc import Iterable
from typing import Any

import oracle

import engine_core
from engine_core import REFEREE, SPECTATOR, RefereeError, State, Turn
from engine_core.events import Event, MatchEnded, SeatEliminated, SeatPassed
from engine_core.view import CLAIM, SHOWN

from .oracle_conduct import Action, open_actions
from .oracle_events import Before, expected_events


def engine_view(state: State, viewer: int) -> dict[str, Any]:
    """A view of the engine in the words of the oracle."""
    view = state.view(viewer)
    kinds = state.game.kinds
    own, hidden, known = {}, {}, {}
    for square, seat, kind in zip(state.game.squares, view.seats, view.kinds, strict=True):
        if seat and seat == viewer:
            own[square] = kinds[kind - 1]
        elif seat and kind == 255:
            hidden[square] = seat
        elif seat:
            known[square] = [seat, kinds[kind - 1]]
    return {"own": own, "hidden": hidden, "known": known, "claim_pending": view.claim_pending}


def flagged(state: State, viewer: int, flag: int) -> set[str]:
    """The squares that carry a flag in a view."""
    flags = state.view(viewer).flags
    return {square for square, there in zip(state.game.squares, flags, strict=True) if there & flag}


def _passes_first(events: Iterable[Event]) -> list[Event]:
    """The events in order, but for passes and eliminations, whose order has a test of its own."""
    return sorted(
        events,
        key=lambda event: (
            (SeatPassed, SeatEliminated, MatchEnded).index(type(event)) + 1
            if isinstance(event, SeatPassed | SeatEliminated | MatchEnded)
            else 0
        ),
    )


class Duel:
    """The same match in both referees."""

    def __init__(self, state: State, match: oracle.Match, label: str) -> None:
        self.state = state
        self.match = match
        self.label = label
        self.moves: list[str] = []
        self.done: list[str] = []
        self.arrived = ""
        """Where the last move ended."""
        self.viewers = (SPECTATOR, *match.rules.all_seats, REFEREE)
        self.compare()

    def agree(self, what: str, engine: object, expected: object) -> None:
        assert engine == expected, f"{self.label}: {what} after {' '.join(self.done)}\n{engine}\n{expected}"

    def compare(self) -> None:
        """The public facts and the legal moves."""
        state, match = self.state, self.match
        self.moves = sorted(match.legal_moves())
        self.agree("legal moves", sorted(map(str, state.legal_moves())), self.moves)
        self.agree("phase", state.phase, match.phase)
        self.agree("to move", state.to_move, match.to_move)
        self.agree("ply and revision", (state.ply, state.revision), (match.ply, match.revision))
        self.agree("draw offer", frozenset(state.draw_agreed), match.draw_offer)
        self.agree("seats that are out", frozenset(state.out), match.out)
        result = state.result
        self.agree("result", result and (frozenset(result.winners), result.reason), match.result)

    def compare_views(self) -> None:
        """What everybody sees and every seat may do; and that the state can be written and read."""
        match = self.match
        written = self.state.to_bytes()
        read = engine_core.decode(written)
        self.agree("state read back", (read, read.to_bytes()), (self.state, written))
        shown = {match.rules.board.names[square] for square in match.position.shown}
        for viewer in self.viewers[:-1]:
            expected = match.view(viewer or "spectator")
            self.agree(f"view of {viewer}", engine_view(self.state, viewer), expected)
            claiming = {self.arrived} if expected["claim_pending"] else set()
            self.agree(f"claims in the view of {viewer}", flagged(self.state, viewer, CLAIM), claiming)
            self.agree(f"shown in the view of {viewer}", flagged(self.state, viewer, SHOWN), shown)
        for seat in match.rules.all_seats:
            self.agree(f"actions of {seat}", set(self.state.legal_actions(seat)), open_actions(match, seat))
        board = {square: (seat, kind) for seat, men in self.state.pieces().items() for square, kind in men.items()}
        self.agree("board", board, match.board())
        referee = engine_view(self.state, REFEREE)["known"]
        self.agree("view of the referee", {square: tuple(piece) for square, piece in referee.items()}, board)

    def play(self, move: str) -> oracle.Ply:
        """A legal move."""
        self.done.append(move)
        board = self.match.rules.board
        self.arrived = board.names[board.move_squares[move][1]]
        before = Before(self.match)
        ply = self.match.play(move)
        turn = self.state.play(move)
        self.agree("battle", turn.battle, ply.battle)
        self.agree("captured", set(turn.captured), ply.captured)
        self._follow(turn, before)
        return ply

    def act(self, action: Action, name: str) -> bool:
        """An action that both must accept or both refuse; whether they did accept it."""
        self.done.append(name)
        for_engine, for_oracle = action
        before = Before(self.match)
        try:
            for_oracle(self.match)
        except oracle.IllegalAction:
            unchanged = self.state.to_bytes()
            try:
                for_engine(self.state)
            except RefereeError:
                self.agree("state after a refusal", self.state.to_bytes(), unchanged)
                return False
            raise AssertionError(f"{self.label}: accepted after {' '.join(self.done)}") from None
        self._follow(for_engine(self.state), before)
        return True

    def _follow(self, turn: Turn, before: Before) -> None:
        self.state = turn.state
        self.compare()
        expected = expected_events(before, self.match, SPECTATOR)
        for viewer in self.viewers:
            if self.match.rules.opens_claims:
                expected = expected_events(before, self.match, viewer)
            self.agree(f"events for {viewer}", _passes_first(turn.events_for(viewer)), _passes_first(expected))
        self.agree("events", turn.events, turn.events_for(REFEREE))


def loaded(game: engine_core.Game, rules: oracle.Rules, label: str, **position: Any) -> Duel:
    """A match that begins with pieces on squares: `pieces`, `to_move` and perhaps `out`."""
    return Duel(game.position(**position), rules.position(**position), f"{label} {position}")
