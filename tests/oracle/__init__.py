"""An independent referee for hidden-information board games, plain and not fast.

It is written from the rules alone, to be compared with the engine move by move.
"""

from collections.abc import Callable, Mapping

from . import (
    capture_flag,
    gunjin,
    gunjin_23,
    hasami_five,
    hasami_shogi,
    hidden_hasami,
    luzhanqi,
    luzhanqi_four,
    luzhanqi_mini,
    salpakan,
)
from .conduct import IllegalAction
from .match import Match, Ply
from .options import OF_EVERY_GAME, Declared
from .rules import Rules

__all__ = ["GAMES", "IllegalAction", "Match", "Ply", "Rules", "declared_options", "game"]

GAMES: dict[str, tuple[Callable[[Mapping[str, str]], Rules], Declared]] = {
    "hidden-hasami": (hidden_hasami.hidden_hasami, hidden_hasami.OPTIONS),
    "luzhanqi-mini": (luzhanqi_mini.luzhanqi_mini, luzhanqi_mini.OPTIONS),
    "salpakan-classic": (salpakan.salpakan_classic, salpakan.OPTIONS),
    "hidden-capture-flag": (capture_flag.hidden_capture_flag, capture_flag.OPTIONS),
    "capture-flag-tournament": (capture_flag.capture_flag_tournament, capture_flag.TOURNAMENT_OPTIONS),
    "capture-flag-barrage": (capture_flag.capture_flag_barrage, capture_flag.OPTIONS),
    "gunjin-shogi": (gunjin.gunjin_shogi, gunjin.OPTIONS),
    "hasami-shogi": (hasami_shogi.hasami_shogi, hasami_shogi.OPTIONS),
    "dai-hasami-shogi": (hasami_shogi.dai_hasami_shogi, hasami_shogi.OPTIONS),
    "mak-yek": (hasami_shogi.mak_yek, hasami_shogi.OPTIONS),
    "hasami-five": (hasami_five.hasami_five, hasami_five.OPTIONS),
    "luzhanqi": (luzhanqi.luzhanqi, luzhanqi.OPTIONS),
    "luzhanqi-tournament": (luzhanqi.luzhanqi_tournament, luzhanqi.TOURNAMENT_OPTIONS),
    "luzhanqi-four": (luzhanqi_four.luzhanqi_four, luzhanqi_four.OPTIONS),
    "gunjin-shogi-23": (gunjin_23.gunjin_shogi_23, gunjin_23.OPTIONS),
}
"""How the rules of a game come from its options, and the options that are its own."""


def declared_options(name: str) -> dict[str, tuple[str, ...]]:
    """All options of a game with their values, the default first; "N" stands for any number."""
    return {**GAMES[name][1], **OF_EVERY_GAME}


def game(name: str, options: Mapping[str, str] | None = None) -> Rules:
    """The rules of a game, with its default options unless others are given."""
    if name not in GAMES:
        raise ValueError(f"unknown game: {name}")
    with_options, _ = GAMES[name]
    return with_options(options or {})
