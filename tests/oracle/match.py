"""One match: its phase, whose turn it is, and what has happened so far."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from .claims import open_claim
from .contact import Turn
from .endings import Result, chosen_limits, draw, stuck
from .position import Position
from .record import Entry, Record
from .viewing import Viewer, private_knowledge, view

if TYPE_CHECKING:
    from .rules import Rules

VICTORIOUS = {"A": "attacker", "D": "defender", "B": "both"}
FORFEIT_CAUSES = ("time", "abandonment", "ruling")

P = ParamSpec("P")
T = TypeVar("T")


class IllegalAction(Exception):
    """The rules do not allow this action now."""


class Ply(NamedTuple):
    """What everybody is told of a move."""

    outcome: str
    captured: frozenset[str]
    """Squares from which pieces were removed, as they stood before the move."""
    named: tuple[str, str] | None
    """The kinds of attacker and defender where the game announces them."""
    battle: str | None
    """Who was victorious: attacker, defender, or both when both went."""


def accepted_action(
    action: "Callable[Concatenate[Match, P], T]",
) -> "Callable[Concatenate[Match, P], T]":
    """An action before the end; it counts as a revision unless it was refused."""

    def wrapped(match: "Match", /, *args: P.args, **kwargs: P.kwargs) -> T:
        if match.result is not None:
            raise IllegalAction("the match is over")
        revision = match.revision + 1
        answer = action(match, *args, **kwargs)
        match.revision = revision
        return answer

    return wrapped


class Match:
    def __init__(self, rules: "Rules", first_seat: int) -> None:
        self.rules = rules
        self.phase = "arrangement"
        self.to_move: int | None = None
        self.ply = 0
        self.revision = 0
        self.result: Result | None = None
        self.draw_offer: frozenset[int] = frozenset()
        self.coverage: set[str] = set()
        self.first_seat = first_seat
        self.position = Position(rules.board.size, rules.seats)
        self.start_kinds: dict[int, dict[str, str]] = {}
        """By seat its own first squares and kinds, from the moment that it has arranged."""
        self.board_public = False
        self.claim = 0
        """The seat with a claim that is waiting for the other side's turn."""
        self.quiet_plies = 0
        self.limits = chosen_limits(rules.options)
        self.occurrences: dict[tuple[int, int], int] = {}
        self.restrictions = [setup(rules.board) for setup in rules.restrictions]
        self.record = Record(rules, first_seat)
        self._moves: set[str] = set()

    # -- before play ---------------------------------------------------------------

    @accepted_action
    def arrange(self, seat: int, pieces: Mapping[str, str]) -> None:
        self._require_seat(seat)
        if self.phase != "arrangement" or seat in self.start_kinds:
            raise IllegalAction("there is nothing to arrange")
        problems = self.rules.arrangement_problems(seat, pieces)
        if problems:
            raise IllegalAction(f"arrangement refused: {', '.join(sorted(problems))}")
        self._place(seat, pieces)
        self.record.arranged(seat)
        if len(self.start_kinds) == self.rules.seats:
            self._begin()

    def load(self, pieces: Mapping[int, Mapping[str, str]]) -> None:
        """Begin play from any position, without a history."""
        for seat in self.rules.all_seats:
            self._place(seat, pieces.get(seat, {}))
        self._begin()

    def _place(self, seat: int, pieces: Mapping[str, str]) -> None:
        for name, kind in pieces.items():
            self.position.place(seat, self.rules.board.index[name], kind)
        self.start_kinds[seat] = dict(pieces)

    def _begin(self) -> None:
        self.phase = "play"
        self.board_public = True
        self.to_move = self.first_seat
        self.record.began(self.position)
        if self.rules.counts_occurrences:
            self.occurrences[self.position.key, self.first_seat] = 1
        result = stuck(self, self.first_seat)
        if result:
            self._end(result)

    # -- moves ---------------------------------------------------------------------

    def legal_moves(self) -> set[str]:
        return set(self._moves)

    def unrestricted_moves(self, seat: int) -> set[str]:
        """A seat's moves, were there no rule about the moves before."""
        rules, owner = self.rules, self.position.owner
        names, movement = rules.board.move_names, rules.movement
        moves: set[str] = set()
        for square, kind in self.position.men[seat].items():
            how = movement[kind]
            if how is not None:
                row = names[square]
                for target in how.destinations(square, seat, owner):
                    moves.add(row[target])
        for name in rules.sanctuaries:
            sanctuary = rules.board.index[name]
            if owner[sanctuary]:
                moves.difference_update(row[sanctuary] for row in names)
        return moves

    def prepare_moves(self, seat: int) -> set[str]:
        """Find the legal moves of the seat about to move."""
        moves = self.unrestricted_moves(seat)
        barred: set[str] = set()
        for restriction in self.restrictions:
            forbidden = restriction.forbidden(self.position, seat, moves)
            if forbidden:
                self.coverage.add(f"restriction:{restriction.name}")
                barred |= forbidden
        self._moves = moves - barred if barred else moves
        return self._moves

    @accepted_action
    def play(self, move: str) -> Ply:
        seat = self.to_move
        if seat is None or move not in self._moves:
            raise IllegalAction(f"not a legal move: {move}")
        origin, target = self.rules.board.move_squares[move]
        if self.draw_offer and seat not in self.draw_offer:
            self._close_offer("lapsed")
        turn = self.rules.contact.carry_out(self.position, seat, origin, target)
        self.ply += 1
        self.quiet_plies = self.quiet_plies + 1 if turn.quiet else 0
        for restriction in self.restrictions:
            restriction.observe(turn, self.position)
        ply = self._announce(turn)
        self._conclude(turn)
        return ply

    def _announce(self, turn: Turn) -> Ply:
        named = battle = None
        if turn.defender is not None:
            battle = VICTORIOUS[turn.outcome[0]]
            self.coverage.add(f"cell:{turn.kind}x{turn.defender}")
            policy = self.rules.options["battle_reveal"]
            if policy != "none":
                named = (turn.kind, turn.defender)
            if policy == "shown" and battle != "both":
                self.position.shown.add(turn.target)
        elif turn.rays:
            self.coverage.add(f"rays:{turn.rays}")
        names = self.rules.board.names
        ply = Ply(turn.outcome, frozenset(names[at] for at in turn.captured), named, battle)
        shown = turn.target if turn.target in self.position.shown and battle else None
        self.record.moved(self.ply, turn, named, shown)
        return ply

    def _conclude(self, turn: Turn) -> None:
        for ending in self.rules.endings:
            result = ending(self, turn)
            if result:
                self._end(result)
                return
        if self.rules.opens_claims:
            open_claim(self, turn)
        self.to_move = self.rules.next_seat(turn.seat)

    def count_occurrence(self, mover: int) -> int:
        """How often this board has now stood with the seat after the mover to move."""
        key = self.position.key, self.rules.next_seat(mover)
        self.occurrences[key] = self.occurrences.get(key, 0) + 1
        return self.occurrences[key]

    # -- conduct -------------------------------------------------------------------

    @accepted_action
    def resign(self, seat: int) -> None:
        self._give_up(seat, "resigned")

    @accepted_action
    def forfeit(self, seat: int, cause: str) -> None:
        if cause not in FORFEIT_CAUSES:
            raise IllegalAction(f"no cause for a forfeit: {cause}")
        self._give_up(seat, cause)

    def _give_up(self, seat: int, reason: str) -> None:
        self._require_seat(seat)
        self.record.noted("out", seat, reason)
        winners = frozenset(self.rules.all_seats) - {seat}
        self._end((winners, reason))

    @accepted_action
    def adjudicate(self, winners: Iterable[int]) -> None:
        """End the match by somebody's decision; no winners make a draw."""
        chosen = frozenset(winners)
        if not chosen < frozenset(self.rules.all_seats):
            raise IllegalAction("winners must be some of the seats")
        self._end((chosen, "adjudicated"))

    @accepted_action
    def offer_draw(self, seat: int) -> None:
        self._require_seat(seat)
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
        if len(self.draw_offer) == self.rules.seats:
            self.coverage.add("offer:accepted")
            self._end(draw("agreed-draw"))

    @accepted_action
    def decline_draw(self, seat: int) -> None:
        self._require_open_offer(seat)
        self.record.noted("draw-declined", seat)
        self._close_offer("declined")

    def _require_open_offer(self, seat: int) -> None:
        self._require_seat(seat)
        if not self.draw_offer or seat in self.draw_offer:
            raise IllegalAction("there is no draw offer to answer")

    def _close_offer(self, how: str) -> None:
        self.coverage.add(f"offer:{how}")
        self.draw_offer = frozenset()

    def _require_seat(self, seat: int) -> None:
        if seat not in self.rules.all_seats:
            raise IllegalAction(f"no such seat: {seat}")

    def _end(self, result: Result) -> None:
        self.phase = "ended"
        self.to_move = None
        self.result = result
        self.draw_offer = frozenset()
        self._moves = set()
        self.coverage.add(f"ending:{result[1]}")
        self.record.ended(result, self.position)

    # -- looking at it -------------------------------------------------------------

    def board(self) -> dict[str, tuple[int, str]]:
        """Everything, as only the referee sees it."""
        names = self.rules.board.names
        return {
            names[square]: (seat, kind)
            for seat in self.rules.all_seats
            for square, kind in self.position.men[seat].items()
        }

    def view(self, viewer: Viewer) -> dict[str, Any]:
        return view(self, viewer)

    def public_record(self) -> tuple[Entry, ...]:
        return self.record.frozen()

    def private_record(self, seat: int) -> tuple[object, ...]:
        return private_knowledge(self, seat)

    def clone(self) -> "Match":
        other = Match.__new__(Match)
        other.__dict__.update(self.__dict__)
        other.coverage = self.coverage.copy()
        other.position = self.position.copy()
        other.start_kinds = self.start_kinds.copy()
        other.occurrences = self.occurrences.copy()
        other.restrictions = [restriction.copy() for restriction in self.restrictions]
        other.record = self.record.copy()
        return other
