"""Target: ruleset files."""

import random
import re
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from engine_core import Game
from engine_core.catalogue import read_rulesets
from engine_core.errors import RulesetError
from engine_core.ruleset_document import BUILT_IN
from engine_core.ruleset_schema import ruleset_schema
from engine_core.ruleset_summary import summary_of
from fuzz.target import Change, Target, expect

PLIES: Final = 8
MAX_BYTES: Final = 1 << 13
_FOLDER: Final = TemporaryDirectory(prefix="fuzz-")
_FILE: Final = Path(_FOLDER.name) / "fuzzed.toml"
_LINES: Final = sorted({line for file in BUILT_IN.glob("*.toml") for line in file.read_bytes().splitlines()})


def check(data: bytes) -> Iterable[str]:
    """A file is refused with messages that name it, or is a game that can be described and played."""
    _FILE.write_bytes(data)
    try:
        [source] = read_rulesets([_FILE])
    except RulesetError as error:
        problems = str(error).splitlines()
        expect(bool(problems), "a refusal says what is wrong")
        expect(all(line.startswith("fuzzed.toml: ") for line in problems), "each message names the file")
        return [re.sub(r"['\"].*?['\"]|\d+", "", problem) for problem in problems]
    game = Game(source.ruleset({}))
    summary_of(game)
    _play(game)
    return [f"accepted {len(game.seats)} {game.ruleset.perfect_information} {len(game.kinds)}"]


def _play(game: Game) -> None:
    state = game.start()
    if state.phase == "arrangement":
        for seat in game.seats:
            state = state.arrange(seat, game.random_arrangement(seat, seed=seat)).state
    for ply in range(PLIES):
        if state.phase != "play":
            break
        moves = state.legal_moves()
        state = state.play(moves[ply % len(moves)]).state
    for seat in game.seats:
        state.view(seat).diagram()
        state.knowledge(seat).to_bytes()
    state.to_bytes()


def mutate(data: bytes, rng: random.Random, change: Change) -> bytes:
    """A file with changed bytes, or with a line that goes, moves, or comes from a built-in file."""
    if rng.random() < 0.5:
        return change(data, MAX_BYTES)
    lines = data.splitlines() or [b""]
    place = rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            del lines[place]
        case 1:
            lines.insert(rng.randrange(len(lines)), lines.pop(place))
        case 2:
            lines.insert(place, rng.choice(_LINES))
        case _:
            key = lines[place].partition(b"=")[0]
            values = [line.partition(b"=")[2] for line in _LINES if b"=" in line]
            lines[place] = key + b"=" + rng.choice(values)
    return b"\n".join(lines) + b"\n"


def words() -> Iterable[bytes]:
    """The keys and words of the schema."""
    return sorted({word.encode() for word in re.findall(r'"([a-z][a-z_-]+)"', ruleset_schema())})


TARGET = Target("ruleset", check, mutate, ("engine_core", "tomllib"), words, MAX_BYTES, max_seconds=60)
