"""A board as text, from the description of a game alone."""

from shinpan.v1 import game_pb2

Place = tuple[int, int]
"""File and rank, from 1."""

TERRAINS = {game_pb2.TERRAIN_PLAIN: ".", game_pb2.TERRAIN_CAMP: "o", game_pb2.TERRAIN_HEADQUARTERS: "#"}


def drawing(game: game_pb2.Game) -> str:
    """Ranks from the top, seat 1 at the bottom.

    A square is `.`, a camp `o`, a headquarters `#`, followed by the number of the seat that arranges its pieces there;
    a hole is blank, and `&` joins the places of one square. Between neighbours `-` and `|` are roads, `=` and `H`
    rails, `~` no way; a slash, a backslash or `x` is a road between diagonal neighbours. Other rails are listed below.
    """
    board = game.board
    at = {place: index for index, square in enumerate(board.squares) for place in places(square)}
    roads = {frozenset((pair.first, pair.second)) for pair in board.roads}
    rails = {frozenset(pair) for line in board.rails for pair in zip(line.squares, line.squares[1:], strict=False)}

    def link(one: Place, other: Place, rail: str, road: str, barrier: str) -> str:
        if one not in at or other not in at:
            return " "
        pair = frozenset((at[one], at[other]))
        if len(pair) == 1:
            return "&"
        if one[0] != other[0] and one[1] != other[1] and any(board.squares[index].merged for index in pair):
            return " "  # a neighbour of a merged square, not a diagonal one
        return rail if pair in rails else road if pair in roads else barrier

    lines = []
    for rank in range(board.ranks, 0, -1):
        row, below = f"{rank:2} ", "   "
        for file in range(1, board.files + 1):
            here, right, down = (file, rank), (file + 1, rank), (file, rank - 1)
            row += cell(game, at.get(here), here) + link(here, right, "=", "-", "~")
            falls = link(here, (file + 1, rank - 1), "\\", "\\", " ")
            rises = link(down, right, "/", "/", " ")
            cross = "x" if falls + rises == "\\/" else (falls + rises).strip() or " "
            below += link(here, down, "H", "|", "~") + " " + cross
        lines += [row.rstrip(), below.rstrip()]
    letters = "".join(f"{chr(96 + file)}  " for file in range(1, board.files + 1))
    return "\n".join([*lines[:-1], "   " + letters.rstrip(), *far_rails(board)]) + "\n"


def places(square: game_pb2.Square) -> list[Place]:
    return [(square.file, square.rank), *((place.file, place.rank) for place in square.merged)]


def cell(game: game_pb2.Game, index: int | None, place: Place) -> str:
    if index is None:
        return "  "
    square = game.board.squares[index]
    if place != (square.file, square.rank):
        return "& "
    owner = next((str(seat.number) for seat in game.seats if index in seat.zone.squares), " ")
    return TERRAINS[square.terrain] + owner


def far_rails(board: game_pb2.Board) -> list[str]:
    """The steps of rails between squares that are no neighbours along a file or a rank."""
    found = set()
    for line in board.rails:
        for one, other in zip(line.squares, line.squares[1:], strict=False):
            first, second = board.squares[min(one, other)], board.squares[max(one, other)]
            if abs(first.file - second.file) + abs(first.rank - second.rank) > 1:
                found.add(f"rail {first.name}-{second.name}")
    return sorted(found)
