"""The example backend: its own tests, which play matches on its pages in a browser."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

CLIENTS = Path(__file__).resolve().parents[2] / "clients"
PATIENCE_SECONDS = 1800


# The client's own tests build it anew: not at the same time.
@pytest.mark.clients
@pytest.mark.xdist_group("typescript")
def test_its_tests_pass() -> None:
    missing = [tool for tool in ("node", "npm", "chromium") if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} is not installed: the pages of clients/examples/table were not tried")
    done = subprocess.run(
        ["npm", "--silent", "test"],
        cwd=CLIENTS / "examples/table",
        env=os.environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout
