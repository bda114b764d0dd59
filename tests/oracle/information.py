"""What a viewer has in hand at one moment, without the record of what came before.

The oracle keeps squares and kinds; which piece is which, what has moved and what has fallen is followed here from what
everybody is told of each move.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field

from .match import Match
from .viewing import Viewer, partners_seen

Piece = tuple[int, str]
"""A piece by its seat and the square on which it began."""


@dataclass(frozen=True)
class Followed:
    """A match, and what can be followed from where it began."""

    match: Match
    at: Mapping[str, Piece]
    moved: frozenset[Piece] = frozenset()
    fallen: frozenset[Piece] = frozenset()
    named: frozenset[Piece] = frozenset()
    """Pieces of which everybody has been told the kind."""
    last: tuple[str, str] | None = field(default=None)
    """The squares of the last move."""

    @classmethod
    def begin(cls, match: Match) -> "Followed":
        """Follow a match in which nothing has moved yet."""
        return cls(match, {square: (seat, square) for square, (seat, _) in match.board().items()})

    def play(self, move: str) -> "Followed":
        """The same after one more move; this one stays as it is."""
        match = self.match.clone()
        ply = match.play(move)
        names = match.rules.board.names
        origin, target = (names[square] for square in match.rules.board.move_squares[move])
        mover, met = self.at[origin], self.at.get(target)
        gone = {square for square, (seat, _) in self.at.items() if seat in match.out} | ply.captured
        named = {mover, met} if ply.named else set()
        named |= {self.at[square] for square in ply.shown}
        at = {square: piece for square, piece in self.at.items() if square not in gone and square != origin}
        if origin not in ply.captured:
            at[target] = mover
        return Followed(
            match,
            at,
            self.moved | {mover},
            self.fallen | {self.at[square] for square in gone},
            self.named | {piece for piece in named if piece},
            (origin, target),
        )

    def in_hand(self, viewer: Viewer) -> Hashable:
        """Two moments are the same for a viewer exactly if this is equal.

        Every square's seat, kind as far as it is known, piece, whether that has moved and whether it is shown to
        everybody; the squares of the last move; the fallen pieces and their kinds as far as they are known; a claim
        that the viewer knows of; who is to move; the result.
        """
        match = self.match
        seen = match.view(viewer)
        names, shown = match.rules.board.names, match.position.shown
        kinds = dict(seen["own"])
        kinds |= {square: kind for square, (_, kind) in seen["known"].items()}
        assert {*kinds, *seen["hidden"]} == set(self.at)
        open_to_all = {names[square] for square in shown}
        board = frozenset(
            (square, piece, kinds.get(square), piece in self.moved, square in open_to_all)
            for square, piece in self.at.items()
        )
        fallen = frozenset((piece, self._kind_of_fallen(piece, viewer)) for piece in self.fallen)
        return board, fallen, self.last, seen["claim_pending"], match.to_move, match.result

    def _kind_of_fallen(self, piece: Piece, viewer: Viewer) -> str | None:
        match, (seat, square) = self.match, piece
        revealed = match.phase == "ended" and match.rules.options["reveal_at_end"] == "on"
        told = revealed or match.rules.fixed_start is not None or piece in self.named
        if told or seat == viewer or seat in partners_seen(match, viewer):
            return match.start_kinds[seat][square]
        return None


def information_states(
    starts: Iterable[Followed], depth: int, viewers: Iterable[Viewer]
) -> dict[Viewer, tuple[int, ...]]:
    """How many different things each viewer can have in hand after exactly 0, 1, … `depth` moves from any of these."""
    reached = list(starts)
    counts = {viewer: [len({moment.in_hand(viewer) for moment in reached})] for viewer in viewers}
    for _ in range(depth):
        reached = [before.play(move) for before in reached for move in sorted(before.match.legal_moves())]
        for viewer, found in counts.items():
            found.append(len({moment.in_hand(viewer) for moment in reached}))
    return {viewer: tuple(found) for viewer, found in counts.items()}
