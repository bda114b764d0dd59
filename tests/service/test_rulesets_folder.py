"""A server that serves a folder of rulesets: what it takes, what it refuses, and matches over its restarts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from engine.test_rulesets import SMALL, changed
from shinpan import Referee, ServiceError

import engine_core
from service.config import read_settings
from service.process import ServerProcess

NEXT = changed('id = "small"', 'id = "small"\nrevision = 2', changed("ranks = 4", "ranks = 5"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "games"
    path.mkdir()
    return path


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / f"{name}.toml"
    file.write_text(text, encoding="utf-8")
    return file


def run(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
        timeout=60,
    )


PORTS = ("--grpc-port=0", "--admin-port=0", "--metrics-port=0")


def begun(referee: Referee) -> bytes:
    """A match of the small game in which play has begun."""
    arrangements = {seat: referee.draw_arrangement("small", seat, seed=seat) for seat in (1, 2)}
    return referee.start_match("small", arrangements=arrangements).state


def test_the_setting() -> None:
    assert read_settings([], {"SHINPAN_RULESETS": "/games"}).rulesets == "/games"
    assert read_settings(["--rulesets", "here"], {"SHINPAN_RULESETS": "/games"}).rulesets == "here"
    assert read_settings([], {}).rulesets == ""


def test_a_match_over_two_restarts(folder: Path) -> None:
    """Revision 1 alone, then both, then the second alone."""
    first = write(folder, "small", SMALL)
    with ServerProcess(rulesets=str(folder)) as server, Referee(server.address) as referee:
        assert {game.id for game in referee.games()} == {*engine_core.games(), "small"}
        old = begun(referee)
    write(folder, "small@2", NEXT)
    with ServerProcess(rulesets=str(folder)) as server, Referee(server.address) as referee:
        assert [(game.id, game.revision) for game in referee.games() if game.id == "small"] == [("small", 2)]
        newest, described = referee.game("small"), referee.describe(old)
        assert (newest.revision, len(newest.squares)) == (2, 20)
        assert (described.game, described.game_revision) == ("small", 1)
        assert len(referee.game("small", described.game_revision).squares) == 16
        drawn = [referee.draw_arrangement("small", 2, seed=1, revision=revision) for revision in (0, 1, 2)]
        assert [{square[1] for square in squares} for squares in drawn] == [{"5"}, {"4"}, {"5"}]
        with pytest.raises(ServiceError) as unknown:
            referee.game("small", 3)
        assert (unknown.value.reason, unknown.value.metadata["revisions"]) == ("UNKNOWN_GAME", "2, 1")
        moved = referee.move(old, 1, referee.legal_actions(old, 1).moves[0], viewers=[2])
        assert len(moved.updates[2].view.seats) == 16
        assert moved.updates[2].status.to_move == 2
        new = begun(referee)
        assert len(referee.update(new, 1).view.seats) == 20
    first.unlink()
    with ServerProcess(rulesets=str(folder)) as server, Referee(server.address) as referee:
        assert len(referee.update(new, 1).view.seats) == 20
        for state in (old, moved.state):
            with pytest.raises(ServiceError) as caught:
                referee.update(state, 1)
            assert caught.value.reason == "RULESET_UNAVAILABLE"


def test_a_state_of_a_game_that_is_gone(folder: Path) -> None:
    write(folder, "small", SMALL)
    with ServerProcess(rulesets=str(folder)) as server, Referee(server.address) as referee:
        state = begun(referee)
    with ServerProcess() as server, Referee(server.address) as referee:
        with pytest.raises(ServiceError) as caught:
            referee.update(state, 1)
        assert caught.value.reason == "RULESET_UNAVAILABLE"


def test_mistakes_stop_the_start_in_the_words_of_the_check(folder: Path) -> None:
    """All mistakes of all files, on both commands; the good file is not served either."""
    write(folder, "good", SMALL)
    write(folder, "form", SMALL.replace("files = 4", "files = 40").replace("range = 1", "range = 1\nspeed = 3"))
    write(folder, "text", "[board\n")
    answer = run("service", *PORTS, f"--rulesets={folder}")
    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr.splitlines() == [
        "form.toml: board.files: must be at most 26, not 40",
        "form.toml: movement.step.speed: unknown key; allowed keys are range, forward, backward, sideways, fly, hop,"
        " leap, road, rail",
        "text.toml: not TOML: Expected ']' at the end of a table declaration (at line 1, column 7)",
    ]
    checked = run("engine_core", "check", *sorted(folder.iterdir()))
    assert (checked.returncode, checked.stdout) == (1, "")
    assert checked.stderr == answer.stderr
    assert run("service", *PORTS, SHINPAN_RULESETS=str(folder)).stderr == answer.stderr


def test_a_folder_that_is_not_there(folder: Path) -> None:
    answer = run("service", *PORTS, f"--rulesets={folder / 'nothing'}")
    assert answer.returncode == 1
    assert answer.stderr == f"{folder / 'nothing'}: cannot be read as a folder of rulesets: No such file or directory\n"


def test_the_check_of_a_good_file_tells_what_it_says(folder: Path) -> None:
    answer = run("engine_core", "check", write(folder, "small", NEXT))
    assert (answer.returncode, answer.stderr) == (0, "")
    told = answer.stdout
    for line in (
        "   5   .   .   .   .",
        "  S    2 x scout    scout: forward 2, backward 2, sideways 2",
        "  F    1 x flag     never moves; seat 1's on b1, c1",
        "           C   S   F",
        "  captain  B   A   A!",
        "  scout    D   B   A!",
        "  flag-captured",
        "  no-legal-move: stuck loses; both_stuck mover-wins",
        "  reach = 2 | any: How far a scout goes.",
    ):
        assert line in told.splitlines(), f"{line!r} is not in:\n{told}"
    assert told.startswith("Small (small), revision 2, rules ")


def test_the_check_of_a_built_in_file() -> None:
    answer = run("engine_core", "check", Path(engine_core.__file__).parent / "rulesets/mak-yek.toml")
    assert answer.returncode == 0
    assert "Capture: custodial, runs of any, intervention" in answer.stdout.splitlines()
