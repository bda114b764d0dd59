"""The clients in other languages: each is built, passes its own tests, and plays a match of every game.

One whose tools are not here is skipped by name.
"""

import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
from clients.languages import LANGUAGES, Language
from clients.scripted_server import (
    Server,
    breaks_off,
    has_details_of_its_own,
    is_an_error_of_the_service,
    is_overload,
    is_reset,
    is_whole,
)

import engine_core
from conformance import servers, vectors

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 1200
"""For one command; a build begins with an empty cache."""
SEED = 11

pytestmark = pytest.mark.clients


@pytest.fixture(scope="module")
def environment() -> Iterator[Mapping[str, str]]:
    """The variables by which tests find their servers."""
    with (
        servers.Servers() as running,
        socket.socket() as away,
        socket.create_server(("127.0.0.1", 0), backlog=128) as silent,
        closing(Server(breaks_off, is_whole, is_reset, is_whole, breaks_off)) as breaking,
        closing(Server(is_an_error_of_the_service, is_whole, has_details_of_its_own, is_overload)) as scripted,
    ):
        away.bind(("127.0.0.1", 0))  # taken, so that nobody else comes to listen there
        yield {
            **os.environ,
            **{f"SHINPAN_{name.upper()}": address for name, address in running.addresses.items()},
            "SHINPAN_AWAY": _address(away),
            "SHINPAN_SILENT": _address(silent),
            "SHINPAN_BREAKING": breaking.address,
            "SHINPAN_SCRIPTED": scripted.address,
            "SHINPAN_BEARER": servers.BEARER,
            "SHINPAN_VECTORS": str(vectors.versions()[-1]),
        }


@pytest.fixture(
    params=[
        pytest.param(one, id=one.folder, marks=pytest.mark.xdist_group(one.folder))  # who builds it tests it, too
        for one in LANGUAGES
    ]
)
def language(request: pytest.FixtureRequest) -> Language:
    """A language whose tools are here, built."""
    chosen: Language = request.param
    missing = [tool for tool in chosen.tools if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} is not installed: the client in {chosen.folder} was not built")
    _build(chosen)
    return chosen


def test_its_tests_pass(language: Language, environment: Mapping[str, str]) -> None:
    _run(language, language.test, environment)


def test_it_says_which_variable_is_missing(language: Language, environment: Mapping[str, str]) -> None:
    """Without servers its tests fail; they do not pass over in silence what they cannot do."""
    lacking = {name: value for name, value in environment.items() if name != "SHINPAN_PLAIN"}
    code, printed = _command(language, language.test, lacking)
    assert code != 0, printed
    assert "SHINPAN_PLAIN" in printed


def test_it_plays_every_game(language: Language, environment: Mapping[str, str]) -> None:
    command = (*language.example, environment["SHINPAN_PLAIN"], "--seed", str(SEED))
    lines = _run(language, command, environment).splitlines()
    for game in engine_core.games():
        named = [line for line in lines if re.search(rf"(?<![\w-]){game}(?![\w-])", line)]
        assert len(named) == 1, f"one line about {game}, not {named}"


def test_its_example_fails_where_nobody_answers(language: Language, environment: Mapping[str, str]) -> None:
    code, printed = _command(language, (*language.example, environment["SHINPAN_AWAY"]), environment)
    assert code not in (0, None), printed


@cache
def _build(language: Language) -> None:
    _run(language, language.build, dict(os.environ))


def _run(language: Language, command: tuple[str, ...], environment: Mapping[str, str]) -> str:
    """What a command prints; fails with it when the command does."""
    code, printed = _command(language, command, environment)
    assert code == 0, f"{' '.join(command)} in clients/{language.folder}: exit status {code}\n{printed}"
    return printed


def _command(language: Language, command: tuple[str, ...], environment: Mapping[str, str]) -> tuple[int, str]:
    """The exit status of a command, and what it prints."""
    done = subprocess.run(
        command,
        cwd=ROOT / "clients" / language.folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    return done.returncode, re.sub(r"\x1b\[[\d;]*m", "", done.stdout)  # Maven sends colours to files, too


def _address(bound: socket.socket) -> str:
    host, port = bound.getsockname()
    return f"{host}:{port}"
