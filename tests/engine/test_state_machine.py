"""The Python API driven at random, step by step beside the oracle, which says what has to come of each action."""

import random
from collections import Counter
from typing import Any, ClassVar

import oracle
from hypothesis import HealthCheck, assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import engine_core
from engine_core import SPECTATOR, RefereeError, State, Turn
from engine_core.errors import MalformedMove
from engine_core.events import MatchEnded, Moved
from engine_core.view import HIDDEN

from .samples import OPTIONS
from .scripted import Action, Opening, near_goal, tell_engine, tell_oracle
from .scripted import position as random_position

CHOICES = {
    "hidden-hasami": [*OPTIONS["hidden-hasami"], {"reveal_at_end": "on"}],
    "luzhanqi-mini": [*OPTIONS["luzhanqi-mini"], {"ply_limit": "4"}],
    "salpakan-classic": [*OPTIONS["salpakan-classic"], {"battle_reveal": "shown", "reveal_at_end": "on"}],
    "hidden-capture-flag": [*OPTIONS["hidden-capture-flag"], {"battle_reveal": "shown", "two_squares": "3"}],
    "gunjin-shogi": [*OPTIONS["gunjin-shogi"], {"battle_reveal": "event"}],
}
ACTIONS = ("offer-draw", "accept-draw", "decline-draw", "resign")
SEATS = st.integers(min_value=0, max_value=3)
SEEDS = st.integers(min_value=0, max_value=2**32)

seen: Counter[str] = Counter()


def seen_by(state: State, viewer: int) -> dict[str, Any]:
    """A view of the engine in the form of the oracle."""
    view, squares, kinds = state.view(viewer), state.game.squares, state.game.kinds
    own: dict[str, str] = {}
    hidden: dict[str, int] = {}
    known: dict[str, list[int | str]] = {}
    for square, seat, kind in zip(squares, view.seats, view.kinds, strict=True):
        if seat and kind == HIDDEN:
            hidden[square] = seat
        elif seat == viewer != SPECTATOR:
            own[square] = kinds[kind - 1]
        elif seat:
            known[square] = [seat, kinds[kind - 1]]
    return {"own": own, "hidden": hidden, "known": known, "claim_pending": view.claim_pending}


