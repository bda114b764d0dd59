"""The page about transports: what it names exists, and what it says of h2spec is what `make h2spec` expects."""

import re
from pathlib import Path

from h2spec.__main__ import KNOWN

from service.config import Settings

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/transports.md").read_text(encoding="utf-8")


def test_every_setting_that_is_named_exists() -> None:
    flags = set(re.findall(r"--[a-z][a-z-]+", PAGE))
    assert flags
    assert flags <= {Settings.flag(name) for name in Settings.model_fields}


def test_every_test_that_is_named_exists() -> None:
    for path, name in re.findall(r"`(tests/\S+\.py)::(\w+)`", PAGE):
        assert f"def {name}(" in (ROOT / path).read_text(encoding="utf-8")
    for name in re.findall(r"`(test_\w+)`", PAGE):
        assert f"def {name}(" in (ROOT / "tests/service/test_http2.py").read_text(encoding="utf-8")


def test_every_known_failure_of_h2spec_is_explained() -> None:
    sections = [name.partition(":")[0].replace("generic/", "generic ").replace("http2/", "") for name in KNOWN]
    row = re.search(r"\| `native` \| (\d+) \| (\d+) \| (\d+) more", PAGE)
    assert row is not None
    passed, failed, skipped = map(int, row.groups())
    assert failed == len(KNOWN)
    assert passed + failed + skipped == 145
    assert all(f"*{section}*" in PAGE for section in sections)
