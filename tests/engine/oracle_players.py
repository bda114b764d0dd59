"""Random play of a match in both referees, from its arrangement or from a position."""

import random
from collections import Counter
from itertools import takewhile

import oracle
from oracle.bracketing import Bracketing

from engine_core import Game

from .mechanisms import marks_of_move, marks_of_position, marks_of_turn
from .oracle_comparison import Duel
from .oracle_conduct import arranging, conduct, playing


class Player:
    """Random moves with a habit: uniform, attacking, shuffling to and fro, chasing and evading, or lining up."""

    def __init__(self, generator: random.Random, habit: str) -> None:
        self.generator = generator
        self.habit = habit
        self.last: dict[int, tuple[str, str]] = {}
        self.arrived = ""
        """Where the last move ended."""
        self.seen: set[int] = set()
        """The public boards of this match, as the oracle numbers them."""

    def choose(self, duel: Duel) -> str:
        moves, seat = duel.moves, duel.state.to_move
        assert seat is not None
        squares = {move: duel.match.rules.board.move_squares[move] for move in moves}
        names, owner = duel.match.rules.board.names, duel.match.position.owner
        preferred: list[str] = []
        if self.habit == "attack" and isinstance(duel.match.rules.contact, Bracketing):
            preferred = self._captures(duel.match, moves)
        elif self.habit == "attack" or (self.habit == "chase" and self.generator.random() < 0.1):
            preferred = [move for move, (_, target) in squares.items() if owner[target]]
        elif self.habit == "shuffle":
            back = "".join(reversed(self.last.get(seat, ("", ""))))
            preferred = [back] if back in squares else []
        elif self.habit == "chase":
            preferred = self._chase(duel.match, squares, seat)
        elif self.habit == "line":
            preferred = [move for move, way in squares.items() if self._lines_up(duel.match, seat, *way)]
        firm = 0.95 if self.habit in ("chase", "shuffle") else 0.75
        move = self.generator.choice(preferred if preferred and self.generator.random() < firm else moves)
        source, target = squares[move]
        self.last[seat] = (names[source], names[target])
        self.arrived = names[target]
        return move

    def _captures(self, match: oracle.Match, moves: list[str]) -> list[str]:
        """One of the moves that take stones, looked for among some."""
        seat = match.to_move
        assert seat is not None
        for move in self.generator.sample(moves, min(len(moves), 7)):
            squares = match.rules.board.move_squares[move]
            if match.rules.contact.carry_out(match.position.copy(), seat, *squares).captured:
                return [move]
        return []

    def _lines_up(self, match: oracle.Match, seat: int, source: int, target: int) -> bool:
        """Whether the move joins five stones in some direction, wherever they stand."""
        mine = match.position.men[seat].keys() - {source}
        for axis in ((1, 0), (0, 1), (1, 1), (1, -1)):
            ways = match.rules.board.both_ways(target, axis)
            if sum(len(list(takewhile(mine.__contains__, way))) for way in ways) >= 4:
                return True
        return False

    def _chase(self, match: oracle.Match, squares: dict[str, tuple[int, int]], seat: int) -> list[str]:
        """Evade when the enemy has just come near, otherwise go near an enemy without attacking it."""
        near, position = match.rules.board.neighbours, match.position
        owner, index = position.owner, match.rules.board.index
        self.seen.add(position.key)
        quiet = {move: way for move, way in squares.items() if not owner[way[1]]}
        evading = [m for m, (source, _) in quiet.items() if self.arrived and source in near[index[self.arrived]]]
        threats = [m for m, (s, t) in quiet.items() if any(owner[at] not in (0, seat) for at in near[t] if at != s)]
        preferred = evading or threats
        again = [move for move in preferred if position.key_after(seat, *squares[move]) in self.seen]
        return again if again and self.generator.random() < 0.5 else preferred


def play_match(duel: Duel, generator: random.Random, plies: int, habit: str) -> set[str]:
    """Play on for at most so many plies, with actions beside the board and refused moves; what was reached."""
    player = Player(generator, habit)
    talkative = generator.random() < 0.3
    match = duel.match
    squares, seats = match.rules.squares, list(match.rules.all_seats)
    reached: set[str] = set()
    stood: Counter[tuple[int, int | None]] = Counter([(match.position.key, match.to_move)])
    duel.compare_views()
    for _ in range(plies):
        if match.phase != "play":
            break
        # Four seats agree on nothing unless they answer before the next move.
        answering = len(seats) > 2 and match.draw_offer
        if talkative and generator.random() < (0.6 if answering else 0.15):
            reached |= beside_the_board(duel, generator)
            continue
        if generator.random() < 0.1:
            move = generator.choice(squares) + generator.choice(squares)
            if move not in duel.moves:
                duel.act(playing(move), move)
        move = player.choose(duel)
        reached |= marks_of_move(match, move)
        ply = duel.play(move)
        reached |= marks_of_turn(match, move, ply)
        stood[match.position.key, match.to_move] += 1
        if match.phase == "play" and stood[match.position.key, match.to_move] == 3:
            reached.add("repetition:third")
        if generator.random() < 0.06:
            reached |= marks_of_position(match)
            duel.compare_views()
    duel.compare_views()
    if match.phase == "ended":
        action, name = conduct(generator, seats, playing=False)
        assert not duel.act(action, name)
    return reached | match.coverage


def beside_the_board(duel: Duel, generator: random.Random) -> set[str]:
    """An action that is no move, and what it reached."""
    match = duel.match
    to_move = match.to_move
    action, name = conduct(generator, list(match.rules.all_seats), playing=match.phase == "play")
    word, seat = name[:-1].split("(")
    if not duel.act(action, name):
        return {f"{word}:refused"}
    if word in ("resign", "forfeit"):
        when = "arranging" if to_move is None else "in-turn" if seat == str(to_move) else "out-of-turn"
        return {f"{word}:{when}"}
    return {f"{word}:done"}


def arranged_match(game: Game, rules: oracle.Rules, generator: random.Random, label: str) -> tuple[Duel, set[str]]:
    """A match from its arrangement phase, if it has one, with refused arrangements and other actions in between."""
    seats = list(rules.all_seats)
    first = generator.choice(seats)
    duel = Duel(game.start(first_seat=first), rules.start(first), f"{label} first seat {first}")
    reached: set[str] = set()
    order = generator.sample(seats, len(seats)) if duel.match.phase == "arrangement" else []
    for place, seat in enumerate(order):
        if generator.random() < (0.04 if len(seats) == 2 else 0.15):
            reached |= beside_the_board(duel, generator)
        arrangement = game.random_arrangement(seat, seed=generator.getrandbits(32))
        if generator.random() < 0.3:
            wrong = broken(arrangement, game, generator)
            if duel.act(arranging(seat, wrong), f"arrange {seat}"):
                continue
            reached.add("arrange:refused")
        if duel.act(arranging(seat, arrangement), f"arrange {seat}"):
            reached |= {
                f"arrange:{seat}-as-{place + 1}",
                *(f"arrange:camp-{s in arrangement}" for s in rules.sanctuaries),
            }
        duel.compare_views()
    return duel, reached


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