class BothReferees(RuleBasedStateMachine):
    """A match in the engine and the same in the oracle."""

    game: ClassVar[str]
    state: State
    match: oracle.Match
    accepted: int
    last: str | None
    first: tuple[State, bytes]

    @initialize(
        choice=st.integers(0, 11), first_seat=st.sampled_from((1, 2)), few=st.sampled_from((1, 2, 4, 0)), seed=SEEDS
    )
    def begin(self, choice: int, first_seat: int, few: int, seed: int) -> None:
        game, options = self.game, CHOICES[self.game][choice % len(CHOICES[self.game])]
        rng = random.Random(seed)
        opening = random_position(game, options, rng, most=3 * few) if few else Opening(game, options, first_seat)
        if few and game == "salpakan-classic":
            opening = near_goal(opening, rng)
        self.state, self.match = opening.state(), opening.match()
        self.accepted, self.last = 0, None
        self.first = self.state, self.state.to_bytes()

    # Actions.

    def both(self, action: Action) -> RefereeError | Turn:
        """Carry out an action in both; neither may accept what the other refuses."""
        before = self.state.to_bytes()
        answer: RefereeError | Turn
        try:
            answer = tell_engine(self.state, action)
        except RefereeError as error:
            answer = error
        try:
            ply = tell_oracle(self.match, action)
        except oracle.IllegalAction:
            assert isinstance(answer, RefereeError), action
            assert self.state.to_bytes() == before
            seen[f"refused {answer.reason}"] += 1
            return answer
        assert isinstance(answer, Turn), (action, answer)
        self.state = answer.state
        self.accepted += 1
        seen[f"accepted {action.what}"] += 1
        if ply is not None:
            self.last = action.move
            self.compare_ply(answer, ply)
        ended = [(frozenset(event.winners), event.reason) for event in answer.events if isinstance(event, MatchEnded)]
        assert ended == ([self.match.result] if self.match.result else [])
        return answer

    def compare_ply(self, turn: Turn, ply: oracle.Ply) -> None:
        event = next(event for event in turn.events if isinstance(event, Moved))
        assert (turn.battle, frozenset(turn.captured)) == (ply.battle, ply.captured)
        assert (event.outcome, frozenset(event.captured)) == (ply.outcome, ply.captured)
        assert (event.attacker, event.defender) == (ply.named or (None, None))
        assert event.source + event.target == self.last

    def refused(self, answer: RefereeError | Turn, *reasons: str) -> None:
        """In an ended match everything is refused for that; otherwise for one of these reasons, if at all."""
        if isinstance(answer, RefereeError):
            expected = ("MATCH_OVER", "INVALID_SEAT") if self.match.result else reasons
            assert answer.reason in expected, answer

    @precondition(lambda self: self.match.phase == "arrangement")
    @rule(seat=st.sampled_from((1, 2)), seed=SEEDS)
    def arrange(self, seat: int, seed: int) -> None:
        men = self.state.game.random_arrangement(seat, seed)
        self.refused(self.both(Action("arrange", seat, men)), "ALREADY_ARRANGED")

    @precondition(lambda self: self.match.phase == "arrangement")
    @rule(seed=SEEDS)
    def arrange_the_rest(self, seed: int) -> None:
        for seat in (2, 1):
            if seat not in self.match.start_kinds:
                self.both(Action("arrange", seat, self.state.game.random_arrangement(seat, seed)))

    @rule(seat=SEATS, seed=SEEDS, fault=st.integers(0, 3))
    def arrange_wrongly(self, seat: int, seed: int, fault: int) -> None:
        rng = random.Random(seed)
        own = self.state.game.random_arrangement(min(max(seat, 1), 2), seed)
        square = rng.choice(list(own))
        if fault == 0:
            del own[square]
        elif fault == 1:
            own[square] = rng.choice(self.state.game.kinds)
        elif fault == 2:
            own[rng.choice(self.state.game.squares)] = own.pop(square)
        else:
            own = self.state.game.random_arrangement(2 if seat == 1 else 1, seed)
        answer = self.both(Action("arrange", seat, own))
        self.refused(answer, "INVALID_ARRANGEMENT", "ALREADY_ARRANGED", "INVALID_SEAT")

    @precondition(lambda self: self.match.phase == "play")
    @rule(seed=SEEDS, count=st.integers(1, 25))
    def move(self, seed: int, count: int) -> None:
        """Some moves, in most cases attacks or a flag's where there are any."""
        rng = random.Random(seed)
        for _ in range(count):
            moves = sorted(self.match.legal_moves())
            if not moves:
                break
            preferred = rng.random()
            squares, position = self.match.rules.board.move_squares, self.match.position
            if preferred < 0.5:
                moves = [move for move in moves if position.owner[squares[move][1]]] or moves
            elif preferred < 0.7:
                men = position.men[self.match.to_move or 0]
                moves = [move for move in moves if men[squares[move][0]] == "flag"] or moves
            assert isinstance(self.both(Action("play", move=rng.choice(moves))), Turn)
            self.same_match()
            self.same_views()

    @rule(seed=SEEDS)
    def illegal_move(self, seed: int) -> None:
        rng, squares = random.Random(seed), self.state.game.squares
        move = rng.choice(squares) + rng.choice(squares)
        assume(move not in self.match.legal_moves())
        answer = self.both(Action("play", move=move))
        self.refused(answer, "ARRANGEMENT_PENDING" if self.match.phase == "arrangement" else "ILLEGAL_MOVE")

    @rule(text=st.text(max_size=6), number=st.integers())
    def no_move(self, text: str, number: int) -> None:
        """What is not two squares of the board is told apart from an illegal move."""
        count = len(self.state.game.squares)
        assume(text not in self.match.rules.board.move_squares)
        assume(not (0 <= number >> 8 < count and number & 255 < count))
        before = self.state.to_bytes()
        for move in (text, number):
            try:
                self.state.play(move)
            except MalformedMove:
                continue
            raise AssertionError(move)
        assert self.state.to_bytes() == before

    @rule(what=st.sampled_from(ACTIONS[:3]), seat=SEATS)
    def draw(self, what: str, seat: int) -> None:
        answer = self.both(Action(what, seat))
        self.refused(answer, "ARRANGEMENT_PENDING", "DRAW_OFFER_OPEN", "NO_DRAW_OFFER", "INVALID_SEAT")

    @rule(seat=SEATS, rarely=st.integers(0, 7))
    def resign(self, seat: int, rarely: int) -> None:
        assume(rarely == 5 or seat not in (1, 2) or self.match.result)
        self.refused(self.both(Action("resign", seat)), "INVALID_SEAT")

    @rule(seat=SEATS, cause=st.sampled_from(("time", "abandonment", "ruling", "boredom")), rarely=st.integers(0, 7))
    def forfeit(self, seat: int, cause: str, rarely: int) -> None:
        assume(rarely == 5 or seat not in (1, 2) or cause == "boredom" or self.match.result)
        answer = self.both(Action("forfeit", seat, cause=cause))
        if cause != "boredom":
            self.refused(answer, "INVALID_SEAT")

    @rule(winners=st.lists(SEATS, max_size=3), rarely=st.integers(0, 7))
    def adjudicate(self, winners: list[int], rarely: int) -> None:
        assume(rarely == 5 or {0, 3} & set(winners) or len(set(winners)) == 2 or self.match.result)
        answer = self.both(Action("adjudicate", winners=tuple(winners)))
        self.refused(answer, "INVALID_ACTION", "INVALID_SEAT")

    @rule()
    def by_way_of_bytes(self) -> None:
        self.state = engine_core.decode(self.state.to_bytes())

    # What has to hold after every step.

    @invariant()
    def same_match(self) -> None:
        state, match = self.state, self.match
        assert (state.phase, state.to_move, state.ply, state.revision) == (
            match.phase,
            match.to_move,
            match.ply,
            match.revision,
        )
        assert state.revision == self.accepted
        assert state.first_seat == match.first_seat
        assert (state.result and (frozenset(state.result.winners), state.result.reason)) == match.result
        assert (set(state.arranged), frozenset(state.draw_agreed)) == (set(match.start_kinds), match.draw_offer)
        assert (state.last_move and str(state.last_move)) == self.last
        moves = [str(move) for move in state.legal_moves()]
        assert (len(moves), set(moves)) == (len(match.legal_moves()), match.legal_moves())
        assert bool(moves) == (state.phase == "play")
        pieces = {square: (seat, kind) for seat, men in state.pieces().items() for square, kind in men.items()}
        assert pieces == match.board()

    @invariant()
    def same_views(self) -> None:
        assert seen_by(self.state, SPECTATOR) == self.match.view("spectator")
        for seat in (1, 2):
            assert seen_by(self.state, seat) == self.match.view(seat)
            seen["own claim"] += self.state.view(seat).claim_pending

    @invariant()
    def legal_actions_are_those_that_are_accepted(self) -> None:
        for seat in (1, 2):
            possible = set()
            for what in ACTIONS:
                try:
                    tell_oracle(self.match.clone(), Action(what, seat))
                except oracle.IllegalAction:
                    continue
                possible.add(what)
            if self.match.to_move == seat:
                possible.add("move")
            if self.match.phase == "arrangement" and seat not in self.match.start_kinds:
                possible.add("arrange")
            assert set(self.state.legal_actions(seat)) == possible

    @invariant()
    def states_are_values(self) -> None:
        """What has happened since has not changed the first state, and bytes are as good as a state."""
        first, data = self.first
        assert first.to_bytes() == data
        again = engine_core.decode(self.state.to_bytes())
        assert (again, hash(again)) == (self.state, hash(self.state))

    def teardown(self) -> None:
        if hasattr(self, "match"):
            seen[f"ended {self.match.result[1]}" if self.match.result else self.match.phase] += 1


