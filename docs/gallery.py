"""Write games.md, a page about every game, and its pictures: games/*.svg.

python docs/gallery.py            write them beside this script
python docs/gallery.py --check    change nothing; fail when those there are not what would be written
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import engine_core
from engine_core import Game, State

SEED = 3
PLIES = 60
"""Plies before the picture; half of its plies where a match is shorter."""

INTRODUCTION = """# Games

`make gallery` writes this page from the [ruleset files](../engine_core/rulesets). Each picture is
`view.svg(state.legal_moves(), source=...)`: what the seat to move sees in the middle of a random match.

Tiles point forward and have their seat's number at their base; a crossed tile is a hidden piece, an eye marks one
that everybody sees, a star a pending claim. The last move is yellow, from the dashed to the full frame. The black
frame is the selected piece; dots and rings are where it may go. Circles are camps, coloured frames and arches
headquarters, grey fields no squares; nothing crosses a heavy bar on foot. In the tables the first value is the default.
"""


def middle(game: Game) -> State:
    """A random match of a game, in its middle."""
    rng = random.Random(SEED)
    states = [game.start()]
    for seat in game.seats if states[0].phase == "arrangement" else ():
        states = [states[0].arrange(seat, game.random_arrangement(seat, seed=SEED + seat)).state]
    while states[-1].result is None and len(states) <= PLIES:
        states.append(states[-1].play(rng.choice(states[-1].legal_moves())).state)
    return states[-1] if states[-1].result is None else states[len(states) // 2]


def picture(state: State) -> str:
    """What the seat to move sees, and where its piece with the most moves may go."""
    assert state.to_move is not None, "a match in its middle"
    moves = state.legal_moves()
    (most, _), *_ = Counter(move.source for move in moves).most_common(1)
    return state.view(state.to_move).svg(moves, source=state.game.squares[most])


def section(game: Game, state: State) -> str:
    """The part of the page about one game."""
    rules = game.ruleset
    size = f"{rules.seats} seats · {len(game.squares)} squares · {rules.roster_size} pieces a seat"
    pieces = ", ".join(f"{kind.count} {kind.name} `{kind.letter}`" for kind in rules.kinds)
    lines = [
        f"## {rules.name}",
        "",
        rules.summary,
        "",
        f"`{game.id}` · {size}: {pieces}",
        "",
        f"![{rules.name}, as seat {state.to_move} sees it after {state.ply} plies](games/{game.id}.svg)",
        "",
        "| option | what it decides | values |",
        "|---|---|---|",
    ]
    for option in rules.options:
        values = ", ".join("a number from 1" if value == "N" else f"`{value}`" for value in option.values)
        lines.append(f"| `{option.name}` | {option.meaning} | {values} |")
    return "\n".join(lines) + "\n"


def files() -> dict[str, str]:
    """The text of every file, by its path below the folder of the page."""
    games = [engine_core.load(name) for name in engine_core.games()]
    states = {game.id: middle(game) for game in games}
    contents = "".join(f"- [{game.name}](#{anchor(game.name)})\n" for game in games)
    page = "\n".join([INTRODUCTION, contents, *(section(game, states[game.id]) for game in games)])
    return {"games.md": page, **{f"games/{name}.svg": picture(state) for name, state in states.items()}}


def anchor(heading: str) -> str:
    """The name of a heading in links to it."""
    return "".join(letter for letter in heading.lower().replace(" ", "-") if letter.isalnum() or letter == "-")


def main(arguments: Sequence[str]) -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Write the page about every game and its pictures.")
    parser.add_argument("--check", action="store_true", help="change nothing; fail when the files are stale")
    parser.add_argument("--folder", type=Path, default=Path(__file__).parent, help="where the page is")
    chosen = parser.parse_args(arguments)
    folder: Path = chosen.folder
    wanted = {folder / name: text for name, text in files().items()}
    there = {folder / "games.md", *(folder / "games").glob("*.svg")}
    if chosen.check:
        stale = sorted(
            path.name
            for path in there | wanted.keys()
            if not path.is_file() or path.read_text(encoding="utf-8") != wanted.get(path)
        )
        if stale:
            raise SystemExit(f"stale in {folder}: {', '.join(stale)}; run make gallery")
        return
    (folder / "games").mkdir(parents=True, exist_ok=True)
    for path in there - wanted.keys():
        path.unlink()
    for path, text in wanted.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
