"""An independent referee for hidden-information board games, plain and not fast.

It is written from the rules alone, to be compared with the engine move by move.
"""

from collections.abc import Callable, Mapping

from .capture_flag import capture_flag_barrage, capture_flag_tournament, hidden_capture_flag
from .conduct import IllegalAction
from .gunjin import gunjin_shogi
from .gunjin_23 import gunjin_shogi_23
from .hasami_five import hasami_five
from .hasami_shogi import dai_hasami_shogi, hasami_shogi, mak_yek
from .hidden_hasami import hidden_hasami
from .luzhanqi import luzhanqi, luzhanqi_tournament
from .luzhanqi_four import luzhanqi_four
from .luzhanqi_mini import luzhanqi_mini
from .match import Match, Ply
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
    "hasami-shogi": hasami_shogi,
    "dai-hasami-shogi": dai_hasami_shogi,
    "mak-yek": mak_yek,
    "hasami-five": hasami_five,
    "luzhanqi": luzhanqi,
    "luzhanqi-tournament": luzhanqi_tournament,
    "luzhanqi-four": luzhanqi_four,
    "gunjin-shogi-23": gunjin_shogi_23,
}


def game(name: str, options: Mapping[str, str] | None = None) -> Rules:
    """The rules of a game, with its default options unless others are given."""
    if name not in GAMES:
        raise ValueError(f"unknown game: {name}")
    return GAMES[name](options or {})