WANTED = (
    *(f"accepted {what}" for what in ("arrange", "play", *ACTIONS, "forfeit", "adjudicate")),
    *(f"refused {reason}" for reason in ("ILLEGAL_MOVE", "INVALID_ARRANGEMENT", "ALREADY_ARRANGED", "MATCH_OVER")),
    *(f"refused {reason}" for reason in ("ARRANGEMENT_PENDING", "DRAW_OFFER_OPEN", "NO_DRAW_OFFER", "INVALID_SEAT")),
    "refused INVALID_ACTION",
    *(f"ended {reason}" for reason in ("objective-captured", "flag-captured", "flag-reached", "no-legal-move")),
    *(f"ended {reason}" for reason in ("headquarters-entered", "ply-limit", "resigned", "agreed-draw", "adjudicated")),
    *(f"ended {reason}" for reason in ("time", "abandonment", "ruling")),
    "own claim",
)


def test_both_referees_agree() -> None:
    """The examples are the same in every run."""
    seen.clear()
    chosen = settings(
        max_examples=220,
        stateful_step_count=40,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    for game in CHOICES:
        BothReferees.game = game
        run_state_machine_as_test(BothReferees, settings=chosen)
    print(sorted(seen.items()))
    assert [category for category in WANTED if not seen[category]] == []
