"""Both wheels, installed outside the tree into an environment of their own, referee matches."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GAMES = ROOT / "tests/data/yorktown_sample.jsonl.gz"

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path) -> str:
    """The output of a command that must succeed, away from this tree's packages."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The wheels of the server and of the client, built from copies of their sources."""
    built = tmp_path_factory.mktemp("wheels")
    source = tmp_path_factory.mktemp("source") / "shinpan"
    run("git", "clone", "--quiet", "--local", ROOT, source, cwd=built)
    for project in (source, source / "clients/python"):
        run(
            sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", built, project,
            cwd=built,
        )  # fmt: skip
    return sorted(built.glob("*.whl"))


@pytest.fixture(scope="module")
def python(wheels: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a fresh environment that has the wheels and the pinned run-time requirements only."""
    place = tmp_path_factory.mktemp("fresh")
    venv.create(place, with_pip=True)
    interpreter = place / "bin/python"
    pip = (interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "--require-hashes", "-r", ROOT / "requirements/run.txt", cwd=place)
    run(*pip, "--no-deps", *wheels, cwd=place)
    return interpreter


def test_the_wheels_hold_what_they_should_and_no_sources_of_tests(wheels: list[Path]) -> None:
    client, server = (zipfile.ZipFile(wheel).namelist() for wheel in wheels)
    assert "shinpan/v1/referee_service_pb2.pyi" in client
    assert "shinpan/py.typed" in client
    assert sum(name.startswith("engine_core/") and name.endswith(".so") for name in server) == len(
        list((ROOT / "engine_core").glob("*.pyx"))
    )
    assert sum(name.endswith(".toml") for name in server) == len(list((ROOT / "engine_core/rulesets").glob("*.toml")))
    tops = {name.split("/")[0] for name in client + server}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"shinpan", "engine_core", "service", "demo"}


def test_the_demo_runs_from_the_wheels(python: Path, tmp_path: Path) -> None:
    printed = run(python, "-m", "demo", "--games", GAMES, cwd=tmp_path)
    assert "6 of 6 recorded games agree" in printed


def test_a_match_is_played_with_the_installed_client(python: Path, tmp_path: Path) -> None:
    script = tmp_path / "match.py"
    script.write_text(
        "import random\n"
        "from service.process import ServerProcess\n"
        "from shinpan import Referee\n"
        "chance = random.Random(3)\n"
        "with ServerProcess() as server, Referee(server.address) as referee:\n"
        "    match = referee.start_match('hidden-hasami', viewers=[1, 2])\n"
        "    for seat in (1, 2):\n"
        "        pieces = referee.draw_arrangement('hidden-hasami', seat, seed=seat)\n"
        "        match = referee.arrange(match.state, seat, pieces, viewers=[1, 2])\n"
        "    while (seat := match.updates[1].status.to_move) is not None:\n"
        "        move = chance.choice(match.updates[seat].legal_actions.moves)\n"
        "        match = referee.move(match.state, seat, move, viewers=[1, 2])\n"
        "print(match.updates[2].status.result.reason)\n"
    )
    reasons = {"objective-captured", "capture-threshold", "repetition", "no-legal-move", "ply-limit"}
    assert run(python, script, cwd=tmp_path).strip() in reasons
