"""The page about every game: it names each, and the check finds what is stale."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import engine_core

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


def check(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(DOCS / "gallery.py"), "--check", "--folder", str(folder)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_every_game_is_there_with_its_options() -> None:
    page = (DOCS / "games.md").read_text(encoding="utf-8")
    sections = {re.findall(r"^`([a-z0-9-]+)` · ", part, re.MULTILINE)[0]: part for part in page.split("\n## ")[1:]}
    assert sorted(sections) == engine_core.games()
    for name, part in sections.items():
        game = engine_core.load(name)
        assert part.startswith(f"{game.name}\n")
        assert f"· {len(game.seats)} seats · {len(game.squares)} squares ·" in part
        assert f"](games/{name}.svg)" in part
        defaults = dict(re.findall(r"^\| `(\w+)` \| .* \| `([^`]+)`(?:, .*)? \|$", part, re.MULTILINE))
        assert defaults == dict(game.options)


def test_links_of_the_contents_lead_to_headings() -> None:
    page = (DOCS / "games.md").read_text(encoding="utf-8")
    links = re.findall(r"^- \[(.+)\]\(#(.+)\)$", page, re.MULTILINE)
    assert [name for name, _ in links] == re.findall(r"^## (.+)$", page, re.MULTILINE)
    # GitHub's rule: lower case, spaces become hyphens, punctuation goes.
    assert dict(links)["Gunjin Shogi, 23 pieces"] == "gunjin-shogi-23-pieces"
    assert dict(links)["Mak-yek"] == "mak-yek"


def test_the_check_finds_what_is_stale(tmp_path: Path) -> None:
    shutil.copytree(DOCS, tmp_path / "docs")
    games = tmp_path / "docs" / "games"
    (games / "mak-yek.svg").unlink()
    (games / "bygone.svg").write_text("<svg/>", encoding="utf-8")
    (games / "luzhanqi.svg").write_text("<svg/>", encoding="utf-8")
    done = check(tmp_path / "docs")
    assert done.returncode == 1
    assert done.stderr.split(": ", 1)[1] == "bygone.svg, luzhanqi.svg, mak-yek.svg; run make gallery\n"
