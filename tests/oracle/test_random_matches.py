"""Random matches of all games: what must hold after every ply, and which ends and words they come to."""

import random

import pytest

from . import GAMES, Match, Rules, game
from .position import Position
from .test_conduct import random_match

VARIANTS: dict[str, list[dict[str, str]]] = {
    "mak-yek": [{}, {"corner": "on", "run": "1", "lead": "3", "target": "all", "repetition": "off"}],
    "hasami-five": [{}, {"line": "orthogonal", "repetition": "off"}],
    "luzhanqi": [{}, {"no_move": "loses", "hq_freeze": "on", "battle_reveal": "none"}],
    "luzhanqi-four": [
        {"no_move": "loses", "hq_freeze": "on", "marshal_death_shows_flag": "on"},
        {"teams": "off", "battle_reveal": "none"},
        {"win": "one", "partner_view": "on", "mine": "stays"},
    ],
    "gunjin-shogi-23": [{}, {"engineer_beats_tank": "off", "battle_reveal": "shown"}],
}
CASES = [(name, options) for name in GAMES for options in VARIANTS.get(name, [{}])]


def check(match: Match) -> None:
    position, board = match.position, match.board()
    names = match.rules.board.names
    assert {names[at]: seat for at, seat in enumerate(position.owner) if seat} == {
        square: seat for square, (seat, _) in board.items()
    }
    again = Position(match.rules.board.size, match.rules.seats)
    for square, (seat, kind) in board.items():
        again.place(seat, match.rules.board.index[square], kind)
    assert again.key == position.key
    assert bool(match.legal_moves()) == (match.phase == "play")
    assert (match.to_move is None) == (match.phase == "ended") == (match.result is not None)
    assert match.out.isdisjoint(seat for seat, _ in board.values())
    for viewer in (*match.rules.all_seats, "spectator"):
        check_view(match, viewer)


def check_view(match: Match, viewer: int | str) -> None:
    """Every piece is in one part of a view, and kinds are told as they are."""
    view, board = match.view(viewer), match.board()
    parts = [set(view[part]) for part in ("own", "hidden", "known")]
    assert sorted(square for part in parts for square in part) == sorted(board)
    assert view["own"] == {square: kind for square, (seat, kind) in board.items() if seat == viewer}
    assert all(board[square][0] == seat for square, seat in view["hidden"].items())
    assert all(list(board[square]) == piece for square, piece in view["known"].items())


def eager_move(match: Match, rng: random.Random) -> str:
    """Attacks rather than quiet moves, so that something happens."""
    owner, squares = match.position.owner, match.rules.board.move_squares
    moves = sorted(match.legal_moves())
    attacks = [move for move in moves if owner[squares[move][1]]]
    return rng.choice(attacks if attacks and rng.random() < 0.7 else moves)


def played(rules: Rules, rng: random.Random, plies: int) -> Match:
    match, _ = random_match(rules, 0, rng)
    while match.phase == "play" and match.ply < plies:
        ply = match.play(eager_move(match, rng))
        assert (ply.battle is None) == (ply.outcome in ("move", "capture"))
        assert {seat for seat, _ in ply.eliminated} <= match.out
        assert match.to_move not in ply.passed
        if match.ply % 25 == 0 or match.phase == "ended":
            check(match)
    return match


@pytest.mark.parametrize(("name", "options"), CASES)
def test_what_always_holds(name: str, options: dict[str, str]) -> None:
    rng, rules = random.Random(f"{name} {sorted(options.items())}"), game(name, options)
    for _ in range(3):
        played(rules, rng, 250)


def test_four_seats_come_to_their_ends() -> None:
    words: set[str] = set()
    rng = random.Random(3)
    for options in VARIANTS["luzhanqi-four"]:
        rules = game("luzhanqi-four", options)
        for _ in range(3):
            words |= played(rules, rng, 1200).coverage
    assert words >= {"out:flag-captured", "out:no-legal-move", "stuck:passed", "stuck:all", "flag-shown"}
    assert words >= {"ending:eliminated", "ending:flag-captured", "ending:no-legal-move"}
