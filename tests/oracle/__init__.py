"""An independent referee for hidden-information board games, plain and not fast.

It is written from the rules alone, to be compared with the engine move by move.
"""

from collections.abc import Callable, Mapping

from .capture_flag import capture_flag_barrage, capture_flag_tournament, hidden_capture_flag
from .gunjin import gunjin_shogi
from .hidden_hasami import hidden_hasami
from .luzhanqi_mini import luzhanqi_mini
from .match import IllegalAction, Match, Ply
from .rules import Rules
from .salpakan import salpakan_classic

__all__ = ["GAMES", "IllegalAction", "Match", "Ply", "Rules", "game"]

GAMES: dict[str, Callable[[Mapping[str, str]], Rules]] = {
    "hidden-hasami": hidden_hasami,
    "luzhanqi-mini": luzhanqi_mini,
    "salpakan-classic": salpakan_classic,
    "hidden-capture-flag": hidden_capture_flag,
    "capture-flag-tournament": capture_flag_tournament,
    "capture-flag-barrage": capture_flag_barrage,
    "gunjin-shogi": gunjin_shogi,
}


def game(name: str, options: Mapping[str, str] | None = None) -> Rules:
    """The rules of a game, with its default options unless others are given."""
    if name not in GAMES:
        raise ValueError(f"unknown game: {name}")
    return GAMES[name](options or {})
