"""From what the engine deduces to its message."""

from shinpan.v1 import analysis_service_pb2

from engine_core import Deduction, Game


def deduction(found: Deduction, game: Game) -> analysis_service_pb2.DeduceResponse:
    """What follows for hidden pieces, with squares and kinds by their places in the game."""
    squares = {square: index for index, square in enumerate(game.squares)}
    numbers = {kind: number for number, kind in enumerate(game.kinds, 1)}
    return analysis_service_pb2.DeduceResponse(
        pieces=[
            analysis_service_pb2.DeducedPiece(
                seat=piece.seat,
                origin=squares[piece.origin],
                square=None if piece.square is None else squares[piece.square],
                kinds=[
                    analysis_service_pb2.PossibleKind(
                        kind=numbers[kind], count=str(count), probability=float(piece.probability(kind))
                    )
                    for kind, count in piece.counts.items()
                ],
            )
            for piece in found.pieces
        ],
        count=str(found.count),
        exact=found.exact,
    )
