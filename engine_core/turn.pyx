# cython: language_level=3, auto_pickle=False
"""Turns: an accepted action, the state that follows it, and what happened, as each viewer may know it."""

cimport cython

from engine_core import events as happened
from engine_core.tables import REASONS
from engine_core.view import REFEREE

from engine_core.match cimport State
from engine_core.referee cimport Outcome, clear_outcome
from engine_core.state cimport MARK_SHOWN, OFF, PLAY
from engine_core.tables cimport (
    ATTACKER_SURVIVES, DEFENDER_SURVIVES, FLAG_FALLS, MAX_SEATS, OUTCOME_MASK, REVEAL_NONE, REVEAL_SHOWN,
)

_BATTLES = {ATTACKER_SURVIVES: "attacker", DEFENDER_SURVIVES: "defender"}


# Turns are made here alone: one that is made otherwise would have no states.
cdef bint making = False


cdef Turn turn_of(State before, State after, tuple opening, const Outcome *outcome):
    global making
    making = True
    cdef Turn turn = Turn.__new__(Turn)
    making = False
    turn.before = before
    turn.state = after
    turn.opening = opening
    turn.outcome = after.outcome
    if outcome == NULL:
        clear_outcome(turn.outcome)
    else:
        turn.outcome[0] = outcome[0]
    return turn


@cython.final
@cython.no_gc
@cython.freelist(8)
cdef class Turn:
    """An accepted action: the state that follows, and what happened. The turn is the referee's; see `events_for`."""

    def __cinit__(self):
        if not making:
            raise TypeError("Turns come from the actions of a State")

    @property
    def battle(self):
        """Who won the battle of this move: "attacker", "defender" or "both" (both removed); None without one."""
        if not self.outcome.battle:
            return None
        return _BATTLES.get(self.outcome.battle & OUTCOME_MASK, "both")

    @property
    def captured(self):
        """The squares on which the pieces stood, before the move, that it removed; sorted."""
        squares = self.state.game.squares
        return [squares[square] for square in self.captured_squares()]

    cdef list captured_squares(self):
        """The same as indices."""
        cdef int index
        return sorted([self.outcome.captured_square[index] for index in range(self.outcome.captured)])

    cdef bint shows_pieces(self):
        """Whether pieces can have become visible to everybody."""
        cdef State state = self.state
        return self.outcome.battle != 0 and (state.tables.rules.reveal == REVEAL_SHOWN or state.tables.rules.heralds)

    @property
    def events(self):
        """All events, as the referee sees them."""
        return self.events_for(REFEREE)

    def events_for(self, viewer):
        """The events that a viewer may know, in the order in which they happened."""
        cdef State state = self.state
        state.check_viewer(viewer)
        events = list(self.opening) if self.opening is not None else self._of_move(viewer)
        if self.outcome.lapsed:
            events.append(happened.DrawLapsed())
        cdef int index
        for index in range(self.outcome.eliminations):
            events.append(
                happened.SeatEliminated(self.outcome.eliminated[index], REASONS[self.outcome.cause[index] - 1])
            )
        for index in range(self.outcome.passes):
            events.append(happened.SeatPassed(self.outcome.passed[index]))
        result = state.result
        if result is not None:
            events.append(happened.MatchEnded(result.winners, result.reason))
        return tuple(events)

    cdef list _of_move(self, int viewer):
        cdef const Outcome *outcome = self.outcome
        cdef State before = self.before, state = self.state
        cdef int seat = before.position.to_move, piece, index
        game = state.game
        squares, kinds = game.squares, game.kinds
        named = outcome.battle and state.tables.rules.reveal != REVEAL_NONE
        if outcome.battle:
            letters = "ADB"[(outcome.battle & OUTCOME_MASK) - 1] + ("!" if outcome.battle & FLAG_FALLS else "")
        else:
            letters = "capture" if outcome.captured else "move"
        events = [
            happened.Moved(
                ply=state.position.ply,
                seat=seat,
                source=squares[state.position.last_source],
                target=squares[state.position.last_target],
                outcome=letters,
                captured=tuple([squares[square] for square in self.captured_squares()]),
                attacker=kinds[before.position.kind[outcome.attacker] - 1] if named else None,
                defender=kinds[before.position.kind[outcome.defender] - 1] if named else None,
            )
        ]
        if self.shows_pieces():
            for piece in range(state.position.first[MAX_SEATS + 1]):
                if (
                    state.position.square[piece] != OFF
                    and state.evidence.marks[piece] & MARK_SHOWN
                    and not before.evidence.marks[piece] & MARK_SHOWN
                ):
                    index = state.position.square[piece]
                    kind = kinds[state.position.kind[piece] - 1]
                    events.append(happened.PieceShown(state.position.seat_at[index], squares[index], kind))
        told = state.tables.rules.claims_announced or viewer in (seat, REFEREE)
        if outcome.claimed and state.position.phase == PLAY and told:
            events.append(happened.ClaimOpened(seat))
        return events

    def __repr__(self):
        return f"<Turn to ply {self.state.ply}: {', '.join(type(event).__name__ for event in self.events)}>"
