"""One match: its phase, whose turn it is, and what has happened so far."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from .claims import open_claim
from .conduct import Conduct, IllegalAction, accepted_action
from .contact import Turn
from .endings import Result, chosen_limits
from .position import Position
from .record import Entry, Record
from .viewing import Viewer, private_knowledge, view

if TYPE_CHECKING:
    from .rules import Rules

VICTORIOUS = {"A": "attacker", "D": "defender", "B": "both"}


class Ply(NamedTuple):
    """What everybody is told of a move."""

    outcome: str
    captured: frozenset[str]
    """Squares from which pieces were removed, as they stood before the move."""
    named: tuple[str, str] | None
    """The kinds of attacker and defender where the game announces them."""
    battle: str | None
    """Who was victorious: attacker, defender, or both when both went."""
    shown: frozenset[str] = frozenset()
    """The squares of flags that are shown from now on."""
    passed: tuple[int, ...] = ()
    """Seats that were passed over after the move."""
    eliminated: tuple[tuple[int, str], ...] = ()
    """Seats that went out with the move, in order, each with the cause."""


class Match(Conduct):
    def __init__(self, rules: "Rules", first_seat: int, out: frozenset[int] = frozenset()) -> None:
        self.rules = rules
        self.phase = "arrangement"
        self.to_move: int | None = None
        self.ply = 0
        self.revision = 0
        self.result: Result | None = None
        self.out = out
        """Seats that play no longer; only with more than two before the match is over."""
        self.draw_offer: frozenset[int] = frozenset()
        self.coverage: set[str] = set()
        self.first_seat = first_seat
        self.position = Position(rules.board.size, rules.seats)
        self.start_kinds: dict[int, dict[str, str]] = {}
        """By seat its own first squares and kinds, from the moment that it has arranged."""
        self.board_public = False
        self.began_with: frozenset[int] = frozenset()
        """The seats that were in play when play began."""
        self.claim = 0
        """The seat with a claim that is waiting for the other side's turn."""
        self.quiet_plies = 0
        self.limits = chosen_limits(rules.options)
        self.occurrences: dict[tuple[int, int], int] = {}
        self.restrictions = [setup(rules.board) for setup in rules.restrictions]
        self.record = Record(rules, first_seat)
        self._moves: set[str] = set()
        self._passed: tuple[int, ...] = ()
        self._eliminated: tuple[tuple[int, str], ...] = ()
        """Both since the last move, or beginning."""
        for seat in sorted(out):
            self.record.noted("out", seat)

    @property
    def in_play(self) -> list[int]:
        return [seat for seat in self.rules.all_seats if seat not in self.out]

    def next_in_play(self, seat: int) -> int:
        """The seat whose turn comes after this one's."""
        following = seat % self.rules.seats + 1
        while following in self.out:
            following = following % self.rules.seats + 1
        return following

    # -- before play ---------------------------------------------------------------

    @accepted_action
    def arrange(self, seat: int, pieces: Mapping[str, str]) -> None:
        self.require_in_play(seat)
        if self.phase != "arrangement" or seat in self.start_kinds:
            raise IllegalAction("there is nothing to arrange")
        problems = self.rules.arrangement_problems(seat, pieces)
        if problems:
            raise IllegalAction(f"arrangement refused: {', '.join(sorted(problems))}")
        self._place(seat, pieces)
        self.record.arranged(seat)
        self.begin_when_arranged()

    def load(self, pieces: Mapping[int, Mapping[str, str]]) -> None:
        """Begin play from any position, without a history."""
        for seat in self.in_play:
            self._place(seat, pieces.get(seat, {}))
        self.begin_when_arranged()

    def _place(self, seat: int, pieces: Mapping[str, str]) -> None:
        for name, kind in pieces.items():
            self.position.place(seat, self.rules.board.index[name], kind)
        self.start_kinds[seat] = dict(pieces)

    def begin_when_arranged(self) -> None:
        """Begin play once every seat that is left has arranged."""
        if any(seat not in self.start_kinds for seat in self.in_play):
            return
        self.phase = "play"
        self.board_public = True
        self.began_with = frozenset(self.in_play)
        self.record.began(self.position)
        if self.rules.counts_occurrences:
            self.occurrences[self.position.key, self.first_seat] = 1
        first = self.first_seat if self.first_seat not in self.out else self.next_in_play(self.first_seat)
        self.give_turn(first)

    # -- moves ---------------------------------------------------------------------

    def legal_moves(self) -> set[str]:
        return set(self._moves)

    def unrestricted_moves(self, seat: int) -> set[str]:
        """A seat's moves, were there no rule about the moves before."""
        rules, owner = self.rules, self.position.owner
        names, movement, frozen = rules.board.move_names, rules.movement, rules.frozen
        closed = {square for square in rules.sanctuary_squares if owner[square]}
        moves: set[str] = set()
        for square, kind in self.position.men[seat].items():
            how = movement[kind]
            if how is not None and square not in frozen:
                row = names[square]
                for target in how.destinations(square, seat, owner):
                    if target not in closed:
                        moves.add(row[target])
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
            self.close_offer("lapsed")
        turn = self.rules.contact.carry_out(self.position, seat, origin, target)
        self.ply += 1
        self.quiet_plies = self.quiet_plies + 1 if turn.quiet else 0
        self._passed, self._eliminated = (), ()
        for restriction in self.restrictions:
            restriction.observe(turn, self.position)
        ply = self._announce(turn)
        self._conclude(turn)
        if self._passed or self._eliminated:
            return ply._replace(passed=self._passed, eliminated=self._eliminated)
        return ply

    def _announce(self, turn: Turn) -> Ply:
        named = battle = None
        self.coverage.update(turn.marks)
        if turn.defender is not None:
            battle = VICTORIOUS[turn.outcome[0]]
            self.coverage.add(f"cell:{turn.kind}x{turn.defender}")
            policy = self.rules.options["battle_reveal"]
            if policy != "none":
                named = (turn.kind, turn.defender)
            if policy == "shown" and battle != "both":
                self.position.shown.add(turn.target)
        names = self.rules.board.names
        captured = frozenset([names[at] for at in turn.captured])
        shown = turn.target if turn.target in self.position.shown and battle else None
        self.record.moved(self.ply, turn, named, shown)
        if battle and self.rules.shows_flag_with in turn.fallen:
            return Ply(turn.outcome, captured, named, battle, self._show_flags(turn))
        return Ply(turn.outcome, captured, named, battle)

    def _show_flags(self, turn: Turn) -> frozenset[str]:
        """The flags of all who have just lost the piece that guards their secret."""
        shown = set()
        for seat in sorted(seat for seat, kind in turn.losses if kind == self.rules.shows_flag_with):
            for square, kind in sorted(self.position.men[seat].items()):
                if kind == "flag" and square not in self.position.shown:
                    self.coverage.add("flag-shown")
                    self.position.shown.add(square)
                    self.record.flag_shown(seat, square)
                    shown.add(self.rules.board.names[square])
        return frozenset(shown)

    def _conclude(self, turn: Turn) -> None:
        for ending in self.rules.endings:
            result = ending(self, turn)
            if result:
                self.end(result)
                return
        if self.rules.opens_claims:
            open_claim(self, turn)

    def give_turn(self, seat: int) -> None:
        """The turn comes to this seat other than by a move."""
        result = self.rules.turn_rule(self, seat)
        if result:
            self.end(result)

    def pass_over(self, seat: int) -> None:
        """A seat cannot move, and the game goes on without its turn."""
        self._passed += (seat,)
        self.record.noted("passed", seat)
        self.coverage.add("stuck:passed")

    def leave(self, seat: int, cause: str) -> Result | None:
        """A seat goes out, which may be the end."""
        self.record.noted("out", seat, cause)
        if not self.rules.sides.pieces_leave:
            return self.rules.sides.decided({seat}, cause)
        self.coverage.add(f"out:{cause}")
        self.out |= {seat}
        self._eliminated += ((seat, cause),)
        self.position.clear(seat)
        if self.draw_offer:
            self.close_offer("lapsed")
        return self.rules.sides.decided(self.out, cause)

    def count_occurrence(self, mover: int) -> int:
        """How often this board has now stood with the seat after the mover to move."""
        key = self.position.key, self.next_in_play(mover)
        self.occurrences[key] = self.occurrences.get(key, 0) + 1
        return self.occurrences[key]

    def taken_by(self, seat: int) -> int:
        """How many pieces a seat of two has captured."""
        enemy = self.rules.opponent(seat)
        return len(self.start_kinds[enemy]) - len(self.position.men[enemy])

    def end(self, result: Result) -> None:
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
