"""Matches as lists of actions, which the engine and the oracle can both be taken through."""

import random
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

import oracle

import engine_core

Arrangement = Mapping[str, str]


NOTHING: Arrangement = MappingProxyType({})


class Action(NamedTuple):
    """One action; which of the other fields count depends on `what`."""

    what: str
    seat: int = 0
    arrangement: Arrangement = NOTHING
    move: str = ""
    cause: str = ""
    winners: tuple[int, ...] = ()


class Opening(NamedTuple):
    """What a match is started with: an empty board, or any position where `pieces` are given."""

    game: str
    options: Mapping[str, str]
    first_seat: int
    pieces: Mapping[int, Arrangement] | None = None

    def state(self) -> engine_core.State:
        """The first state in the engine."""
        game = engine_core.load(self.game, **self.options)
        if self.pieces is None:
            return game.start(first_seat=self.first_seat)
        return game.position(self.pieces, self.first_seat)

    def match(self) -> oracle.Match:
        """The same in the oracle."""
        rules = rules_of(self.game, tuple(self.options.items()))
        if self.pieces is None:
            return rules.start(self.first_seat)
        return rules.position(self.pieces, self.first_seat)


_RULES: dict[tuple[str, tuple[tuple[str, str], ...]], oracle.Rules] = {}


def rules_of(game: str, options: tuple[tuple[str, str], ...]) -> oracle.Rules:
    """The oracle's rules, built once for each game and options."""
    if (game, options) not in _RULES:
        _RULES[game, options] = oracle.game(game, dict(options))
    return _RULES[game, options]


def tell_engine(state: engine_core.State, action: Action) -> engine_core.Turn:
    """Carry out an action in the engine."""
    match action.what:
        case "arrange":
            return state.arrange(action.seat, action.arrangement)
        case "play":
            return state.play(action.move)
        case "resign":
            return state.resign(action.seat)
        case "offer-draw":
            return state.offer_draw(action.seat)
        case "accept-draw":
            return state.accept_draw(action.seat)
        case "decline-draw":
            return state.decline_draw(action.seat)
        case "forfeit":
            return state.forfeit(action.seat, action.cause)
        case "adjudicate":
            return state.adjudicate(action.winners)
    raise ValueError(action.what)


def tell_oracle(match: oracle.Match, action: Action) -> oracle.Ply | None:
    """Carry out an action in the oracle; only a move has an answer."""
    match action.what:
        case "arrange":
            match.arrange(action.seat, action.arrangement)
        case "play":
            return match.play(action.move)
        case "resign":
            match.resign(action.seat)
        case "offer-draw":
            match.offer_draw(action.seat)
        case "accept-draw":
            match.accept_draw(action.seat)
        case "decline-draw":
            match.decline_draw(action.seat)
        case "forfeit":
            match.forfeit(action.seat, action.cause)
        case "adjudicate":
            match.adjudicate(action.winners)
        case _:
            raise ValueError(action.what)
    return None


class Style(NamedTuple):
    """How the seats of a random match behave; each number is a probability."""

    attack: float = 0.0
    """To prefer a move onto an enemy piece."""
    advance: float = 0.0
    """To prefer a move towards the other side."""
    back: float = 0.0
    """To take the own last move back, where that is legal."""
    run: float = 0.0
    """To walk the flag towards the far side over empty squares."""
    offer: float = 0.02
    """To offer a draw; an open offer is then answered half of the time."""


STYLES = (
    Style(),
    Style(attack=0.7),
    Style(attack=0.4, advance=0.5),
    Style(attack=0.6, advance=0.3, offer=0.1),
    Style(back=0.9, attack=0.05, offer=0.0),
    Style(run=0.9, attack=0.2),
)

ENDINGS = ("resign", "time", "abandonment", "ruling", "draw", "adjudicate")
"""Ways to end a match from outside."""


