"""One match in two referees: the engine and the oracle get the same actions and must say the same.

`Duel` carries the actions out and compares; `oracle_starts` makes the positions; here are also the players.
"""

import random
from collections.abc import Callable
from typing import Any

import oracle

import engine_core
from engine_core import Game, RefereeError, State, Turn
from engine_core.events import DrawLapsed, MatchEnded, Moved

Action = tuple[Callable[[State], Turn], Callable[[oracle.Match], Any]]
"""The same action for the engine and for the oracle."""


def conduct(generator: random.Random, playing: bool) -> Action:
    """An action beside the board, not necessarily one that is allowed; those that end the match are rarer."""
    seat = generator.choice([1, 2])
    word = generator.choices(
        ["offer", "accept", "decline", "resign", "forfeit", "adjudicate"],
        [30, 30, 12, 2, 4, 3] if playing else [2, 2, 2, 1, 2, 1],
    )[0]
    cause = generator.choice(["time", "abandonment", "ruling"])
    winners = generator.choice([[], [], [1], [2], [1, 2], [3], [0]])
    actions: dict[str, Action] = {
        "offer": (lambda s: s.offer_draw(seat), lambda m: m.offer_draw(seat)),
        "accept": (lambda s: s.accept_draw(seat), lambda m: m.accept_draw(seat)),
        "decline": (lambda s: s.decline_draw(seat), lambda m: m.decline_draw(seat)),
        "resign": (lambda s: s.resign(seat), lambda m: m.resign(seat)),
        "forfeit": (lambda s: s.forfeit(seat, cause), lambda m: m.forfeit(seat, cause)),
        "adjudicate": (lambda s: s.adjudicate(winners), lambda m: m.adjudicate(winners)),
    }
    return actions[word]


def playing(move: str) -> Action:
    """A move, legal or not."""
    return (lambda s: s.play(move), lambda m: m.play(move))


def arranging(seat: int, arrangement: dict[str, str]) -> Action:
    """A seat's arrangement, legal or not."""
    return (lambda s: s.arrange(seat, arrangement), lambda m: m.arrange(seat, arrangement))


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


class Duel:
    """The same match in both referees."""

    def __init__(self, state: State, match: oracle.Match, label: str) -> None:
        self.state = state
        self.match = match
        self.label = label
        self.moves: list[str] = []
        self.done: list[str] = []
        self.compare()

    def agree(self, what: str, engine: object, expected: object) -> None:
        assert engine == expected, f"{self.label}: {what} after {' '.join(self.done)}\n{engine}\n{expected}"

    def compare(self) -> None:
        """The public facts and the legal moves."""
        state, match = self.state, self.match
        legal = match.legal_moves()
        self.moves = sorted(legal)
        found = [str(move) for move in state.legal_moves()]
        self.agree("legal moves", sorted(found), self.moves)
        self.agree("phase", state.phase, match.phase)
        self.agree("to move", state.to_move, match.to_move)
        self.agree("ply and revision", (state.ply, state.revision), (match.ply, match.revision))
        self.agree("draw offer", frozenset(state.draw_agreed), match.draw_offer)
        result = state.result
        self.agree("result", result and (frozenset(result.winners), result.reason), match.result)

    def compare_views(self) -> None:
        """What every seat, the spectator and the referee see."""
        for seat in (1, 2):
            self.agree(f"view of {seat}", engine_view(self.state, seat), self.match.view(seat))
        spectator = engine_view(self.state, engine_core.SPECTATOR)
        self.agree("view of the spectator", spectator, self.match.view("spectator"))
        board = {square: (seat, kind) for seat, men in self.state.pieces().items() for square, kind in men.items()}
        self.agree("board", board, self.match.board())
        referee = engine_view(self.state, engine_core.REFEREE)["known"]
        self.agree("view of the referee", {square: tuple(piece) for square, piece in referee.items()}, board)

    def play(self, move: str) -> None:
        """A legal move."""
        self.done.append(move)
        offered = self.match.draw_offer
        ply = self.match.play(move)
        turn = self.state.play(move)
        moved = turn.events[0]
        assert isinstance(moved, Moved)
        named = (moved.attacker, moved.defender) if moved.attacker or moved.defender else None
        self.agree("outcome", moved.outcome, ply.outcome)
        self.agree("battle", turn.battle, ply.battle)
        self.agree("captured", set(turn.captured), ply.captured)
        self.agree("named kinds", named, ply.named)
        lapsed = bool(offered) and not self.match.draw_offer and moved.seat not in offered
        self.agree("lapsed", DrawLapsed() in turn.events, lapsed)
        self._follow(turn)

    def act(self, action: Action, name: str = "action") -> bool:
        """An action that both must accept or both refuse; whether they did accept it."""
        self.done.append(name)
        for_engine, for_oracle = action
        try:
            for_oracle(self.match)
        except oracle.IllegalAction:
            before = self.state.to_bytes()
            try:
                for_engine(self.state)
            except RefereeError:
                self.agree("state after a refusal", self.state.to_bytes(), before)
                return False
            raise AssertionError(f"{self.label}: accepted after {' '.join(self.done)}") from None
        self._follow(for_engine(self.state))
        return True

    def _follow(self, turn: Turn) -> None:
        self.state = turn.state
        self.compare()
        ended = [event for event in turn.events if isinstance(event, MatchEnded)]
        self.agree(
            "end event",
            [(frozenset(event.winners), event.reason) for event in ended],
            [self.match.result] if ended else [],
        )
        self.agree("end told", bool(ended), self.match.result is not None)


