"""The engine of Shinpan: rules, states and views of hidden-information board games. It does no input or output.

game = engine_core.load("hidden-hasami", board="9x9")
state = game.start()
for seat in game.seats:
    state = state.arrange(seat, game.random_arrangement(seat, seed=seat)).state
turn = state.play(state.legal_moves()[0])
print(turn.state.view(1).diagram())
"""

from engine_core.catalogue import add_rulesets, games, load, revisions
from engine_core.codec import decode
from engine_core.deduction import DeducedPiece, Deduction
from engine_core.errors import RefereeError, StateError
from engine_core.game import Game
from engine_core.knowledge import Knowledge
from engine_core.match import Result, State
from engine_core.notation import Move, Moves
from engine_core.rollout import Playouts, perft, playout
from engine_core.turn import Turn
from engine_core.view import REFEREE, SPECTATOR, View

__all__ = [
    "REFEREE",
    "SPECTATOR",
    "DeducedPiece",
    "Deduction",
    "Game",
    "Knowledge",
    "Move",
    "Moves",
    "Playouts",
    "RefereeError",
    "Result",
    "State",
    "StateError",
    "Turn",
    "View",
    "add_rulesets",
    "decode",
    "games",
    "load",
    "perft",
    "playout",
    "revisions",
]
