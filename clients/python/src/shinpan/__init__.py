"""Python client of Shinpan, a stateless referee for hidden-information board games.

    with Referee("127.0.0.1:50051") as referee:
        match = referee.start_match("hidden-hasami", viewers=[1, 2])

The messages and stubs of the API itself are in `shinpan.v1`.
"""

from shinpan import actions
from shinpan.errors import FieldViolation, ServiceError
from shinpan.games import Game, GameSummary, Option, Piece
from shinpan.referee import SERVICE_CONFIG, Referee
from shinpan.state import StateToken
from shinpan.values import (
    REFEREE,
    SPECTATOR,
    Answer,
    CapturedPiece,
    DeducedPiece,
    Deduction,
    Description,
    Knowledge,
    LegalActions,
    Playouts,
    PossibleKind,
    Result,
    Status,
    Update,
    View,
)

__all__ = [
    "REFEREE",
    "SERVICE_CONFIG",
    "SPECTATOR",
    "Answer",
    "CapturedPiece",
    "DeducedPiece",
    "Deduction",
    "Description",
    "FieldViolation",
    "Game",
    "GameSummary",
    "Knowledge",
    "LegalActions",
    "Option",
    "Piece",
    "Playouts",
    "PossibleKind",
    "Referee",
    "Result",
    "ServiceError",
    "StateToken",
    "Status",
    "Update",
    "View",
    "actions",
]