class Player:
    """Draws the actions of a random match from the public board and, for the running flag, from the referee's."""

    def __init__(self, rng: random.Random, style: Style) -> None:
        self._rng = rng
        self._style = style
        self._last: dict[int, str] = {}

    def action(self, state: engine_core.State) -> Action:
        """The next action of a match in play."""
        rng, agreed = self._rng, state.draw_agreed
        seats = [seat for seat in state.game.seats if seat not in state.out]
        if agreed and rng.random() < 0.5:
            answer = "accept-draw" if rng.random() < 0.05 else "decline-draw"
            return Action(answer, next(seat for seat in seats if seat not in agreed))
        if not agreed and rng.random() < self._style.offer:
            return Action("offer-draw", rng.choice(seats))
        return Action("play", state.to_move or 0, move=self._move(state))

    def _move(self, state: engine_core.State) -> str:
        rng, style, seat = self._rng, self._style, state.to_move or 0
        moves = state.legal_moves()
        board = state.view(engine_core.REFEREE)
        forward = 1 if seat == 1 else -1
        last = self._last.get(seat)
        choices = list(moves)
        if last is not None and rng.random() < style.back:
            choices = [move for move in moves if str(move) == last] or choices
        elif rng.random() < style.run and "flag" in state.game.kinds:
            flag = state.game.kinds.index("flag") + 1
            runs = [
                move
                for move in moves
                if board.kinds[move.source] == flag
                and not board.seats[move.target]
                and (move.target - move.source) * forward > -2
            ]
            choices = [move for move in runs if (move.target - move.source) * forward > 2] or runs or choices
        elif rng.random() < style.attack:
            choices = [move for move in moves if board.seats[move.target]] or choices
        elif rng.random() < style.advance:
            choices = [move for move in moves if (move.target - move.source) * forward > 2] or choices
        chosen = rng.choice(choices)
        names = state.game.squares
        self._last[seat] = names[chosen.target] + names[chosen.source]
        return str(chosen)


def arrangements(opening: Opening, rng: random.Random) -> list[Action]:
    """Both seats arrange, in either order."""
    game = engine_core.load(opening.game, **opening.options)
    seats = list(game.seats)
    rng.shuffle(seats)
    return [Action("arrange", seat, game.random_arrangement(seat, rng.getrandbits(32))) for seat in seats]


def position(game: str, options: Mapping[str, str], rng: random.Random, most: int) -> Opening:
    """A position of a few pieces of the roster of each seat, anywhere on the board."""
    rules = rules_of(game, tuple(options.items()))
    roster = [kind for kind, count in rules.roster.items() for _ in range(count)]
    free = rng.sample(rules.squares, len(rules.squares))
    pieces = {seat: {free.pop(): kind for kind in _sample(roster, rng, most)} for seat in rules.all_seats}
    return Opening(game, options, rng.choice((1, 2)), pieces)


def _sample(roster: list[str], rng: random.Random, most: int) -> list[str]:
    """Some pieces of a roster, in most cases the decisive one among them."""
    chosen = rng.sample(roster, rng.randint(2, min(most, len(roster))))
    decisive = "flag" if "flag" in roster else roster[0]
    if decisive not in chosen and rng.random() < 0.8:
        chosen[0] = decisive
    return chosen


def near_goal(opening: Opening, rng: random.Random) -> Opening:
    """The flag of the seat to move stands just before the far back row of salpakan-classic, if that is free."""
    seat, pieces = opening.first_seat, opening.pieces or {}
    square = f"{rng.choice('abcdefghi')}{7 if seat == 1 else 2}"
    men = {other if kind != "flag" else square: kind for other, kind in pieces[seat].items()}
    free = all(square not in others for others in pieces.values())
    return opening._replace(pieces={**pieces, seat: men}) if free else opening


def outside_ending(rng: random.Random, how: str) -> Iterator[Action]:
    """The actions that end a match in this way, whatever its position; for a draw it has to be in play."""
    seat = rng.choice((1, 2))
    if how == "draw":
        yield Action("offer-draw", seat)
        yield Action("accept-draw", 3 - seat)
    elif how == "adjudicate":
        yield Action("adjudicate", winners=rng.choice(((), (1,), (2,))))
    elif how == "resign":
        yield Action("resign", seat)
    else:
        yield Action("forfeit", seat, cause=how)


def play_on(
    state: engine_core.State, rng: random.Random, style: Style, plies: int
) -> Iterator[tuple[Action, engine_core.Turn]]:
    """Random actions from a state in play until the match ends, or that many moves have been made."""
    player = Player(rng, style)
    end = state.ply + plies
    while state.phase == "play" and state.ply < end:
        action = player.action(state)
        turn = tell_engine(state, action)
        yield action, turn
        state = turn.state
