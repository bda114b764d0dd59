"""The image that deploy/Dockerfile makes, on a base made of Debian's packages: what is in it, and how much."""

import json
import os
from typing import Any

import pytest
from deploy.pods import podman

pytestmark = [
    pytest.mark.containers,
    pytest.mark.skipif("SHINPAN_TEST_NAMESPACE" not in os.environ, reason="run by `make test-containers`"),
]

MAX_ADDED_BYTES = 96 << 20
"""What the image may have beyond its base. grpcio, cryptography and the core are most of it."""


def inspected(image: str) -> Any:
    """What podman knows of an image."""
    (found,) = json.loads(podman("image", "inspect", image))
    return found


def run(program: str) -> str:
    """What a program in Python prints that the image runs."""
    return podman("run", "--rm", "--network=none", "--entrypoint=python", "localhost/shinpan-server:dev", "-c", program)


def test_it_says_what_it_is_and_runs_as_nobody_without_a_shell() -> None:
    config = inspected("localhost/shinpan-server:dev")["Config"]
    assert config["Labels"]["org.opencontainers.image.title"] == "Shinpan"
    assert config["Labels"]["org.opencontainers.image.licenses"] == "Apache-2.0"
    assert config["Labels"]["org.opencontainers.image.version"] == "0.1.0"
    assert config["User"] == "65532:65532"
    assert config["Entrypoint"] == ["python", "-m", "service"]  # a list: no shell starts it
    assert set(config["ExposedPorts"]) == {"50051/tcp", "50052/tcp", "9464/tcp"}


def test_it_is_small_and_has_nothing_that_builds() -> None:
    added = inspected("localhost/shinpan-server:dev")["Size"] - inspected("localhost/debian-python:3.11-slim")["Size"]
    assert 0 < added < MAX_ADDED_BYTES
    names = "('pip', 'setuptools', 'wheel', 'Cython')"
    assert run(f"import importlib.util as u; print([n for n in {names} if u.find_spec(n)])") == "[]"
    assert run("import shutil; print(shutil.which('gcc') or shutil.which('cc'))") == "None"
    sources = "[p.name for p in pathlib.Path(engine_core.__path__[0]).iterdir() if p.suffix in ('.c', '.pyx')]"
    assert run(f"import pathlib, engine_core; print({sources})") == "[]"
