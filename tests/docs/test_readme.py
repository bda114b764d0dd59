"""What the README shows is what happens."""

import re
import subprocess
import sys
from pathlib import Path

from service.process import ServerProcess

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_client_example_prints_the_board_shown() -> None:
    with ServerProcess() as server:
        printed = run(SNIPPETS[0].replace("127.0.0.1:50051", server.address))
    assert "1?<" in printed
    assert f"```\n{printed.rstrip()}\n```" in README


def test_the_engine_example_runs() -> None:
    assert "Moved(ply=1, seat=1" in run(SNIPPETS[1])


def test_the_map_of_the_folders_is_right() -> None:
    named = re.findall(r"^\| `([a-z_/]+)/` \|", README, re.MULTILINE)
    assert "engine_core" in named
    for folder in named:
        assert (ROOT / folder).is_dir(), folder
