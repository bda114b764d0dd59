"""What generating says of stubs that are not what the sources say, and of languages whose tools are missing."""

from pathlib import Path

import pytest

from proto import generate as script
from proto.languages.language import Language


def language(name: str, *, lacks: str = "", **stubs: str) -> Language:
    def write(folder: Path) -> None:
        for stub, text in stubs.items():
            (folder / "deep").mkdir(exist_ok=True)
            (folder / "deep" / stub).write_text(text, encoding="utf-8")

    return Language(name, Path(name.lower()), lambda: lacks, write)


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(script, "ROOT", tmp_path)
    return tmp_path


def test_what_was_written_is_not_stale(root: Path) -> None:
    one = language("One", a="1", b="2")
    script.generate([one], check=False)
    assert script.contents(root / "one") == {"deep/a": b"1", "deep/b": b"2"}
    script.generate([one], check=True)


def test_every_stale_stub_of_every_language_is_named(root: Path) -> None:
    one, two = language("One", a="1", b="2", c="3"), language("Two", a="1")
    script.generate([one, two], check=False)
    (root / "one/deep/a").write_text("changed", encoding="utf-8")
    (root / "one/deep/b").unlink()
    (root / "one/d").write_text("not generated", encoding="utf-8")
    (root / "one/__pycache__").mkdir()
    (root / "one/__pycache__/a.pyc").write_text("nothing of ours", encoding="utf-8")
    (root / "two/deep/a").write_text("changed", encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        script.generate([one, two], check=True)
    named = [
        line.removeprefix("One: stale: one/").removeprefix("Two: stale: ") for line in str(stopped.value).split("\n")
    ]
    assert named == ["d", "deep/a", "deep/b", "two/deep/a", "run make proto"]


def test_writing_removes_what_is_not_generated(root: Path) -> None:
    (root / "one").mkdir()
    (root / "one/old").write_text("", encoding="utf-8")
    script.generate([language("One", a="1")], check=False)
    assert script.contents(root / "one") == {"deep/a": b"1"}


def test_a_language_without_its_tools_is_named_and_the_others_are_checked(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    languages = [language("One", lacks="onec", a="1"), language("Two", a="1")]
    with pytest.raises(SystemExit, match="Two: stale: two/deep/a"):
        script.generate(languages, check=True)
    assert capsys.readouterr().out == "One: stubs not checked, for onec is not installed\n"
    script.generate(languages, check=False)
    assert capsys.readouterr().out == "One: stubs not written, for onec is not installed\n"
    assert not (root / "one").exists()