class Player:
    """Random moves with a habit: uniform, attacking, shuffling to and fro, or chasing and evading."""

    def __init__(self, generator: random.Random, habit: str) -> None:
        self.generator = generator
        self.habit = habit
        self.last = {1: ("", ""), 2: ("", "")}
        self.seen: set[int] = set()
        """The public boards of this match, as the oracle numbers them."""

    def choose(self, duel: Duel) -> str:
        moves, seat = duel.moves, duel.state.to_move
        assert seat is not None
        squares = {move: duel.match.rules.board.move_squares[move] for move in moves}
        names, owner = duel.match.rules.board.names, duel.match.position.owner
        preferred: list[str] = []
        if self.habit == "attack" or (self.habit == "chase" and self.generator.random() < 0.1):
            preferred = [move for move, (_, target) in squares.items() if owner[target]]
        elif self.habit == "shuffle":
            back = "".join(reversed(self.last[seat]))
            preferred = [back] if back in squares else []
        elif self.habit == "chase":
            preferred = self._chase(duel, squares, seat)
        firm = 0.95 if self.habit == "chase" else 0.75
        move = self.generator.choice(preferred if preferred and self.generator.random() < firm else moves)
        source, target = squares[move]
        self.last[seat] = (names[source], names[target])
        return move

    def _chase(self, duel: Duel, squares: dict[str, tuple[int, int]], seat: int) -> list[str]:
        """Evade when the enemy has just come near, otherwise go near an enemy without attacking it."""
        near, owner = duel.match.rules.board.neighbours, duel.match.position.owner
        names, position = duel.match.rules.board.index, duel.match.position
        self.seen.add(position.key)
        arrived = self.last[3 - seat][1]
        quiet = {move: way for move, way in squares.items() if not owner[way[1]]}
        evading = [move for move, (source, _) in quiet.items() if arrived and source in near[names[arrived]]]
        threats = [
            m for m, (s, t) in quiet.items() if any(owner[square] == 3 - seat for square in near[t] if square != s)
        ]
        preferred = evading or threats
        again = [move for move in preferred if position.key_after(seat, *squares[move]) in self.seen]
        return again if again and self.generator.random() < 0.5 else preferred


def play_match(duel: Duel, generator: random.Random, plies: int, habit: str) -> oracle.Match:
    """Play on for at most so many plies, with actions beside the board and refused moves now and then."""
    player = Player(generator, habit)
    talkative = generator.random() < 0.3
    squares = duel.match.rules.squares
    duel.compare_views()
    for _ in range(plies):
        if duel.match.phase != "play":
            break
        if talkative and generator.random() < 0.15:
            duel.act(conduct(generator, playing=True))
            continue
        if generator.random() < 0.1:
            move = generator.choice(squares) + generator.choice(squares)
            if move not in duel.moves:
                duel.act(playing(move), move)
        duel.play(player.choose(duel))
        if generator.random() < 0.06:
            duel.compare_views()
    duel.compare_views()
    if duel.match.phase == "ended":
        duel.act(conduct(generator, playing=False))
    return duel.match


def arranged_match(game: Game, rules: oracle.Rules, generator: random.Random, label: str) -> Duel:
    """A match from its arrangement phase, with refused arrangements and other actions in between."""
    first = generator.choice([1, 2])
    duel = Duel(game.start(first_seat=first), rules.start(first), label)
    for seat in generator.sample([1, 2], 2):
        arrangement = game.random_arrangement(seat, seed=generator.getrandbits(32))
        if generator.random() < 0.3:
            wrong = broken(arrangement, game, generator)
            accepted = duel.act(arranging(seat, wrong), f"arrange {seat}")
            if accepted:
                continue
        if generator.random() < 0.04:
            duel.act(conduct(generator, playing=False))
        duel.act(arranging(seat, arrangement), f"arrange {seat}")
        duel.compare_views()
    return duel


def broken(arrangement: dict[str, str], game: Game, generator: random.Random) -> dict[str, str]:
    """The arrangement with one change, which mostly makes it illegal."""
    changed = dict(arrangement)
    square, other = generator.sample(sorted(arrangement), 2)
    match generator.randrange(4):
        case 0:
            del changed[square]
        case 1:
            changed[square] = generator.choice(game.kinds)
        case 2:
            changed[square], changed[other] = changed[other], changed[square]
        case _:
            changed[generator.choice(game.squares)] = changed.pop(square)
    return changed
