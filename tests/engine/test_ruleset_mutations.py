"""Ruleset files with random changes: each is refused with messages, or is a game that can be played."""

import random
import re
from pathlib import Path

import pytest

from engine_core import Game
from engine_core.errors import RulesetError
from engine_core.ruleset_document import BUILT_IN
from engine_core.ruleset_file import RulesetSource, read_thoroughly

SEED = 20261201
CHANGED_FILES = 40
"""Of each file. More have been tried; these keep the test short."""

FILES = [
    *(BUILT_IN / f"{name}.toml" for name in ("luzhanqi-mini", "hidden-hasami", "hasami-five", "gunjin-shogi-23")),
    *sorted((Path(__file__).parent / "rulesets").glob("*.toml")),
]

VALUES = (
    "0", "1", "-1", "2", "5", "26", "99999999999999999999", "1.5", "nan", "1979-05-27", "true", "[]", "[[]]", "{}",
    "{ a = 1 }", "{ option = 1 }", '{ option = "board" }', '""', '"any"', '"none"', '"a1"', '"a1-b2"', '"z99"', '"on"',
    '"\\u0000"',
)  # fmt: skip


def changed(text: str, rng: random.Random) -> str:
    """The text with one to three small changes."""
    for _ in range(rng.randint(1, 3)):
        lines = text.splitlines()
        number = rng.randrange(len(lines))
        line = lines[number]
        match rng.randrange(6):
            case 0:
                del lines[number]
            case 1:
                lines.insert(rng.randrange(len(lines)), line)
            case 2 if "=" in line:
                lines[number] = line.partition("=")[0] + "= " + rng.choice(VALUES)
            case 3 if numbers := list(re.finditer(r"\d+", line)):
                found = rng.choice(numbers)
                lines[number] = line[: found.start()] + str(rng.choice((0, 1, 2, 3, 9, 27, 255))) + line[found.end() :]
            case 4 if words := re.findall(r'"[^"]*"', text):
                lines[number] = re.sub(r'"[^"]*"', lambda _: rng.choice(words), line, count=1)
            case 5:
                start = rng.randrange(len(line) + 1)
                lines[number] = line[:start] + line[start + rng.randint(1, 4) :]
        text = "\n".join(lines) + "\n"
    return text


def outcome(file: Path) -> tuple[list[str], RulesetSource | None]:
    try:
        return [], read_thoroughly(file)
    except RulesetError as error:
        return str(error).splitlines(), None


def play(game: Game, rng: random.Random) -> None:
    state = game.start()
    if state.phase == "arrangement":
        for seat in game.seats:
            state = state.arrange(seat, game.random_arrangement(seat, seed=seat)).state
    for _ in range(8):
        assert len(state.to_bytes()) > 0
        if state.phase != "play":
            break
        state = state.play(rng.choice(state.legal_moves())).state
    for seat in game.seats:
        state.view(seat).diagram()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_changed_file_is_refused_or_played(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    games = 0
    for number in range(CHANGED_FILES):
        rng = random.Random(f"{SEED} {path.stem} {number}")
        file = tmp_path / path.name
        file.write_text(changed(text, rng), encoding="utf-8")
        refusal, source = outcome(file)
        if source is None:
            assert len(refusal) >= 1, number
            assert all(line.startswith(f"{path.name}: ") for line in refusal), number
            continue
        games += 1
        play(Game(source.ruleset({})), rng)
    assert 0 < games < CHANGED_FILES
