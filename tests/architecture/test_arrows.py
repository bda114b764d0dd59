"""Arrows point one way, in compiled modules too, which the import linter does not read."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OURS = {"conformance", "engine_core", "service", "shinpan", "demo", "fuzz", "load"}
ALLOWED = {"engine_core": ("engine_core",), "service": ("service", "engine_core", "shinpan.v1")}
"""For each folder what it may use: modules, and what is in them."""
IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+c?import|c?import\s+([\w.]+))", re.MULTILINE)
COMPILED = sorted(
    path for folder in ALLOWED for ending in ("pyx", "pxd") for path in (ROOT / folder).glob(f"*.{ending}")
)


@pytest.mark.parametrize("path", COMPILED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_compiled_modules_use_only_what_they_may(path: Path) -> None:
    used = [first or second for first, second in IMPORT.findall(path.read_text(encoding="utf-8"))]
    ours = [module for module in used if module.split(".")[0] in OURS]
    allowed = ALLOWED[path.parent.name]
    assert all(f"{module}.".startswith(tuple(f"{one}." for one in allowed)) for module in ours), ours


def test_the_pattern_finds_imports() -> None:
    found = IMPORT.findall("from service cimport a\nimport shinpan.v1\n    from load.x import y\ncimport demo\n")
    assert [first or second for first, second in found] == ["service", "shinpan.v1", "load.x", "demo"]


def test_no_identifier_of_the_code_names_a_game() -> None:
    """Rules are data: the words of game ids stand in rulesets, never in a name of the code."""
    games = {path.stem.replace("-", "_") for path in (ROOT / "engine_core/rulesets").glob("*.toml")}
    words = {"hasami", "luzhanqi", "salpakan", "gunjin", "yek", "barrage"} | games
    for folder in ("engine_core", "service"):
        for path in [*(ROOT / folder).glob("*.py"), *(ROOT / folder).glob("*.py[xi]"), *(ROOT / folder).glob("*.pxd")]:
            text = re.sub(r'"""[\s\S]*?"""|#.*|"[^"\n]*"', "", path.read_text(encoding="utf-8"))
            names = set(re.findall(r"[A-Za-z_]+", text.lower()))
            assert not [name for name in names if any(word in name for word in words)], path
